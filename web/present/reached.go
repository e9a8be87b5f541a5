package present

import (
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// reached is how far each step of a run has come, each rank in the iteration
// that it was last heard of in.
type reached struct {
	slices     int
	iterations []int // by rank; -1 before it was heard of
	sent, got  []int // slices of each step, by index
	sentAt     []time.Duration
	gotAt      []time.Duration // since the start of the iteration on that rank
	heard      []time.Duration // by rank: its own latest event, likewise
}

// reach reads a trace. Events of steps that the schedule does not have are not
// looked at.
func reach(s *schedule.Schedule, slices int, events []trace.Event) *reached {
	r := &reached{
		slices: max(slices, 1), iterations: make([]int, s.Ranks),
		sent: make([]int, len(s.Steps)), got: make([]int, len(s.Steps)),
		sentAt: make([]time.Duration, len(s.Steps)), gotAt: make([]time.Duration, len(s.Steps)),
		heard: make([]time.Duration, s.Ranks),
	}
	for rank := range r.iterations {
		r.iterations[rank] = -1
	}
	for _, e := range events {
		if e.Rank >= 0 && e.Rank < s.Ranks {
			r.iterations[e.Rank] = max(r.iterations[e.Rank], e.Iteration)
		}
	}
	for _, e := range events {
		i := s.Index(e.Step)
		if i < 0 || e.Rank < 0 || e.Rank >= s.Ranks || e.Iteration != r.iterations[e.Rank] {
			continue
		}
		r.heard[e.Rank] = max(r.heard[e.Rank], e.At)
		if e.Side != trace.Received {
			r.sent[i]++
			r.sentAt[i] = max(r.sentAt[i], e.At)
		}
		if e.Side != trace.Sent {
			r.got[i]++
			r.gotAt[i] = max(r.gotAt[i], e.At)
		}
	}
	return r
}

// until returns what of r was reached within a time since the start of the
// iteration. Steps that were under way then count as not begun: a trace keeps
// when their last slice was through.
func (r *reached) until(at time.Duration) *reached {
	cut := &reached{
		slices: r.slices, iterations: r.iterations, sentAt: r.sentAt, gotAt: r.gotAt, heard: r.heard,
		sent: make([]int, len(r.sent)), got: make([]int, len(r.got)),
	}
	for i := range r.sent {
		if r.sentAt[i] <= at {
			cut.sent[i] = r.sent[i]
		}
		if r.gotAt[i] <= at {
			cut.got[i] = r.got[i]
		}
	}
	return cut
}

func (r *reached) left(i int) bool    { return r.sent[i] >= r.slices }
func (r *reached) arrived(i int) bool { return r.got[i] >= r.slices }

// iteration returns the iteration that every rank has at least begun, from 0;
// -1 before all were heard of.
func (r *reached) iteration() int {
	least := -1
	for rank, at := range r.iterations {
		if rank == 0 || at < least {
			least = at
		}
	}
	return least
}

// ends returns when each counted round, from 1, was through on all ranks: 0
// where it is not yet. Times never fall from one round to the next.
func (r *reached) ends(t *blockTable) []time.Duration {
	ends := make([]time.Duration, t.rounds+1)
	open := t.rounds + 1
	for i, step := range t.steps {
		if !r.arrived(i) || !r.left(i) {
			open = min(open, step.round)
		}
		ends[step.round] = max(ends[step.round], r.gotAt[i])
	}
	for round := 1; round <= t.rounds; round++ {
		if round >= open {
			ends[round] = 0
			continue
		}
		ends[round] = max(ends[round], ends[round-1])
	}
	return ends
}

// cells returns what the grid shows.
func (r *reached) cells(t *blockTable) []blockHeld {
	cells := append([]blockHeld(nil), t.start...)
	for i, step := range t.steps {
		if r.arrived(i) {
			for _, c := range step.changes {
				cells[c.cell] = c.to
			}
		}
	}
	return cells
}

// lane is one direction of a rank's port: the first step there that is not
// through.
type lane struct {
	step  int // index, -1 for none left
	moves bool
	share float64 // of its slices
}

// lanes returns what each rank receives and sends next.
func (r *reached) lanes(t *blockTable) (receive, send []lane) {
	receive, send = make([]lane, t.ranks), make([]lane, t.ranks)
	for rank := range t.ranks {
		receive[rank].step, send[rank].step = -1, -1
	}
	for i, step := range t.steps {
		if step.local() {
			continue
		}
		if l := &receive[step.dst]; l.step < 0 && !r.arrived(i) {
			*l = lane{i, r.got[i] > 0 || r.sent[i] > 0 || r.ready(t, i), float64(r.got[i]) / float64(r.slices)}
		}
		if l := &send[step.src]; l.step < 0 && !r.left(i) {
			*l = lane{i, r.sent[i] > 0 || r.ready(t, i), float64(r.sent[i]) / float64(r.slices)}
		}
	}
	return receive, send
}

// ready reports whether the next slice of a step may leave.
func (r *reached) ready(t *blockTable, i int) bool {
	for _, gate := range t.steps[i].gates {
		if r.got[gate] <= r.sent[i] && !r.arrived(gate) {
			return false
		}
	}
	return true
}

// share returns how much of its steps each rank has behind it, 0 to 1.
func (r *reached) share(t *blockTable) []float64 {
	done, all := make([]int, t.ranks), make([]int, t.ranks)
	for i, step := range t.steps {
		if step.local() {
			continue
		}
		done[step.src] += r.sent[i]
		done[step.dst] += r.got[i]
		all[step.src] += r.slices
		all[step.dst] += r.slices
	}
	shares := make([]float64, t.ranks)
	for rank := range shares {
		shares[rank] = 1
		if all[rank] > 0 {
			shares[rank] = min(float64(done[rank])/float64(all[rank]), 1)
		}
	}
	return shares
}
