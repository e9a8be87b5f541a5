package present

import (
	"fmt"
	popcount "math/bits"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/sim"
)

// facts is what a lesson knows: a schedule played step by step, and when.
type facts struct {
	schedule *schedule.Schedule
	rows     int         // blocks that are drawn
	steps    []stepFacts // by counted round, from 1; index 0 is the start
	phases   []phaseFacts
	time     unit.Seconds
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
	uniform    bool       // every rank sends and receives the same number of bytes
	busiest    int        // most bytes through a port in one direction
	sent       []int      // bytes by rank
	received   []int
}

// message is what travels from one rank to another in a step.
type message struct {
	src, dst      int
	block, blocks int // the first, and how many
	buf           schedule.Buf
	toBlock       int
	reduce        bool
	bytes         int
	ready, start  unit.Seconds
	delivered     unit.Seconds
}

// holding64 is who has contributed to each cell, for up to 64 ranks.
type holding64 struct {
	who      []uint64 // by rank, then block
	final    []bool
	doubled  bool // some contribution is in some sum twice
	promised bool // what the current phase promises for its end holds
}

// countBits is how many ranks are in a set.
func countBits(who uint64) int { return popcount.OnesCount64(who) }

// establish plays the schedule; states are kept for the steps that keep names.
func establish(s *schedule.Schedule, c choice, keep func(step int) bool) (*facts, error) {
	timeline, err := sim.Play(s, sim.Setup{Elements: int(c.size) / elementSize, Width: elementSize, Network: c.network.Network})
	if err != nil {
		return nil, fmt.Errorf("play lesson: %w", err)
	}
	f := &facts{schedule: s, rows: s.Chunks, time: timeline.Time}
	f.gather(timeline)
	for step, state := range s.Walk() {
		if keep(step) {
			f.steps[step].state = f.hold(state, f.steps[step].phase)
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
	f.steps = []stepFacts{{uniform: true}}
	counted, last := 0, 0
	open := map[[2]int]int{} // the messages of the round, by source and destination
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
		for _, src := range step.Sources() {
			for _, dst := range step.Destinations() {
				if src == dst {
					continue
				}
				if known, ok := open[[2]int{src, dst}]; ok {
					at.moves[known].blocks += step.Count
					continue
				}
				open[[2]int{src, dst}] = len(at.moves)
				t := transfers[step.ID]
				at.moves = append(at.moves, message{src: src, dst: dst, block: step.SrcChunk, blocks: step.Count, buf: step.SrcBuf, toBlock: step.DstChunk,
					reduce: step.Op == schedule.Reduce || step.Op == schedule.NetReduce,
					bytes:  t.Bytes, ready: t.Ready, start: t.Start, delivered: t.Delivered})
			}
		}
	}
	for i := range f.steps {
		f.steps[i].total(f.schedule.Ranks)
	}
}

// open begins a counted round.
func (f *facts) open(counted, round int, timeline *sim.Timeline) {
	at := stepFacts{start: f.steps[counted-1].end, end: timeline.Rounds[counted-1]}
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

// total adds up what goes through each port.
func (s *stepFacts) total(ranks int) {
	s.sent, s.received = make([]int, ranks), make([]int, ranks)
	for _, m := range s.moves {
		s.sent[m.src] += m.bytes
		s.received[m.dst] += m.bytes
	}
	s.uniform = true
	for rank := range ranks {
		s.busiest = max(s.busiest, s.sent[rank], s.received[rank])
		s.uniform = s.uniform && s.sent[rank] > 0 == (len(s.moves) > 0) && s.received[rank] > 0 == (len(s.moves) > 0)
	}
}

// waits is how long the last message stood in a queue before it could leave.
func (s *stepFacts) waits() unit.Seconds {
	longest := unit.Seconds(0)
	for _, m := range s.moves {
		longest = max(longest, m.start-m.ready)
	}
	return longest
}

// hold reads a state. A cell shows the result as far as it has come, and
// before that what the rank brings along.
func (f *facts) hold(state *schedule.State, phase int) *holding64 {
	s := f.schedule
	h := &holding64{who: make([]uint64, s.Ranks*f.rows), final: make([]bool, s.Ranks*f.rows)}
	for rank := range s.Ranks {
		for block := range f.rows {
			cell := rank*f.rows + block
			held := state.Holds(rank, schedule.Out, block)
			if held == nil {
				held = state.Holds(rank, schedule.In, block)
			}
			for _, part := range held {
				for from := part.First; from <= part.Last; from++ {
					h.who[cell] |= 1 << from
				}
				h.doubled = h.doubled || part.Times > 1
			}
			h.final[cell] = state.Final(rank, block)
		}
	}
	h.promised = state.Satisfies(s.Phases[phase].Invariant)
	return h
}

// carried is who is in what m carries, as the state before the step has it.
func (f *facts) carried(before *holding64, m message) uint64 {
	if m.buf == schedule.In {
		return 1 << m.src
	}
	return before.who[m.src*f.rows+m.block]
}
