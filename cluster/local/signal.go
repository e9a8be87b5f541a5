package local

import (
	"context"
	"fmt"

	"lockstep/cluster/worker"
	"lockstep/engine/trace"
)

// signal is a trace.Signal on its way to the conductor.
type signal struct {
	rank   int
	signal trace.Signal
	answer chan error // with room for one
}

// Signal does something to the process of one rank of a run under way. It
// touches no process but the run's own. The error is a *trace.FieldError for a
// rank or a signal that there is not, trace.ErrNotRunning, or the operating
// system's.
func (f *Fleet) Signal(ctx context.Context, id string, rank int, s trace.Signal) error {
	if err := s.Check(); err != nil {
		return err
	}
	f.mu.Lock()
	r := f.runs[id]
	f.mu.Unlock()
	if r == nil {
		return fmt.Errorf("signal run %s: %w", id, trace.ErrNotRunning)
	}
	if rank < 0 || rank >= r.spec.Ranks {
		return &trace.FieldError{Field: "rank", Message: fmt.Sprintf("rank %d; accepted: 0 to %d", rank, r.spec.Ranks-1)}
	}
	one := signal{rank, s, make(chan error, 1)}
	select {
	case r.signals <- one:
	case <-r.over:
		return fmt.Errorf("signal run %s: %w", id, trace.ErrNotRunning)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := <-one.answer; err != nil { // the conductor answers at once
		return fmt.Errorf("%s rank %d of run %s: %w", s, rank, id, err)
	}
	return nil
}

// obey carries out a signal, as the conductor.
func (r *run) obey(s signal) error {
	if s.rank >= len(r.members) || r.members[s.rank].gone != "" {
		return trace.ErrNotRunning
	}
	m := r.members[s.rank]
	brake := func(factor int) {
		r.order(m, func(w *worker.Rank) error { return w.Brake(factor) })
	}
	switch s.signal {
	case trace.Freeze:
		return m.process.freeze()
	case trace.Resume:
		brake(1)
		return m.process.resume()
	case trace.Slow:
		brake(trace.SlowFactor)
	case trace.Kill:
		m.process.kill()
	}
	return nil
}
