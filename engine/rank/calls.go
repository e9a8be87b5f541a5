package rank

import (
	"context"
	"fmt"
	"time"
)

// Caller makes the calls of a vendor's library for one rank. Its methods are
// called from one thread, and wait.
type Caller interface {
	// Barrier returns when all ranks have called it.
	Barrier() error
	// Call does one slice of the collective.
	Call(slice int) error
	// Whole does all of it by one call.
	Whole() error
}

// Calling is a run by a library's own calls, as one rank sees it. The library
// shows nothing of what goes on within a call: a mark is entered after each.
type Calling struct {
	Caller     Caller
	Marks      []int // the moves of the rank's program, of which every call finishes a slice
	Slices     int
	Bytes      int // that the rank has once a call has ended, for what counts as moved
	Iterations int // all of them
	// Those from WholeFrom to WholeTo, that one excluded, are made by one call
	// each, to measure what the slices cost. They come before the last one,
	// whose marks stay.
	WholeFrom, WholeTo int

	Memory   *Memory
	Progress *Progress
	Silent   bool // enters no marks
}

// Call carries out a run on the calling goroutine, whose thread must be the
// library's. When ctx ends it gives up between two calls.
func Call(ctx context.Context, c Calling) error {
	if len(c.Progress.marks) < len(c.Marks)*c.Slices || len(c.Progress.times) < c.Iterations {
		return fmt.Errorf("call a library: progress has room for %d marks and %d iterations", len(c.Progress.marks), len(c.Progress.times))
	}
	for i := range c.Iterations {
		if i == 0 || i == c.Iterations-1 {
			c.Memory.poison(func(bytes int) { c.Progress.Moved.Add(int64(bytes)) })
		}
		if err := c.iteration(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

func (c *Calling) iteration(ctx context.Context, i int) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := c.Caller.Barrier(); err != nil {
		return fmt.Errorf("meet the other ranks before iteration %d: %w", i, err)
	}
	timed := c.Progress.begin(i) || i == c.Iterations-1
	start := time.Now()
	if i >= c.WholeFrom && i < c.WholeTo {
		if err := c.Caller.Whole(); err != nil {
			return err
		}
		c.Progress.took(i, time.Since(start))
		c.Progress.Moved.Add(int64(c.Bytes) + 1)
		return nil
	}
	entered := 0
	for slice := range c.Slices {
		if err := c.Caller.Call(slice); err != nil {
			return fmt.Errorf("slice %d of %d: %w", slice, c.Slices, err)
		}
		if c.Silent {
			continue
		}
		var at time.Duration
		if timed {
			at = time.Since(start)
		}
		for _, move := range c.Marks {
			c.Progress.mark(entered, move, slice, at)
			entered++
		}
		c.Progress.Moved.Add(int64(c.Bytes/c.Slices) + 1)
	}
	c.Progress.took(i, time.Since(start))
	return nil
}
