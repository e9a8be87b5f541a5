package schedule

// hierarchicalAllGather crosses between nodes first, as little as can be: every
// rank sends its block once to each other node, to the rank on the same rail,
// in turn x to the x-th node after its own. Then the ranks of a node, which
// hold everything together, pass it round a ring on the fast links.
func hierarchicalAllGather() Entry {
	return Entry{
		Collective: AllGather, Algorithm: "hierarchical", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Nodes: true, Pieces: 1, Layout: Nodes,
		Rounds:   expression("ceil(n/G)-1+min(G, n)-1"),
		Messages: expression(hierarchicalMessages),
		Sent:     expression("(1 if " + lastNodeShort + " else (n-1)/n)*S"),
		Received: expression("(n-1)/n*S"),
		// All messages across are ready at once: one latency and, for m nodes,
		// m-1 blocks. A ring in a full node takes a latency and a rail's blocks,
		// one per node, for each of its rounds. In a short last node a rank
		// serves up to ceil(G/γ) rails: what comes from across and the messages
		// of its ring are as many times longer, and that can be the longer way.
		// Exact for up to two nodes and where all are full; with more, and a
		// short one, the ways meet at the ports of its ranks, and messages that
		// are early hold up others: then this is what it takes at least.
		Terms: []Term{
			{"across-nodes", expression("min(ceil(n/G)-1, 1)"), expression("(ceil(n/G)-1)/n"), Chain},
			{"in-node", expression("min(n, G)-1"), expression("(min(n, G)-1)*ceil(n/G)/n"), Chain},
		},
		Detours: [][]Term{{
			{"across-nodes", expression("1 if " + lastNodeShort + " else 0"), expression("floor(n/G)*ceil(G/(n%G))/n if " + lastNodeShort + " else 0"), Chain},
			{"in-node", expression("n%G-1 if " + lastNodeShort + " else 0"), expression("(n%G-1)*(1+floor(n/G)*ceil(G/(n%G)))/n if " + lastNodeShort + " else 0"), Chain},
		}},
		Rough:  expression("n%G > 0 and n > 2*G"),
		When:   "nodes of several ranks with fast links inside: between two nodes each block travels once, on its rail",
		chunks: perBlock,
		build:  buildHierarchicalAllGather,
	}
}

// hierarchicalMessages is each rank's one to every other node, and a ring of γ
// ranks taking γ-1 rounds in each node.
const hierarchicalMessages = "n*(ceil(n/G)-1)+floor(n/G)*G*(G-1)+n%G*(n%G-1)"

// lastNodeShort is the condition that the last of several nodes is not full.
const lastNodeShort = "n%G > 0 and n > G"

func buildHierarchicalAllGather(b *builder) {
	n, v := b.s.Ranks, b.nodes()
	k := b.s.Chunks / n
	m := v.count()
	b.begin(n*n, 0)
	b.nextRound()
	if m > 1 {
		b.phase("across-nodes", NodesHoldAll)
	} else {
		b.phase("in-node", EveryoneHolds)
	}
	for r := range n {
		b.copy(place{r, In, 0}, place{r, Out, r * k}, k)
	}
	for turn := 1; turn < m; turn++ {
		if turn > 1 {
			b.nextRound()
		}
		for r := range n {
			node, l := v.of(r)
			b.copy(place{r, In, 0}, place{v.rail((node+turn)%m, l), Out, r * k}, k)
		}
	}
	for s := range v.rails() - 1 {
		if m > 1 || s > 0 {
			b.nextRound()
		}
		if m > 1 && s == 0 {
			b.phase("in-node", EveryoneHolds)
		}
		for r := range n {
			node, l := v.of(r)
			size := v.size(node)
			if s >= size-1 {
				continue
			}
			// What came to the rank s places back, which had it from across.
			for other := range m {
				for _, owner := range v.clients(v.rail(node, l-s+size), other) {
					from := place{r, Out, owner * k}
					if owner == r {
						from = place{r, In, 0}
					}
					b.copy(from, place{v.rail(node, l+1), Out, owner * k}, k)
				}
			}
		}
	}
	if v.rails() == 1 {
		b.s.Phases[0].Invariant = EveryoneHolds
	}
}
