package conduct

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

// Signal does something to the process of one rank while Execute leads the run.
// It touches no process but the run's own. The error is a *trace.FieldError
// for a rank that there is not, trace.ErrNotRunning, or the operating system's.
func (r *Conductor) Signal(ctx context.Context, rank int, s trace.Signal) error {
	if rank < 0 || rank >= r.spec.Ranks {
		return &trace.FieldError{Field: "rank", Message: fmt.Sprintf("rank %d; accepted: 0 to %d", rank, r.spec.Ranks-1)}
	}
	one := signal{rank, s, make(chan error, 1)}
	select {
	case r.signals <- one:
	case <-r.over:
		return fmt.Errorf("signal run %s: %w", r.cfg.ID, trace.ErrNotRunning)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := <-one.answer; err != nil { // the conductor answers at once
		return fmt.Errorf("%s rank %d of run %s: %w", s, rank, r.cfg.ID, err)
	}
	return nil
}

// obey carries out a signal, as the conductor.
func (r *Conductor) obey(s signal) error {
	if s.rank >= len(r.members) || r.members[s.rank].gone != "" {
		return trace.ErrNotRunning
	}
	m := r.members[s.rank]
	brake := func(factor int) {
		r.order(m, func(w *worker.Rank) error { return w.Brake(factor) })
	}
	switch s.signal {
	case trace.Freeze:
		return m.process.Freeze()
	case trace.Resume:
		brake(1)
		return m.process.Resume()
	case trace.Slow:
		brake(trace.SlowFactor)
	case trace.Kill:
		m.process.Kill()
	}
	return nil
}
