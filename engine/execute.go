package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"lockstep/engine/trace"
)

// journalTries is how often the journal is asked before it is given up.
const journalTries = 5

// carryOut executes a run that has begun and keeps its end.
func (e *Engine) carryOut(ctx context.Context, l *Live) error {
	report := e.execute(l)
	l.turn.Lock()
	defer l.turn.Unlock()
	cause := context.Cause(l.executing)
	l.interrupt(nil)
	defer e.place(0)
	return e.finish(ctx, l, conclude(l.State().Run, report, cause))
}

// execute hands the run to the fleet. A panic on this goroutine ends the run,
// not the program.
func (e *Engine) execute(l *Live) (report trace.Report) {
	started := time.Now()
	defer func() {
		if p := recover(); p != nil {
			e.config.Logger.Error("run panicked", "id", l.ID(), "panic", p, "stack", string(debug.Stack()))
			report = trace.Report{Failure: &trace.Failure{
				Kind: trace.Internal, Step: -1, DetectedAfter: time.Since(started).Seconds(),
				Message: fmt.Sprintf("internal error: %v", p),
			}}
		}
	}()
	return e.config.Fleet.Execute(l.executing, l.ID(), l.spec, l.sched, l.log)
}

// conclude returns the run as it ended: report is the fleet's word, cause why
// the run was given up, nil if it was not.
func conclude(run trace.Run, report trace.Report, cause error) trace.Run {
	waited := run.Outcome == trace.Queued
	stopped := func(kind trace.FailureKind, message string) {
		run.Outcome = trace.Failed
		run.Failure = &trace.Failure{Kind: kind, Step: -1, Message: message}
	}
	run.Iterate(report.Iterations)
	run.Library = report.Library
	switch {
	case report.Failure != nil:
		run.Outcome, run.Failure = trace.Failed, report.Failure
	case report.Verified && len(report.Iterations) >= run.Iterations:
		run.Outcome, run.Verified = trace.Done, true
		run.Measured(report.Iterations)
	case errors.Is(cause, errCancelled):
		run.Outcome = trace.Cancelled
	case cause != nil && waited:
		stopped(trace.ConsoleStopped, "console stopped before it was the run's turn")
		run.Failure.Values = trace.Values{"why": "queued"}
	case cause != nil:
		stopped(trace.ConsoleStopped, "console stopped before the run ended")
	case len(report.Iterations) < run.Iterations:
		stopped(trace.Internal, fmt.Sprintf("the fleet ended after %d of %d iterations and gave no reason", len(report.Iterations), run.Iterations))
	default:
		stopped(trace.WrongResult, "the result differs from the reference")
	}
	return run
}

// finish keeps the end of a run, first in the journal, then for those who
// watch, and forgets it. The caller holds its turn. If the journal does not
// keep it, watchers learn the end all the same, with a warning.
func (e *Engine) finish(ctx context.Context, l *Live, run trace.Run) error {
	l.log.Close()
	events := l.log.Latest()
	run.Events, run.Ended = len(events), time.Now().UTC()
	err := e.keep(ctx, run, events)
	if err != nil {
		run.Warnings = append(run.Warnings[:len(run.Warnings):len(run.Warnings)],
			trace.Warning{Code: "not-saved", Message: "the run could not be saved: " + err.Error(), Values: trace.Values{"reason": err.Error()}})
	}
	e.end(l, run)
	return err
}

// end makes an ended run known and forgets it. The caller holds its turn.
func (e *Engine) end(l *Live, run trace.Run) {
	l.log.Close()
	e.dequeue(l)
	l.set(func() { l.run, l.ahead = run, 0 })
	e.forget(l)
}

// keep tries for a few seconds: a full disk may be one that a person is just
// clearing.
func (e *Engine) keep(ctx context.Context, run trace.Run, events []trace.Event) error {
	ctx, cancel := keeping(ctx)
	defer cancel()
	pause := claimEvery
	for try := 1; ; try++ {
		err := e.config.Journal.Finish(ctx, run, events)
		if err == nil {
			return nil
		}
		err = fmt.Errorf("keep run %s: %w", run.ID, err)
		e.config.Logger.Error("finish run", "id", run.ID, "try", try, "error", err)
		if try == journalTries || errors.Is(err, trace.ErrNoRun) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
		pause *= 2
	}
}
