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
	// Order says where ranks sit: rank r takes place Order[r], and node v has
	// places v·PerNode and on. It holds every place once; nil seats rank r at
	// place r. A schedule that looks at nodes takes ranks to sit in their order.
	Order []int
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
	if f.Order != nil {
		taken := make([]bool, len(f.Order))
		for rank, place := range f.Order {
			if place < 0 || place >= len(taken) || taken[place] {
				return &schedule.RequestError{Field: "order", Message: fmt.Sprintf("rank %d at place %d of %d; accepted: each place from 0 on, once", rank, place, len(taken))}
			}
			taken[place] = true
		}
	}
	if err := f.Inside.Check(); err != nil {
		return err
	}
	return f.Across.Check()
}

// fits returns a *schedule.RequestError when f seats another number of ranks.
func (f *Fabric) fits(ranks int) error {
	if f.Order != nil && len(f.Order) != ranks {
		return &schedule.RequestError{Field: "order", Message: fmt.Sprintf("an order of %d ranks; accepted: of %d", len(f.Order), ranks)}
	}
	return f.Check()
}

// Place returns where a rank sits; see Order.
func (f *Fabric) Place(rank int) int {
	if f.Order == nil {
		return rank
	}
	return f.Order[rank]
}

// Seat returns the node of a rank and the NIC there that it uses.
func (f *Fabric) Seat(rank int) (node, nic int) {
	place := f.Place(rank)
	return place / f.PerNode, place % f.PerNode % f.NICs
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
		if f.within(m.srcs, m.dsts) {
			w.ways[i] = way{latency: unit.FromDuration(f.Inside.Latency), rate: f.Inside.Bandwidth}
			continue
		}
		across := way{latency: unit.FromDuration(f.Across.Latency), rate: f.Across.Bandwidth}
		for direction, ranks := range [][]int{m.srcs, m.dsts} {
			seen := map[int]bool{}
			for _, rank := range ranks {
				node, nic := f.Seat(rank)
				if shared {
					across.use(link(node, nic, direction, f.Across.Bandwidth))
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
func (f *Fabric) within(srcs, dsts []int) bool {
	home, _ := f.Seat(srcs[0])
	for _, ranks := range [][]int{srcs, dsts} {
		for _, rank := range ranks {
			if node, _ := f.Seat(rank); node != home {
				return false
			}
		}
	}
	return true
}
