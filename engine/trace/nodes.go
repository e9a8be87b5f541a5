package trace

import (
	"fmt"
	"slices"
	"strings"
)

// Encryption says how edges between ranks of different nodes are protected.
// Either way both ends prove that they hold the run's key.
type Encryption string

// The kinds of protection.
const (
	Sealed Encryption = "on"  // encrypted and authenticated, frame by frame
	Plain  Encryption = "off" // in the clear, authenticated when the edge is made
)

// maxNodeName bounds a node's name, in bytes.
const maxNodeName = 64

// spread settles where the ranks of a run on nodes are: block-wise, PerNode to
// a node, the last node may be short. Ranks is in range.
func (s *Spec) spread() error {
	n := len(s.Nodes)
	for i, name := range s.Nodes {
		switch {
		case name == "" || len(name) > maxNodeName || strings.ContainsFunc(name, unprintable):
			return &FieldError{"nodes", fmt.Sprintf("%q is no name of a node; accepted: 1 to %d printable characters without blanks and commas", name, maxNodeName)}
		case slices.Contains(s.Nodes[:i], name):
			return &FieldError{"nodes", fmt.Sprintf("node %s is named twice; accepted: each node once", name)}
		}
	}
	switch {
	case n <= 1:
		s.Encryption = "" // nothing leaves the machine
		return nil
	case n > s.Ranks:
		return &FieldError{"nodes", fmt.Sprintf("%d nodes for %d ranks; accepted: as many nodes as ranks at most", n, s.Ranks)}
	case s.PerNode < 0:
		return &FieldError{"ranks-per-node", fmt.Sprintf("%d ranks per node; accepted: 1 or more", s.PerNode)}
	}
	if s.PerNode == 0 {
		s.PerNode = (s.Ranks + n - 1) / n
	}
	if taken := (s.Ranks-1)/s.PerNode + 1; taken != n {
		return &FieldError{"nodes", fmt.Sprintf("%d ranks, %d to a node, are on %d nodes, but %d are named; accepted: %d nodes, or another number of ranks per node",
			s.Ranks, s.PerNode, taken, n, taken)}
	}
	if s.Encryption == "" {
		s.Encryption = Sealed
	}
	return nil
}

func unprintable(r rune) bool { return r <= ' ' || r == ',' || r == 0x7f || r == '\ufffd' }

// NodeOf returns which of the nodes a rank is on, by index; 0 where the ranks
// are on one machine. The spec is resolved.
func (s Spec) NodeOf(rank int) int { return nodeOf(rank, len(s.Nodes), s.PerNode) }

// NodeName returns the name of the node that a rank is on, "" where it is a
// process of the console's own machine. The spec is resolved.
func (s Spec) NodeName(rank int) string { return nodeName(s.Nodes, s.NodeOf(rank)) }

// RanksOn returns the ranks on the node with an index, as first and one beyond
// the last. The spec is resolved.
func (s Spec) RanksOn(node int) (first, end int) {
	if len(s.Nodes) <= 1 {
		return 0, s.Ranks
	}
	return min(node*s.PerNode, s.Ranks), min((node+1)*s.PerNode, s.Ranks)
}

// NodeOf returns which of its nodes a rank of the run was on, by index in
// NodeNames; 0 where the ranks were on one machine.
func (r *Run) NodeOf(rank int) int { return nodeOf(rank, len(r.NodeNames), r.PerNode) }

// NodeName returns the name of the node that a rank of the run was on, "" where
// it was a process of the console's own machine.
func (r *Run) NodeName(rank int) string { return nodeName(r.NodeNames, r.NodeOf(rank)) }

func nodeOf(rank, nodes, perNode int) int {
	if nodes <= 1 || perNode <= 0 {
		return 0
	}
	return min(rank/perNode, nodes-1)
}

func nodeName(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}
