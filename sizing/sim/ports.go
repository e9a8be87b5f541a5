package sim

import "slices"

// ports decides which ready part starts when ports are free.
type ports struct {
	graph     *graph
	sending   []bool   // by rank
	receiving []bool   // by rank
	edges     [][]edge // by sender
	edgeOf    []int32  // by message: index into edges of its sender
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
	src            int
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
		at := slices.IndexFunc(p.edges[m.src], func(e edge) bool { return e.dst == m.dst })
		if at < 0 {
			at = len(p.edges[m.src])
			p.edges[m.src] = append(p.edges[m.src], edge{dst: m.dst})
		}
		p.edgeOf[i] = int32(at)
	}
	return p
}

// ready enters a part of a message that may leave.
func (p *ports) ready(part int32) {
	i := part / int32(p.graph.slices)
	e := &p.edges[p.graph.messages[i].src][p.edgeOf[i]]
	at, _ := slices.BinarySearch(e.ready, part)
	e.ready = slices.Insert(e.ready, at, part)
}

// free opens the ports that a part occupied.
func (p *ports) free(src, dst int) { p.sending[src], p.receiving[dst] = false, false }

// match starts everything that can start now, in the order of precedence over
// all senders.
func (p *ports) match(start func(part int32)) {
	for src := range p.edges {
		p.offer(src)
	}
	for len(p.offers) > 0 {
		o := p.offers.pop()
		dst := p.graph.messages[o.message].dst
		if p.receiving[dst] {
			p.offer(o.src) // another sender came first; src may have something else
			continue
		}
		p.sending[o.src], p.receiving[dst] = true, true
		e := &p.edges[o.src][p.edgeOf[o.message]]
		e.ready = e.ready[1:]
		start(o.message*int32(p.graph.slices) + o.slice)
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
