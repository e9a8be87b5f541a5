package sizing

import (
	"fmt"
	"slices"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// MaxTopologyRanks bounds what a Topology plays: more take too long for a
// page.
const MaxTopologyRanks = 64

// Topology is an all-reduce on equal nodes.
type Topology struct {
	Nodes, PerNode   int        // at least one of each, MaxTopologyRanks together
	NICs             int        // of a node; its i-th rank uses NIC i mod NICs
	Size             unit.Bytes // of the vector
	Inside, Across   cost.Network
	Oversubscription float64 // see sim.Fabric
}

// Crossing is one way to do it, played.
type Crossing struct {
	Algorithm   string
	Interleaved bool  // ranks sit round the nodes and not node by node
	Ranks       []int // which rank sits at each place; node v has places v·PerNode and on
	Chunks      int   // pieces that the vector is cut into, as in a schedule.Request
	Rounds      int
	Time        unit.Seconds
	Nodes       []sim.Crossing // what passes between each and the others
	Hops        []Hop
}

// Hop is what one rank sends another.
type Hop struct {
	From, To int // places
	Across   bool
	Bytes    unit.Bytes
}

// Busiest returns what the busiest NIC sends or receives, whichever is more.
func (c Crossing) Busiest() unit.Bytes {
	most := unit.Bytes(0)
	for _, node := range c.Nodes {
		for _, nic := range node.NICs {
			most = max(most, nic.Sent, nic.Received)
		}
	}
	return most
}

// MostSent returns what the node sends that sends most.
func (c Crossing) MostSent() unit.Bytes {
	most := unit.Bytes(0)
	for _, node := range c.Nodes {
		most = max(most, node.Sent)
	}
	return most
}

// treePieces are the numbers of pieces that the double binary tree is tried
// with: it is fast only where pieces follow one another closely.
var treePieces = []int{4, 32}

// elementWidth is that of float32.
const elementWidth = 4

// Compare plays the ways to do it: one that keeps what it can within nodes, a
// ring in the order of the nodes, the same ring over ranks that sit round the
// nodes, and a double binary tree, in this order. Errors are, or wrap,
// *schedule.RequestError.
func (t Topology) Compare() ([]Crossing, error) {
	if t.Nodes < 1 || t.PerNode < 1 || t.Nodes*t.PerNode > MaxTopologyRanks {
		return nil, refuse("ranks", "%d nodes of %d ranks; accepted: up to %d ranks", t.Nodes, t.PerNode, MaxTopologyRanks)
	}
	var all []Crossing
	for _, way := range []struct {
		algorithm   string
		interleaved bool
		pieces      []int
	}{
		{"hierarchical", false, []int{1}},
		{"ring", false, []int{1}},
		{"ring", true, []int{1}},
		{"double-binary-tree", false, treePieces},
	} {
		var best Crossing
		for _, pieces := range way.pieces {
			c, err := t.play(way.algorithm, way.interleaved, pieces)
			if err != nil {
				return nil, err
			}
			if best.Algorithm == "" || c.Time < best.Time {
				best = c
			}
		}
		all = append(all, best)
	}
	return all, nil
}

func (t Topology) play(algorithm string, interleaved bool, pieces int) (Crossing, error) {
	n := t.Nodes * t.PerNode
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: algorithm, Ranks: n, RanksPerNode: t.PerNode, Chunks: pieces})
	if err != nil {
		return Crossing{}, fmt.Errorf("compare ways across nodes: %w", err)
	}
	f := &sim.Fabric{PerNode: t.PerNode, Inside: t.Inside, Across: t.Across, NICs: t.NICs, Oversubscription: t.Oversubscription}
	if interleaved {
		f.Order = sim.Interleaved(t.Nodes, t.PerNode)
	}
	line, err := sim.Play(s, sim.Setup{Elements: int(t.Size) / elementWidth, Width: elementWidth, Fabric: f})
	if err != nil {
		return Crossing{}, fmt.Errorf("compare ways across nodes: %w", err)
	}
	seated := make([]int, n)
	for rank := range n {
		seated[f.Place(rank)] = rank
	}
	return Crossing{
		Algorithm: algorithm, Interleaved: interleaved, Ranks: seated, Chunks: pieces, Rounds: s.Rounds(), Time: line.Time,
		Nodes: f.Crossings(line, n), Hops: t.hops(line, f),
	}, nil
}

// hops adds up what each rank sends each other, in the order of places.
func (t Topology) hops(line *sim.Timeline, f *sim.Fabric) []Hop {
	bytes := map[[2]int]unit.Bytes{}
	for i := range line.Transfers {
		x := &line.Transfers[i]
		bytes[[2]int{f.Place(x.Src), f.Place(x.Dst)}] += unit.Bytes(x.Bytes)
	}
	hops := make([]Hop, 0, len(bytes))
	for ends, b := range bytes {
		hops = append(hops, Hop{From: ends[0], To: ends[1], Across: ends[0]/t.PerNode != ends[1]/t.PerNode, Bytes: b})
	}
	slices.SortFunc(hops, func(a, b Hop) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return a.To - b.To
	})
	return hops
}

// NodeRate is what a node can send at once, each way: through the NICs that
// its ranks use, and through its uplink.
func (t Topology) NodeRate() unit.Rate {
	nics := t.Across.Bandwidth * unit.Rate(min(t.NICs, t.PerNode))
	return min(nics, t.Across.Bandwidth*unit.Rate(t.NICs)/unit.Rate(max(t.Oversubscription, 1)))
}

// Least is the time that no all-reduce by the ranks themselves can undercut
// across m nodes, however it goes: together they send 2(m-1) vectors, so one of
// them sends at least 2(m-1)/m. Latency is left out.
func (t Topology) Least() unit.Seconds { return t.through(t.Nodes) }

// Rings is the same for several rings, each over all n ranks and in the order
// of the nodes, that leave a node by different NICs and carry equal shares, as
// libraries for GPUs lay them: 2(n-1)/n of the vector through each node.
func (t Topology) Rings() unit.Seconds { return t.through(t.Nodes * t.PerNode) }

// through is 2(n-1)/n of the vector at a node's rate; nothing crosses where
// there is one node.
func (t Topology) through(n int) unit.Seconds {
	if t.Nodes == 1 {
		return 0
	}
	return unit.Seconds(2 * float64(n-1) / float64(n) * float64(t.Size) / float64(t.NodeRate()))
}
