package schedule

// hierarchicalAllToAll makes few, large messages across nodes: the ranks of a
// node first bring together, on the rank of each rail, the blocks for the
// ranks on that rail of the other nodes; then that rank sends each of them one
// message with the blocks of its whole node, in turn x to the x-th node after
// its own. Between two nodes the blocks travel once, on their rails (NCCL's
// PXN, "Doubling all2all performance with NVIDIA Collective Communication
// Library 2.12", 2022; DeepSpeed-MoE's hierarchical all-to-all).
func hierarchicalAllToAll() Entry {
	return Entry{
		Collective: AllToAll, Algorithm: "hierarchical", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Nodes: true, Pieces: 1, Layout: Nodes,
		Rounds:   expression("ceil(n/G)-1+min(n, G)-1"),
		Messages: expression(hierarchicalMessages),
		Sent:     expression(hierarchicalAllToAllBytes),
		Received: expression(hierarchicalAllToAllBytes),
		// What goes to one rank inside is one message, so all messages across
		// wait for the last inside: one latency each way, and at a port of a full
		// node g-1 messages of m blocks, then m-1 of g. The rank of a short node
		// that serves ceil(G/γ) rails has more to bring together and to send.
		// Exact where all nodes are full; with one full and one short node, where
		// the rails spread evenly over the short one's ranks, or those are three
		// at most. Elsewhere messages of unequal length leave ports idle at times,
		// and this is what it takes at least.
		Terms: []Term{
			{"in-node", expression("min(min(n, G)-1, 1)"), expression("(min(n, G)-1)*ceil(n/G)/n"), Chain},
			{"across-nodes", expression("min(ceil(n/G)-1, 1)"), expression("(ceil(n/G)-1)*min(n, G)/n"), Chain},
		},
		Detours: [][]Term{{
			{"in-node", expression("min(n%G-1, 1) if " + lastNodeShort + " else 0"), expression("(n%G-1)*(1+floor(n/G)*ceil(G/(n%G)))/n if " + lastNodeShort + " else 0"), Chain},
			{"across-nodes", expression("1 if " + lastNodeShort + " else 0"), expression("floor(n/G)*ceil(G/(n%G))*(n%G)/n if " + lastNodeShort + " else 0"), Chain},
		}},
		Rough:  expression("(n > 2*G or n%G > 3 and G%(n%G) > 0) if " + lastNodeShort + " else 0"),
		When:   "small blocks on many nodes: G times fewer messages between nodes, each G times as long, for one more hop inside",
		chunks: perBlock,
		build:  buildHierarchicalAllToAll,
	}
}

// hierarchicalAllToAllBytes: a rank of a full node sends (g-1)·m blocks inside
// and n-g across; where the last of m nodes is short, with γ ranks, its rank
// that serves ceil(G/γ) rails may carry more.
const hierarchicalAllToAllBytes = "max(n-min(n, G)+(min(n, G)-1)*ceil(n/G), " +
	"n-1+(n%G-1)*(ceil(n/G)-1)*ceil(G/(n%G)) if " + lastNodeShort + " else 0)/n*S"

func buildHierarchicalAllToAll(b *builder) {
	n, at := b.s.Ranks, b.nodes()
	k := b.s.Chunks / n
	m, g := at.count(), at.rails()
	b.begin(n*n+n*g, 2*b.s.Chunks)
	b.nextRound()
	switch {
	case m == 1:
		b.phase("in-node", EveryoneHolds)
	case g > 1:
		b.phase("in-node", NoInvariant)
	default:
		b.phase("across-nodes", EveryoneHolds)
	}
	// gathered is where a node's blocks for one rank of another node come
	// together, in the order of the node's ranks, on the rank on its rail.
	gathered := func(node, to int) place {
		other, l := at.of(to)
		turn, size := (other-node+m)%m, at.size(node)
		return place{at.rail(node, l), Tmp, ((turn-1)*((g+size-1)/size) + l/size) * size * k}
	}
	// Within a node, each rank in turn to the one x places on: its own block
	// and those for the ranks on its rails.
	for x := range g {
		if x > 1 {
			b.nextRound()
		}
		for r := range n {
			node, l := at.of(r)
			if x >= at.size(node) {
				continue
			}
			peer := at.rail(node, l+x)
			for turn := range m {
				for _, to := range at.clients(peer, (node+turn)%m) {
					switch {
					case to == peer:
						b.copy(place{r, In, to * k}, place{to, Out, r * k}, k)
					case at.size(node) > 1: // a rank alone sends straight from in
						b.copy(place{r, In, to * k}, gathered(node, to).plus(l*k), k)
					}
				}
			}
		}
	}
	for turn := 1; turn < m; turn++ {
		if g > 1 || turn > 1 {
			b.nextRound()
		}
		if g > 1 && turn == 1 {
			b.phase("across-nodes", EveryoneHolds)
		}
		for r := range n {
			node, _ := at.of(r)
			for _, to := range at.clients(r, (node+turn)%m) {
				from := gathered(node, to)
				if at.size(node) == 1 {
					from = place{r, In, to * k}
				}
				b.copy(from, place{to, Out, at.first(node) * k}, at.size(node)*k)
			}
		}
	}
}
