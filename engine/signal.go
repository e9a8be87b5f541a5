package engine

import (
	"context"
	"errors"
	"fmt"

	"lockstep/engine/trace"
)

// Signaller is a Fleet that can do something to one rank of a run that it is
// executing.
type Signaller interface {
	// Signal returns when it is done, not when it shows.
	Signal(ctx context.Context, id string, rank int, s trace.Signal) error
}

// ErrNoSignals is the error of a signal where the fleet takes none.
var ErrNoSignals = errors.New("ranks here take no signals")

// Signal does something to one rank of a running run of this engine, so that
// people see what the others make of it. What comes of it is seen in the run.
// The error is a *trace.FieldError for a rank or a signal that there is not,
// trace.ErrNotRunning, ErrEnded, ErrElsewhere, ErrNoSignals, trace.ErrNoRun, or the
// fleet's.
func (e *Engine) Signal(ctx context.Context, id string, rank int, s trace.Signal) error {
	if err := s.Check(); err != nil {
		return err
	}
	l, ok := e.Watch(id)
	if !ok {
		run, err := e.config.Journal.Find(ctx, id)
		switch {
		case err != nil:
		case run.Outcome.Final():
			err = ErrEnded
		default:
			err = ErrElsewhere
		}
		return fmt.Errorf("signal run %s: %w", id, err)
	}
	switch run := l.State().Run; {
	case rank < 0 || rank >= run.Ranks:
		return &trace.FieldError{Field: "rank", Message: fmt.Sprintf("rank %d; accepted: 0 to %d", rank, run.Ranks-1)}
	case run.Outcome == trace.Queued:
		return fmt.Errorf("signal run %s: %w", id, trace.ErrNotRunning)
	case run.Outcome.Final():
		return fmt.Errorf("signal run %s: %w", id, ErrEnded)
	}
	fleet, ok := e.config.Fleet.(Signaller)
	if !ok {
		return fmt.Errorf("signal run %s: %w", id, ErrNoSignals)
	}
	if err := fleet.Signal(ctx, id, rank, s); err != nil {
		return fmt.Errorf("signal run %s: %w", id, err)
	}
	return nil
}
