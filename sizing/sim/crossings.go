package sim

import "lockstep/engine/unit"

// Crossing is what passes between a node and the others, in bytes.
type Crossing struct {
	Sent, Received unit.Bytes
	NICs           []Passage // by NIC; a node of few ranks may leave some idle
}

// Passage is what one NIC carries, in bytes.
type Passage struct{ Sent, Received unit.Bytes }

// Crossings adds up what t carries between the nodes of f, which it was played
// on, for so many ranks; what stays inside a node is left out. The network's
// own work counts once for every NIC that it passes, and so does a node's sum.
func (f *Fabric) Crossings(t *Timeline, ranks int) []Crossing {
	all := make([]Crossing, (ranks+f.PerNode-1)/f.PerNode)
	for i := range all {
		all[i].NICs = make([]Passage, f.NICs)
	}
	for i := range t.Transfers {
		x := &t.Transfers[i]
		if f.within(x.Srcs, x.Dsts) {
			continue
		}
		bytes := unit.Bytes(x.Bytes)
		for _, rank := range x.Srcs {
			node, nic := f.Seat(rank)
			all[node].Sent += bytes
			all[node].NICs[nic].Sent += bytes
		}
		for _, rank := range x.Dsts {
			node, nic := f.Seat(rank)
			all[node].Received += bytes
			all[node].NICs[nic].Received += bytes
		}
	}
	return all
}

// Interleaved is an order of ranks that goes round the nodes instead of
// filling one after the other: rank r sits on node r mod nodes. A ring then
// leaves a node with every hop.
func Interleaved(nodes, perNode int) []int {
	order := make([]int, nodes*perNode)
	for rank := range order {
		order[rank] = rank%nodes*perNode + rank/nodes
	}
	return order
}
