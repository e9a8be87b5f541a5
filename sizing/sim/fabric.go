package sim

import (
	"fmt"
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Fabric is a network of two tiers: nodes, within which ranks are close, and
// what connects the nodes. Each rank still has one port, which sends one
// message and receives one at a time; what leaves a node also passes through
// one of its NICs and, where the fabric is oversubscribed, through the node's
// uplink. Messages that meet on a NIC or an uplink share it fairly: all get
// faster together until a link of theirs is full (max-min fairness).
type Fabric struct {
	PerNode int          // ranks of a node; node v holds ranks v·PerNode and on, the last may be short
	Inside  cost.Network // between two ranks of a node; the bandwidth is of a rank's port
	Across  cost.Network // between nodes; the bandwidth is of one NIC
	NICs    int          // of a node; its i-th rank uses NIC i mod NICs
	// Oversubscription is what the NICs of a node carry together over what its
	// uplink does, each way; 0 and 1 mean an uplink that is never the
	// bottleneck. The network's own work crosses an uplink once for a node.
	Oversubscription float64
}

// Check returns a *schedule.RequestError when f is not a fabric.
func (f *Fabric) Check() error {
	switch {
	case f.PerNode < 1:
		return &schedule.RequestError{Field: "ranks_per_node", Message: fmt.Sprintf("%d ranks per node; accepted: 1 or more", f.PerNode)}
	case f.NICs < 1:
		return &schedule.RequestError{Field: "nics", Message: fmt.Sprintf("%d NICs per node; accepted: 1 or more", f.NICs)}
	case f.Oversubscription != 0 && !(f.Oversubscription >= 1) || math.IsInf(f.Oversubscription, 0):
		return &schedule.RequestError{Field: "oversubscription", Message: fmt.Sprintf("an oversubscription of %v; accepted: 1 or more", f.Oversubscription)}
	}
	if err := f.Inside.Check(); err != nil {
		return err
	}
	return f.Across.Check()
}

// wires says how each message travels.
type wires struct {
	ways  []way // by message
	links []unit.Rate
}

// way is what one message meets.
type way struct {
	latency unit.Seconds
	rate    unit.Rate // of the ports, and of a NIC
	uses    []use     // of links that others may use meanwhile
}

// use is a share of a link: that many copies of the message cross it.
type use struct {
	link   int32
	copies float64
}

func newWires(g *graph, setup Setup) wires {
	w := wires{ways: make([]way, len(g.messages))}
	f := setup.Fabric
	if f == nil {
		flat := way{latency: unit.FromDuration(setup.Network.Latency), rate: setup.Network.Bandwidth}
		for i := range w.ways {
			w.ways[i] = flat
		}
		return w
	}
	shared := f.NICs < f.PerNode
	uplinks := f.Oversubscription > 1
	index := map[[3]int]int32{} // node, NIC (-1 for the uplink), direction
	link := func(node, nic, direction int, rate unit.Rate) int32 {
		key := [3]int{node, nic, direction}
		at, ok := index[key]
		if !ok {
			at = int32(len(w.links))
			index[key] = at
			w.links = append(w.links, rate)
		}
		return at
	}
	for i := range g.messages {
		m := &g.messages[i]
		if f.within(m) {
			w.ways[i] = way{latency: unit.FromDuration(f.Inside.Latency), rate: f.Inside.Bandwidth}
			continue
		}
		across := way{latency: unit.FromDuration(f.Across.Latency), rate: f.Across.Bandwidth}
		for direction, ranks := range [][]int{m.srcs, m.dsts} {
			seen := map[int]bool{}
			for _, rank := range ranks {
				node := rank / f.PerNode
				if shared {
					across.use(link(node, rank%f.PerNode%f.NICs, direction, f.Across.Bandwidth))
				}
				if uplinks && !seen[node] {
					seen[node] = true
					across.use(link(node, -1, direction, unit.Rate(float64(f.Across.Bandwidth)*float64(f.NICs)/f.Oversubscription)))
				}
			}
		}
		w.ways[i] = across
	}
	return w
}

func (w *way) use(link int32) {
	for i := range w.uses {
		if w.uses[i].link == link {
			w.uses[i].copies++
			return
		}
	}
	w.uses = append(w.uses, use{link, 1})
}

// within reports whether all ends of a message are on one node.
func (f *Fabric) within(m *message) bool {
	node := m.srcs[0] / f.PerNode
	for _, ranks := range [][]int{m.srcs, m.dsts} {
		for _, rank := range ranks {
			if rank/f.PerNode != node {
				return false
			}
		}
	}
	return true
}
