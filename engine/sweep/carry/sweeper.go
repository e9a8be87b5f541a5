// Package carry carries comparisons out: it enters their runs into an engine's
// queue, one after the other.
package carry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
)

// Runner carries runs out.
type Runner interface {
	Submit(ctx context.Context, spec trace.Spec) (trace.Run, error)
	Wait(ctx context.Context, id string) (trace.Run, error)
	Cancel(ctx context.Context, id string) error
}

// Journal keeps comparisons. What a method has acknowledged survives the
// process.
type Journal interface {
	// Begin keeps a comparison that has just been asked for and gives it an ID.
	Begin(ctx context.Context, c sweep.Comparison) (sweep.Comparison, error)
	// Place keeps the point with an index, which has begun or will not begin.
	Place(ctx context.Context, id string, index int, p sweep.Point) error
	// End keeps how a comparison ended.
	End(ctx context.Context, id string, state sweep.State) error
}

// fullAgain is when a full queue is tried once more.
const fullAgain = time.Second

// Sweeper carries comparisons out, one at a time. It is safe for concurrent
// use.
type Sweeper struct {
	runner  Runner
	journal Journal
	log     *slog.Logger
	life    context.Context
	end     context.CancelFunc
	working sync.WaitGroup

	mu      sync.Mutex
	current *carried // nil for none
}

// carried is the comparison under way. changed is closed, and made anew, when
// c has changed; the Sweeper's mu owns both.
type carried struct {
	c       sweep.Comparison
	changed chan struct{}
	stop    context.CancelFunc
}

// NewSweeper returns a sweeper that works until Close.
func NewSweeper(runner Runner, journal Journal, log *slog.Logger) *Sweeper {
	life, end := context.WithCancel(context.Background())
	return &Sweeper{runner: runner, journal: journal, log: log, life: life, end: end}
}

// Close stops what is under way and waits for it.
func (s *Sweeper) Close() {
	s.end()
	s.working.Wait()
}

// Start begins a comparison and returns it as it was kept. Errors are
// *trace.FieldError, *schedule.RequestError, sweep.ErrBusy, engine.ErrStopped and the
// journal's.
func (s *Sweeper) Start(ctx context.Context, r sweep.Request) (sweep.Comparison, error) {
	r, err := r.Resolve()
	if err != nil {
		return sweep.Comparison{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.life.Err() != nil:
		return sweep.Comparison{}, engine.ErrStopped
	case s.current != nil:
		return sweep.Comparison{}, fmt.Errorf("%w: %s", sweep.ErrBusy, s.current.c.ID)
	}
	c, err := s.journal.Begin(ctx, sweep.Comparison{State: sweep.Running, Created: time.Now(), Request: r})
	if err != nil {
		return sweep.Comparison{}, err
	}
	work, stop := context.WithCancel(s.life)
	s.current = &carried{c: c, changed: make(chan struct{}), stop: stop}
	s.working.Go(func() {
		defer stop()
		if err := s.carry(work); err != nil {
			s.log.Error("carry out comparison", "id", c.ID, "error", err)
		}
	})
	return c, nil
}

// Watch returns the comparison under way, and what is closed when it changes;
// false for one that is not.
func (s *Sweeper) Watch(id string) (c sweep.Comparison, changed <-chan struct{}, under bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || s.current.c.ID != id {
		return sweep.Comparison{}, nil, false
	}
	c = s.current.c
	c.Points = slices.Clone(c.Points)
	return c, s.current.changed, true
}

// Current is the ID of the comparison under way, empty for none.
func (s *Sweeper) Current() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return ""
	}
	return s.current.c.ID
}

// Stop ends a comparison early. The run under way is cancelled; what has been
// measured stands. One that has ended is left as it is.
func (s *Sweeper) Stop(_ context.Context, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil && s.current.c.ID == id {
		s.current.stop()
	}
}

// carry takes the points of the current comparison in their order.
func (s *Sweeper) carry(ctx context.Context) error {
	s.mu.Lock()
	c := s.current.c
	s.mu.Unlock()
	lasting := context.WithoutCancel(ctx) // what has happened is kept also when it was stopped
	var err error
	lost := make([]bool, len(c.Request.Ways))
	state := sweep.Done
	for i := 0; i < c.Request.Len() && err == nil; i++ {
		if ctx.Err() != nil {
			state = sweep.Stopped
			break
		}
		spec, way := c.Request.At(i)
		if lost[way] {
			err = s.place(lasting, c.ID, i, sweep.Point{Left: sweep.FailedBefore})
			continue
		}
		var p sweep.Point
		p, err = s.one(ctx, c.ID, i, spec)
		lost[way] = p.Left != "" || p.Run.Outcome == trace.Failed
		if errors.Is(err, engine.ErrStopped) || errors.Is(err, context.Canceled) {
			state, err = sweep.Stopped, nil
			break
		}
	}
	if err != nil {
		state = sweep.Stopped
	}
	err = errors.Join(err, s.journal.End(lasting, c.ID, state))
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.current.changed)
	s.current = nil
	return err
}

// one carries the point with an index out.
func (s *Sweeper) one(ctx context.Context, id string, i int, spec trace.Spec) (sweep.Point, error) {
	lasting := context.WithoutCancel(ctx)
	run, err := s.submit(ctx, spec)
	var field *trace.FieldError
	var request *schedule.RequestError
	switch {
	case errors.As(err, &field) || errors.As(err, &request):
		p := sweep.Point{Left: sweep.Refused, Says: err.Error()}
		return p, s.place(lasting, id, i, p)
	case err != nil:
		return sweep.Point{}, err
	}
	p := sweep.Point{Run: run}
	if err := s.place(lasting, id, i, p); err != nil {
		return p, err
	}
	p.Run, err = s.runner.Wait(ctx, run.ID)
	if ctx.Err() != nil {
		if cancelled := s.runner.Cancel(lasting, run.ID); cancelled != nil && !errors.Is(cancelled, engine.ErrEnded) {
			return p, cancelled
		}
		p.Run, err = s.runner.Wait(lasting, run.ID)
	}
	if err != nil {
		return p, err
	}
	p.Run.Iterated = nil
	s.show(i, p)
	return p, nil
}

// submit enters a run, once the queue has room for it.
func (s *Sweeper) submit(ctx context.Context, spec trace.Spec) (trace.Run, error) {
	for {
		run, err := s.runner.Submit(ctx, spec)
		if !errors.Is(err, engine.ErrQueueFull) {
			return run, err
		}
		select {
		case <-ctx.Done():
			return run, ctx.Err()
		case <-time.After(fullAgain):
		}
	}
}

// place keeps a point and shows it.
func (s *Sweeper) place(ctx context.Context, id string, i int, p sweep.Point) error {
	if err := s.journal.Place(ctx, id, i, p); err != nil {
		return err
	}
	s.show(i, p)
	return nil
}

// show lets those who watch see the point with an index.
func (s *Sweeper) show(i int, p sweep.Point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i == len(s.current.c.Points) {
		s.current.c.Points = append(s.current.c.Points, p)
	} else {
		s.current.c.Points[i] = p
	}
	close(s.current.changed)
	s.current.changed = make(chan struct{})
}
