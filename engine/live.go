package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Live is a run of this engine that has not ended, or had not when it was
// asked for. It is safe for concurrent use.
type Live struct {
	spec   trace.Spec // resolved, with the algorithm and the slices it is carried out with
	sched  *schedule.Schedule
	rounds []unit.Seconds
	log    *trace.Log

	// turn is held over every change of state, from the journal's part to our
	// own, so that a run is never begun and cancelled at once. It owns
	// interrupt. The order of locks is turn, Engine.mu, mu.
	turn      sync.Mutex
	interrupt context.CancelCauseFunc // of a running run
	executing context.Context         // what interrupt ends; read by the goroutine that began the run

	mu      sync.Mutex // owns what follows
	run     trace.Run
	ahead   int
	changed chan struct{}
}

// State is how a run stands at one moment.
type State struct {
	Run     trace.Run
	Ahead   int             // runs known to come first, while it is queued
	Changed <-chan struct{} // closed at the next change; never, once the run has ended
}

// State returns how the run stands. Warnings that come up while it runs are
// announced by the Log's changes.
func (l *Live) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	run := l.run
	if !run.Outcome.Final() { // later they are part of it
		run.Warnings = append(run.Warnings[:len(run.Warnings):len(run.Warnings)], l.log.Warnings()...)
	}
	return State{Run: run, Ahead: l.ahead, Changed: l.changed}
}

// ID returns the run's ID.
func (l *Live) ID() string { return l.State().Run.ID }

// Spec returns what was asked, as it is carried out.
func (l *Live) Spec() trace.Spec { return l.spec }

// Schedule returns what the run carries out.
func (l *Live) Schedule() *schedule.Schedule { return l.sched }

// Rounds returns the predicted end of each counted round, nil where there is
// no ground for one.
func (l *Live) Rounds() []unit.Seconds { return l.rounds }

// Log returns the run's progress. It is closed before the state says that the
// run has ended.
func (l *Live) Log() *trace.Log { return l.log }

func (l *Live) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	close(l.changed)
	l.changed = make(chan struct{})
}

// begin makes the run running. The caller holds turn.
func (l *Live) begin(ctx context.Context) {
	l.executing, l.interrupt = context.WithCancelCause(ctx)
	l.set(func() { l.run.Outcome, l.run.Started, l.ahead = trace.Running, time.Now().UTC(), 0 })
}

// wait says how many runs come first. The caller holds Engine.mu, with which a
// run leaves the queue.
func (l *Live) wait(ahead int) {
	if l.State().Ahead != ahead {
		l.set(func() { l.ahead = ahead })
	}
}

// Watch returns a run that is queued or running here; the ended ones are in
// the journal.
func (e *Engine) Watch(id string) (*Live, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	l, ok := e.live[id]
	return l, ok
}

// Wait returns a run when it has ended. The error of a run that another
// process has not ended is ErrElsewhere.
func (e *Engine) Wait(ctx context.Context, id string) (trace.Run, error) {
	l, ok := e.Watch(id)
	if !ok {
		run, err := e.config.Journal.Find(ctx, id)
		if err == nil && !run.Outcome.Final() {
			err = fmt.Errorf("wait for run %s: %w", id, ErrElsewhere)
		}
		return run, err
	}
	for {
		st := l.State()
		if st.Run.Outcome.Final() {
			return st.Run, nil
		}
		select {
		case <-st.Changed:
		case <-ctx.Done():
			return st.Run, context.Cause(ctx)
		}
	}
}

// Cancel ends a run of this engine as cancelled. A queued one has ended when
// Cancel returns; a running one is told to stop, keeps what it had reached,
// and ends soon (Wait). One that finishes or fails meanwhile ends so. The
// error is ErrEnded, ErrElsewhere, trace.ErrNoRun, or the journal's.
func (e *Engine) Cancel(ctx context.Context, id string) error {
	l, ok := e.Watch(id)
	if !ok {
		run, err := e.config.Journal.Find(ctx, id)
		switch {
		case err != nil:
			return fmt.Errorf("cancel run %s: %w", id, err)
		case run.Outcome.Final():
			return fmt.Errorf("cancel run %s: %w", id, ErrEnded)
		}
		return fmt.Errorf("cancel run %s: %w", id, ErrElsewhere)
	}
	l.turn.Lock()
	defer l.turn.Unlock()
	switch run := l.State().Run; run.Outcome {
	case trace.Queued:
		// Kept first: a row that stays queued with nobody to run it would hold
		// up everyone behind it. If it cannot be kept, the run stays queued.
		run = conclude(run, trace.Report{}, errCancelled)
		run.Ended = time.Now().UTC()
		if err := e.keep(ctx, run, nil); err != nil {
			return fmt.Errorf("cancel run %s: %w", id, err)
		}
		e.end(l, run)
		return nil
	case trace.Running:
		l.interrupt(errCancelled)
		return nil
	}
	return fmt.Errorf("cancel run %s: %w", id, ErrEnded)
}

// Why a run was given up: the causes of its context's end.
var (
	errCancelled = errors.New("run was cancelled")
	errStopping  = errors.New("engine is stopping")
)
