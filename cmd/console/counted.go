package main

import (
	"context"

	"lockstep/engine"
	"lockstep/engine/trace"
)

// countedJournal tells ended of each run whose end has been kept.
type countedJournal struct {
	engine.Journal
	ended func(trace.Run, []trace.Event)
}

// Finish keeps the end of a run and counts it once: only an end that was not
// kept is given again.
func (j countedJournal) Finish(ctx context.Context, run trace.Run, events []trace.Event) error {
	if err := j.Journal.Finish(ctx, run, events); err != nil {
		return err
	}
	j.ended(run, events)
	return nil
}
