package sim

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// player is the state of one play. A "part" below is a slice of a move or of a
// message: index × slices + slice.
type player struct {
	schedule *schedule.Schedule
	graph    *graph
	network  network
	ports    *ports

	waits     []int32 // parts of moves: what each still waits for
	remaining []int32 // moves: slices that are not done
	held      []int32 // parts of messages: what keeps each from being ready
	done      int     // parts of moves

	now       unit.Seconds
	events    queue[event]
	finished  []int32 // parts of moves that are done now, their followers not yet told
	transfers []Transfer
	roundEnd  []unit.Seconds // by raw round
}

type network struct {
	latency   unit.Seconds
	bandwidth unit.Rate
}

func newPlayer(s *schedule.Schedule, g *graph, setup Setup) *player {
	n := g.slices
	p := &player{
		schedule: s, graph: g,
		network: network{unit.FromDuration(setup.Network.Latency), setup.Network.Bandwidth},
		ports:   newPorts(s.Ranks, g),
		waits:   make([]int32, len(g.moves)*n), remaining: make([]int32, len(g.moves)), held: make([]int32, len(g.messages)*n),
		transfers: make([]Transfer, len(g.messages)*n),
		roundEnd:  make([]unit.Seconds, s.LastRound()+1),
	}
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
			p.held[i*n+j] = int32(len(m.legs))
			if j > 0 {
				p.held[i*n+j]++ // the part before it
			}
			p.transfers[i*n+j] = Transfer{
				Step: m.id, Round: m.round, Src: m.src, Dst: m.dst, Slice: j, Bytes: partBytes(s, m, setup, j),
			}
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
		if len(p.events) == 0 {
			break
		}
		// Everything that happens at one moment happens before anything that
		// may start at it.
		for p.now = p.events[0].at; len(p.events) > 0 && p.events[0].at == p.now; {
			p.happen(p.events.pop())
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
	t.Start = p.now
	t.End = t.Start + unit.Bytes(t.Bytes).Over(p.network.bandwidth)
	t.Delivered = t.End + p.network.latency
	p.events.push(event{t.End, part, left})
	p.events.push(event{t.Delivered, part, delivered})
}

func (p *player) happen(e event) {
	n := int32(p.graph.slices)
	m := &p.graph.messages[e.part/n]
	slice := e.part % n
	if e.kind == delivered {
		for _, leg := range m.legs {
			p.release(leg.recv*n + slice)
		}
		return
	}
	p.ports.free(m.src, m.dst)
	for _, leg := range m.legs {
		p.finish(leg.send*n + slice)
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
