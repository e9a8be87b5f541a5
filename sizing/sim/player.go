package sim

import (
	"fmt"
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// player is the state of one play. A "part" below is a slice of a move or of a
// message: index × slices + slice.
type player struct {
	schedule *schedule.Schedule
	graph    *graph
	wires    wires
	ports    *ports

	waits     []int32 // parts of moves: what each still waits for
	remaining []int32 // moves: slices that are not done
	held      []int32 // parts of messages: what keeps each from being ready
	done      int     // parts of moves

	now       unit.Seconds
	apart     unit.Seconds // how far apart two times may be at most and still be one moment
	events    queue[event]
	flows     *flows  // on links that transfers share
	finished  []int32 // parts of moves that are done now, their followers not yet told
	transfers []Transfer
	roundEnd  []unit.Seconds // by raw round
}

func newPlayer(s *schedule.Schedule, g *graph, setup Setup) *player {
	n := g.slices
	p := &player{
		schedule: s, graph: g,
		wires: newWires(g, setup),
		ports: newPorts(s.Ranks, g),
		waits: make([]int32, len(g.moves)*n), remaining: make([]int32, len(g.moves)), held: make([]int32, len(g.messages)*n),
		transfers: make([]Transfer, len(g.messages)*n),
		roundEnd:  make([]unit.Seconds, s.LastRound()+1),
	}
	p.flows = newFlows(p.wires.links)
	p.apart = shortest(p.wires) / 4
	for i := range g.moves {
		p.remaining[i] = int32(n)
		for j := range n {
			p.waits[i*n+j] = g.moves[i].waits
			if g.moves[i].kind == schedule.Recv {
				p.waits[i*n+j]++ // its arrival
			}
		}
	}
	for i := range g.messages {
		m := &g.messages[i]
		for j := range n {
			p.held[i*n+j] = m.sends
			if j > 0 {
				p.held[i*n+j]++ // the part before it
			}
			t := Transfer{
				Step: m.id, Round: m.round, Src: -1, Dst: -1, Srcs: m.srcs, Dsts: m.dsts, Slice: j, Bytes: partBytes(s, m, setup, j),
			}
			if op := s.Steps[m.legs[0].step].Op; op != schedule.NetReduce {
				t.Src = m.srcs[0]
			}
			if op := s.Steps[m.legs[0].step].Op; op != schedule.Multicast {
				t.Dst = m.dsts[0]
			}
			p.transfers[i*n+j] = t
		}
	}
	return p
}

// partBytes returns the length of slice j of a message: that of all its steps,
// each cut by itself.
func partBytes(s *schedule.Schedule, m *message, setup Setup, j int) int {
	total := 0
	for _, leg := range m.legs {
		step := &s.Steps[leg.step]
		elements := s.ChunkStart(setup.Elements, step.SrcChunk+step.Count) - s.ChunkStart(setup.Elements, step.SrcChunk)
		total += (elements*(j+1)/setup.Slices - elements*j/setup.Slices) * setup.Width
	}
	return total
}

// sameMoment is how far apart, as a part of the time since the start, two times
// may be and still be one. Latencies and transfers that were added up in
// another order differ in their last bits, and which of two ready messages goes
// first must not hang on that. A million additions stay below it. In a long play
// a short latency stays below it too, and is told apart all the same: see
// shortest.
const sameMoment = 1e-10

// shortest is the least latency that takes time at all, +Inf where none does.
func shortest(w wires) unit.Seconds {
	least := unit.Seconds(math.Inf(1))
	for i := range w.ways {
		if w.ways[i].latency > 0 {
			least = min(least, w.ways[i].latency)
		}
	}
	return least
}

// play runs to the end.
func (p *player) play() error {
	for part, waits := range p.waits {
		if waits == 0 {
			p.proceed(int32(part))
		}
	}
	for {
		p.settle()
		p.ports.match(p.start)
		next, busy := p.flows.next(p.now)
		if len(p.events) > 0 && (!busy || p.events[0].at < next) {
			next, busy = p.events[0].at, true
		}
		if !busy {
			break
		}
		// Everything that happens at one moment happens before anything that
		// may start at it.
		p.now = next
		for _, part := range p.flows.end(next) {
			p.transfers[part].End = next
			p.events.push(event{next, part, left})
			p.arrive(part)
		}
		for moment := next + min(next*sameMoment, p.apart); len(p.events) > 0 && p.events[0].at <= moment; {
			e := p.events.pop()
			p.now = e.at
			p.happen(e)
		}
	}
	if p.done != len(p.waits) {
		return fmt.Errorf("%d of %d moves never start: the schedule waits for itself", len(p.waits)-p.done, len(p.waits))
	}
	return nil
}

// start puts a part of a message on the wire.
func (p *player) start(part int32) {
	t := &p.transfers[part]
	w := &p.wires.ways[part/int32(p.graph.slices)]
	t.Start = p.now
	if len(w.uses) > 0 {
		p.flows.begin(part, w, t.Bytes, p.now)
		return
	}
	t.End = t.Start + unit.Bytes(t.Bytes).Over(w.rate)
	p.events.push(event{t.End, part, left})
	p.arrive(part)
}

// arrive says when a part whose end is known will have arrived.
func (p *player) arrive(part int32) {
	t := &p.transfers[part]
	t.Delivered = t.End + p.wires.ways[part/int32(p.graph.slices)].latency
	p.events.push(event{t.Delivered, part, delivered})
}

func (p *player) happen(e event) {
	n := int32(p.graph.slices)
	m := &p.graph.messages[e.part/n]
	slice := e.part % n
	if e.kind == delivered {
		for _, leg := range m.legs {
			for _, recv := range leg.recvs {
				p.release(recv*n + slice)
			}
		}
		return
	}
	p.ports.free(m)
	for _, leg := range m.legs {
		for _, send := range leg.sends {
			p.finish(send*n + slice)
		}
	}
	if slice+1 < n {
		p.unhold(e.part + 1)
	}
}

// settle tells everything that follows what is done, at once: local steps take
// no time.
func (p *player) settle() {
	n := int32(p.graph.slices)
	for len(p.finished) > 0 {
		part := p.finished[len(p.finished)-1]
		p.finished = p.finished[:len(p.finished)-1]
		move, slice := part/n, part%n
		for _, next := range p.graph.sliced.of(move) {
			p.release(next*n + slice)
		}
		if p.remaining[move]--; p.remaining[move] == 0 {
			for _, next := range p.graph.whole.of(move) {
				for j := range n {
					p.release(next*n + j)
				}
			}
		}
	}
}

// release takes away one of the things a part of a move waits for.
func (p *player) release(part int32) {
	if p.waits[part]--; p.waits[part] == 0 {
		p.proceed(part)
	}
}

// proceed carries on with a part of a move that waits for nothing more.
func (p *player) proceed(part int32) {
	n := int32(p.graph.slices)
	m := &p.graph.moves[part/n]
	switch m.kind {
	case schedule.Send:
		p.unhold(m.message*n + part%n)
	case schedule.Recv:
		p.transfers[m.message*n+part%n].Applied = p.now // the last step's stays
		p.finish(part)
	default:
		p.finish(part)
	}
}

// unhold takes away one of the things that keep a part of a message from being
// ready.
func (p *player) unhold(part int32) {
	if p.held[part]--; p.held[part] == 0 {
		p.transfers[part].Ready = p.now
		p.ports.ready(part)
	}
}

func (p *player) finish(part int32) {
	round := p.graph.moves[part/int32(p.graph.slices)].round
	p.roundEnd[round] = max(p.roundEnd[round], p.now)
	p.finished = append(p.finished, part)
	p.done++
}
