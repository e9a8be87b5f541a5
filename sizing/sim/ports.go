package sim

import "slices"

// ports decides which ready part starts when ports are free.
type ports struct {
	graph     *graph
	sending   []bool   // by rank
	receiving []bool   // by rank
	edges     [][]edge // by sender; what has one sender and one receiver
	edgeOf    []int32  // by message: index into edges of its sender
	wide      []int32  // ready parts of messages with many ends, ascending
	offers    queue[offer]
}

// edge holds what is ready between two ranks, in ascending order: at most one
// part of each message, as parts leave one after the other.
type edge struct {
	dst   int
	ready []int32
}

// offer is the part that a sender would start next. A lower slice goes first,
// then a lower id.
type offer struct {
	slice, message int32
	src            int // -1 for a message with many ends
}

func (o offer) before(other offer) bool {
	if o.slice != other.slice {
		return o.slice < other.slice
	}
	return o.message < other.message
}

func newPorts(ranks int, g *graph) *ports {
	p := &ports{
		graph: g, sending: make([]bool, ranks), receiving: make([]bool, ranks),
		edges: make([][]edge, ranks), edgeOf: make([]int32, len(g.messages)),
	}
	for i := range g.messages {
		m := &g.messages[i]
		if m.wide() {
			continue
		}
		src, dst := m.srcs[0], m.dsts[0]
		at := slices.IndexFunc(p.edges[src], func(e edge) bool { return e.dst == dst })
		if at < 0 {
			at = len(p.edges[src])
			p.edges[src] = append(p.edges[src], edge{dst: dst})
		}
		p.edgeOf[i] = int32(at)
	}
	return p
}

func (m *message) wide() bool { return len(m.srcs) != 1 || len(m.dsts) != 1 }

// ready enters a part of a message that may leave.
func (p *ports) ready(part int32) {
	i := part / int32(p.graph.slices)
	list := &p.wide
	if m := &p.graph.messages[i]; !m.wide() {
		list = &p.edges[m.srcs[0]][p.edgeOf[i]].ready
	}
	at, _ := slices.BinarySearch(*list, part)
	*list = slices.Insert(*list, at, part)
}

// free opens the ports that a part of m occupied.
func (p *ports) free(m *message) { p.take(m, false) }

func (p *ports) take(m *message, busy bool) {
	for _, src := range m.srcs {
		p.sending[src] = busy
	}
	for _, dst := range m.dsts {
		p.receiving[dst] = busy
	}
}

// open reports whether all ports of m are free.
func (p *ports) open(m *message) bool {
	return !slices.ContainsFunc(m.srcs, func(r int) bool { return p.sending[r] }) &&
		!slices.ContainsFunc(m.dsts, func(r int) bool { return p.receiving[r] })
}

// match starts everything that can start now, in the order of precedence over
// all senders.
func (p *ports) match(start func(part int32)) {
	n := int32(p.graph.slices)
	for src := range p.edges {
		p.offer(src)
	}
	for _, part := range p.wide {
		if p.open(&p.graph.messages[part/n]) {
			p.offers.push(offer{slice: part % n, message: part / n, src: -1})
		}
	}
	for len(p.offers) > 0 {
		o := p.offers.pop()
		m := &p.graph.messages[o.message]
		if !p.open(m) {
			if o.src >= 0 {
				p.offer(o.src) // another sender came first; src may have something else
			}
			continue
		}
		p.take(m, true)
		part := o.message*n + o.slice
		if o.src < 0 {
			at, _ := slices.BinarySearch(p.wide, part)
			p.wide = slices.Delete(p.wide, at, at+1)
		} else {
			e := &p.edges[o.src][p.edgeOf[o.message]]
			e.ready = e.ready[1:]
		}
		start(part)
	}
}

// offer enters what src would start next, if anything.
func (p *ports) offer(src int) {
	if p.sending[src] {
		return
	}
	n := int32(p.graph.slices)
	best, found := offer{}, false
	for i := range p.edges[src] {
		e := &p.edges[src][i]
		if len(e.ready) == 0 || p.receiving[e.dst] {
			continue
		}
		next := offer{slice: e.ready[0] % n, message: e.ready[0] / n, src: src}
		if !found || next.before(best) {
			best, found = next, true
		}
	}
	if found {
		p.offers.push(best)
	}
}
