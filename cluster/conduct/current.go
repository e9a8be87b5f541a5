package conduct

import (
	"context"
	"fmt"
	"sync"

	"lockstep/engine/trace"
)

// Current knows the runs of a fleet that are under way, so that signals find
// them. The zero value knows none. It is safe for concurrent use.
type Current struct {
	mu   sync.Mutex // owns runs
	runs map[string]*Conductor
}

// Execute leads a run, and knows it by its ID meanwhile.
func (c *Current) Execute(ctx context.Context, id string, run *Conductor) trace.Report {
	c.mu.Lock()
	if c.runs == nil {
		c.runs = map[string]*Conductor{}
	}
	c.runs[id] = run
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.runs[id] == run {
			delete(c.runs, id)
		}
	}()
	return run.Execute(ctx)
}

// Signal does something to the process of one rank of a run under way. The
// error is a *trace.FieldError for a rank or a signal that there is not,
// trace.ErrNotRunning, or the operating system's.
func (c *Current) Signal(ctx context.Context, id string, rank int, s trace.Signal) error {
	if err := s.Check(); err != nil {
		return err
	}
	c.mu.Lock()
	run := c.runs[id]
	c.mu.Unlock()
	if run == nil {
		return fmt.Errorf("signal run %s: %w", id, trace.ErrNotRunning)
	}
	return run.Signal(ctx, rank, s)
}
