package present

import (
	"strconv"

	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/views"
	"lockstep/views/draw"
)

// picture draws a way: ranks on nodes, who sends to whom, what each NIC
// carries. All ways have one scale of bytes, and lines one of thickness.
func (t across) picture(i int) views.TopologyPicture {
	c := t.ways[i]
	most, heaviest := unit.Bytes(1), unit.Bytes(1)
	for _, other := range t.ways {
		most = max(most, other.Busiest())
		for _, hop := range other.Hops {
			heaviest = max(heaviest, hop.Bytes)
		}
	}
	p := draw.Crossings{Title: t.name(c), Desc: t.t("topology.picture.says", "Sent", t.bytes(c.MostSent()), "Busiest", t.bytes(c.Busiest()))}
	for v := range t.ask.Nodes {
		node := draw.CrossingNode{Name: t.t("topology.node", "Node", v), Ranks: t.seated(c, v)}
		sent := t.bytes(c.Nodes[v].Sent)
		node.Says = []string{t.t("topology.sent", "Bytes", sent), sent}
		for _, nic := range c.Nodes[v].NICs {
			node.NICs = append(node.NICs, draw.CrossingNIC{Out: float64(nic.Sent) / float64(most), In: float64(nic.Received) / float64(most)})
		}
		p.Nodes = append(p.Nodes, node)
	}
	for _, hop := range c.Hops {
		p.Hops = append(p.Hops, draw.CrossingHop{From: hop.From, To: hop.To, Across: hop.Across, Share: float64(hop.Bytes) / float64(heaviest)})
	}
	v := views.TopologyPicture{
		Name: t.name(c), Time: duration(c.Time),
		Says: t.t("topology.picture.says", "Sent", t.bytes(c.MostSent()), "Busiest", t.bytes(c.Busiest())), What: t.what(c),
	}
	v.Chart.Wide = p.SVG()
	p.Narrow = true
	v.Chart.Narrow = p.SVG()
	return v
}

// seated are the ranks that sit on a node, by their places.
func (t across) seated(c sizing.Crossing, node int) []string {
	ranks := make([]string, t.ask.PerNode)
	for i := range ranks {
		ranks[i] = strconv.Itoa(c.Ranks[node*t.ask.PerNode+i])
	}
	return ranks
}

// what says how a way goes, in one line.
func (t across) what(c sizing.Crossing) string {
	switch {
	case c.Interleaved:
		return t.t("topology.what.round")
	case c.Algorithm == "ring":
		return t.t("topology.what.order")
	case c.Algorithm == "hierarchical":
		return t.t("topology.what.hierarchical")
	}
	return t.t("topology.what.tree")
}

// say is the conclusion.
func (t across) say() string {
	best, last := t.fastest()
	values := []any{"Size", t.ask.Size.String(), "Nodes", t.ask.Nodes, "PerNode", t.ask.PerNode,
		"Best", t.name(t.ways[best]), "BestTime", duration(t.ways[best].Time),
		"Last", t.name(t.ways[last]), "LastTime", duration(t.ways[last].Time), "Times", ratioText(float64(t.ways[last].Time) / float64(t.ways[best].Time))}
	return t.t("topology.say", values...)
}

// why gives the reasons behind the conclusion, from what was played.
func (t across) why() []string {
	best, last := t.fastest()
	fast, slow := t.ways[best], t.ways[last]
	fewest, leanest := true, true
	for i, c := range t.ways {
		if i == best {
			continue
		}
		fewest = fewest && fast.Rounds <= c.Rounds
		leanest = leanest && fast.Busiest() <= c.Busiest()
	}
	// What the busiest NIC's bytes take, of the whole.
	carrying := float64(fast.Busiest().Over(t.ask.Across.Bandwidth)) / float64(fast.Time)
	waiting := float64(fast.Rounds) * t.ask.Inside.Latency.Seconds() / float64(fast.Time)
	var all []string
	switch {
	case leanest && carrying > 0.3:
		all = append(all, t.t("topology.why.bytes", "Best", t.name(fast), "Busiest", t.bytes(fast.Busiest()), "Last", t.name(slow), "LastBusiest", t.bytes(slow.Busiest()), "Share", percent(carrying)))
	case fewest && waiting > 0.3:
		all = append(all, t.t("topology.why.rounds", "Best", t.name(fast), "Rounds", fast.Rounds, "Last", t.name(slow), "LastRounds", slow.Rounds))
	default:
		all = append(all, t.t("topology.why.both", "Best", t.name(fast), "Busiest", t.bytes(fast.Busiest()), "Rounds", fast.Rounds))
	}
	return append(all, t.whyOrder(), t.whyRings())
}

// whyOrder compares the same ring in both orders.
func (t across) whyOrder() string {
	order, round := t.ways[1], t.ways[2]
	slower := float64(round.Time) / float64(order.Time)
	values := []any{"Bytes", ratioText(float64(round.MostSent()) / float64(order.MostSent())), "Time", ratioText(slower), "G", t.ask.PerNode}
	if slower >= 1.1 {
		return t.t("topology.why.order", values...)
	}
	return t.t("topology.why.order.same", values...)
}

// whyRings says what several rings would do, which libraries for GPUs lay.
func (t across) whyRings() string {
	used := min(t.ask.NICs, t.ask.PerNode)
	if used == 1 {
		return t.t("topology.why.ring.one")
	}
	return t.t("topology.why.rings", "NICs", used, "Sent", t.bytes(t.ways[1].MostSent()), "Time", duration(t.ask.Rings()), "Ring", duration(t.ways[1].Time))
}

// least is the bound that nothing on these nodes undercuts.
func (t across) least() string {
	m := t.ask.Nodes
	return t.t("topology.least", "Time", duration(t.ask.Least()), "Less", m-1, "Nodes", m, "Size", t.ask.Size.String(), "Rate", t.ask.NodeRate().String())
}
