package present

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/sim"
)

// facts is what a lesson knows: a schedule played step by step, and when.
type facts struct {
	schedule *schedule.Schedule
	grid     cellGrid
	steps    []stepFacts // by counted round, from 1; index 0 is the start
	phases   []phaseFacts
	time     unit.Seconds
	edit     *editFacts // how the schedule is broken; nil for a right one

	rightTime unit.Seconds // of the schedule before it was broken; 0 for a right one
}

// phaseFacts is a phase in counted rounds.
type phaseFacts struct {
	key         string
	first, last int // steps; first > last for a phase without any
	invariant   schedule.Invariant
}

// stepFacts is one counted round.
type stepFacts struct {
	phase      int // index of the phase
	start, end unit.Seconds
	moves      []message
	state      *holding64 // after the step; nil unless asked for
	uniform    bool       // every rank sends and receives in the step, or nobody does
	busiest    int        // most bytes through a port in one direction
	sent       []int      // bytes by rank
	received   []int
}

// establish plays the schedule; states are kept for the steps that keep names.
func establish(s *schedule.Schedule, c choice, keep func(step int) bool) (*facts, error) {
	setup := sim.Setup{Elements: c.elements(), Width: elementSize, Network: c.network.Network}
	timeline, err := sim.Play(s, setup)
	if err != nil {
		return nil, fmt.Errorf("play lesson: %w", err)
	}
	f := &facts{schedule: s, grid: newGrid(s), time: timeline.Time}
	f.gather(timeline)
	if c.broken != nil {
		right, err := sim.Play(c.broken.Right, setup)
		if err != nil {
			return nil, fmt.Errorf("play the right schedule: %w", err)
		}
		f.rightTime = right.Time
		f.endure(c.broken, keep)
		return f, nil
	}
	needed := liveScratch(s, keep)
	for step, state := range s.Walk() {
		if keep(step) {
			f.steps[step].state = f.hold(state, f.steps[step].phase, needed[step])
		}
		if next := step + 1; next < len(f.steps) && keep(next) {
			for i := range f.steps[next].moves {
				f.load(&f.steps[next].moves[i], state)
			}
		}
	}
	return f, nil
}

// gather groups steps into messages and rounds into phases.
func (f *facts) gather(timeline *sim.Timeline) {
	transfers := map[int]sim.Transfer{}
	for _, t := range timeline.Transfers {
		transfers[t.Step] = t
	}
	for _, p := range f.schedule.Phases {
		f.phases = append(f.phases, phaseFacts{key: p.Key, first: 1, last: 0, invariant: p.Invariant})
	}
	if len(f.phases) == 0 { // nothing is left of a broken one
		f.phases = []phaseFacts{{first: 1, last: 0}}
	}
	f.steps = []stepFacts{{uniform: true}}
	counted, last := 0, 0
	type way struct{ src, dst int }
	open := map[way]int{} // the messages of the round between two ranks
	for i := range f.schedule.Steps {
		step := &f.schedule.Steps[i]
		if step.Local() {
			continue
		}
		if step.Round != last {
			counted, last = counted+1, step.Round
			clear(open)
			f.open(counted, step.Round, timeline)
		}
		at := &f.steps[counted]
		piece := part{step.SrcBuf, step.SrcChunk, step.DstBuf, step.DstChunk, step.Count}
		if step.Op <= schedule.Reduce {
			if known, ok := open[way{step.Src, step.Dst}]; ok {
				at.moves[known].parts = append(at.moves[known].parts, piece)
				continue
			}
			open[way{step.Src, step.Dst}] = len(at.moves)
		}
		t := transfers[step.ID]
		at.moves = append(at.moves, message{srcs: step.Sources(), dsts: step.Destinations(), op: step.Op, parts: []part{piece},
			bytes: t.Bytes, ready: t.Ready, start: t.Start, delivered: t.Delivered})
	}
	for i := range f.steps {
		f.steps[i].total(f.schedule.Ranks)
	}
	// What happens within ranks alone belongs to the step before, and so does
	// what it promises.
	before := -1
	for i, p := range f.phases {
		switch {
		case p.first <= p.last:
			before = i
		case before >= 0 && p.invariant != schedule.NoInvariant:
			f.phases[before].invariant = p.invariant
		}
	}
}

// open begins a counted round.
func (f *facts) open(counted, round int, timeline *sim.Timeline) {
	at := stepFacts{start: f.steps[counted-1].end, end: max(timeline.Rounds[counted-1], f.steps[counted-1].end)}
	for i, p := range f.schedule.Phases {
		if round < p.First || round > p.Last {
			continue
		}
		at.phase = i
		if f.phases[i].first > f.phases[i].last {
			f.phases[i].first = counted
		}
		f.phases[i].last = counted
	}
	f.steps = append(f.steps, at)
}

// total adds up what goes through each port. What the network copies leaves
// once and arrives at each; what it adds up leaves each and arrives once.
func (s *stepFacts) total(ranks int) {
	s.sent, s.received = make([]int, ranks), make([]int, ranks)
	for i := range s.moves {
		m := &s.moves[i]
		for _, src := range m.givers() {
			s.sent[src] += m.bytes
		}
		for _, dst := range m.takers() {
			s.received[dst] += m.bytes
		}
	}
	gives, takes := make([]bool, ranks), make([]bool, ranks)
	for i := range s.moves {
		for _, src := range s.moves[i].givers() {
			gives[src] = true
		}
		for _, dst := range s.moves[i].takers() {
			takes[dst] = true
		}
	}
	s.uniform = true
	for rank := range ranks {
		s.busiest = max(s.busiest, s.sent[rank], s.received[rank])
		s.uniform = s.uniform && s.sent[rank] == s.sent[0] && s.received[rank] == s.sent[0] && gives[rank] == gives[0] && takes[rank] == gives[0]
	}
}

// waits is how long the last message stood in a queue of the step: behind
// others of it, once the first of them had left.
func (s *stepFacts) waits() unit.Seconds {
	longest := unit.Seconds(0)
	for i := range s.moves {
		longest = max(longest, s.wait(i))
	}
	return longest
}

// wait is how long message i stood in the queue of the step.
func (s *stepFacts) wait(i int) unit.Seconds {
	first := s.moves[0].start
	for _, m := range s.moves[1:] {
		first = min(first, m.start)
	}
	return max(s.moves[i].start-max(s.moves[i].ready, first), 0)
}
