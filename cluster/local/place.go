package local

import (
	"runtime"
	"slices"

	"lockstep/cluster/worker"
	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/trace"
)

// sharedBelow is the longest slice for which both directions between two ranks
// do better on one connection: what acknowledges one rides on the other.
// Longer ones would hold each other up on a socket's lock.
const sharedBelow = 256 << 10

// place ties the ranks to this machine: what is the same for all of them.
// Where they share memory it makes the segment.
func (r *run) place() (worker.Place, error) {
	edges := rank.Edges(r.programs, r.spec.Elements(), r.spec.DType.Width(), r.job.Slices)
	p := worker.Place{
		// A paced run is for eyes: it goes step by step, and leaves the
		// processors to those who show it.
		Crowded: r.spec.Ranks > runtime.NumCPU() || r.spec.Pace.Paced(),
		Pinned:  !r.spec.Pace.Paced(),
		Shared:  !slices.ContainsFunc(edges, func(e rank.Edge) bool { return e.Longest >= sharedBelow }),
	}
	if !r.spec.Pace.Paced() {
		p.Burst = 1
	}
	if r.spec.Link != trace.Shm {
		return p, nil
	}
	piece := 0
	if rate := r.spec.Pace.Rate; rate > 0 {
		piece = rank.PieceBytes(rate)
	}
	plan := link.PlanShm(r.spec.Ranks, edges, piece)
	segment, err := link.NewSegment(plan.Size)
	if err != nil {
		return p, err
	}
	p.Shm, r.segment = &plan, segment
	if !r.spec.Pace.Paced() {
		p.Burst = burst
	}
	return p, nil
}

// burst is how many slices of a step go in a row through shared memory: the
// second is on its way while the next step waits for the first. Over TCP, whose
// own buffers do that, one at a time is up to a fifth faster at 64 MiB.
const burst = 2

// seat is a rank's own place: of the rings those that end at it.
func (r *run) seat(i int) worker.Place {
	p := r.job.Place
	p.Seat = i
	if p.Shm != nil {
		own := *p.Shm
		own.Rings = slices.DeleteFunc(slices.Clone(own.Rings), func(ring link.Ring) bool { return ring.Src != i && ring.Dst != i })
		p.Shm = &own
	}
	return p
}
