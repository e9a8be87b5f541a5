package main

import (
	"time"

	"lockstep/engine/trace"
	"lockstep/web"
)

// remoteProgress tells how far a run of another console is, from what that
// says when it is asked.
type remoteProgress struct {
	position
	at    []int                // counted round of each step, by index; nil where the schedule cannot be had here
	known map[[3]int64]web.Row // the latest of each rank, step and side
	seq   int
}

// newRemoteProgress returns the progress of a run that has just been asked
// for. The schedule is built here once more; one that is imported, or that
// another version of the program would build otherwise, is done without.
func newRemoteProgress(run trace.Run) *remoteProgress {
	p := &remoteProgress{known: map[[3]int64]web.Row{}}
	sched, err := run.Rebuild()
	if err != nil {
		sched = nil
	}
	p.position = newPosition(run.Warmups(), run.Iterations, run.Slices, sched)
	if sched != nil && p.detailed {
		for i := range sched.Steps {
			p.at = append(p.at, p.roundOf[sched.Steps[i].Round])
		}
	}
	return p
}

// take brings p up to date with a message.
func (p *remoteProgress) take(m web.Message) {
	if m.Run.Outcome == trace.Running && p.began.IsZero() {
		p.began = time.Now()
	}
	if m.Type == web.Snapshot {
		clear(p.known)
	}
	p.seq, p.iteration, p.done, p.round = m.Seq, m.Iteration, 0, 0
	if p.at == nil {
		return
	}
	for _, row := range m.Events {
		p.known[[3]int64{row[0], row[1], row[3]}] = row
	}
	// Ranks that are ahead have rows of later iterations, which count when all
	// have come to those.
	for _, row := range p.known {
		step, slice, side, iteration := row[1], row[2], row[3], row[5]
		if side == int64(trace.Local) || int(iteration) != p.iteration || step < 0 || int(step) >= len(p.at) {
			continue
		}
		p.done += int(slice) + 1
		p.round = max(p.round, p.at[step])
	}
}

// read returns how far the run was when it was last asked.
func (p *remoteProgress) read() *position { return &p.position }
