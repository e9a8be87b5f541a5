package schedule

// hierarchicalReduceScatter adds up within the nodes first, on the fast links:
// a ring leaves every rank with its node's sum of the blocks on its rails. Only
// these sums cross, each once from every node to the block's owner, in turn x
// to the x-th node after the own.
func hierarchicalReduceScatter() Entry {
	return Entry{
		Collective: ReduceScatter, Algorithm: "hierarchical", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Nodes: true, Pieces: 1, Layout: Nodes,
		Rounds:   expression("ceil(n/G)-1+min(G, n)-1"),
		Messages: expression(hierarchicalMessages),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(1 if " + lastNodeShort + " else (n-1)/n)*S"),
		// The ways of the all-gather, backwards: a ring in a node takes a latency
		// and a rail's blocks, one per node, for each of its rounds, then m-1
		// blocks leave at once for one latency; in a short last node a rank
		// serves up to ceil(G/γ) rails and has as many times more to carry.
		// Exact where all nodes are full; with a short one its sums can be early
		// and hold up the rings of the others: then this is the least.
		Terms: []Term{
			{"in-node", expression("min(n, G)-1"), expression("(min(n, G)-1)*ceil(n/G)/n"), Chain},
			{"across-nodes", expression("min(ceil(n/G)-1, 1)"), expression("(ceil(n/G)-1)/n"), Chain},
		},
		Detours: [][]Term{{
			{"in-node", expression("n%G-1 if " + lastNodeShort + " else 0"), expression("(n%G-1)*(1+floor(n/G)*ceil(G/(n%G)))/n if " + lastNodeShort + " else 0"), Chain},
			{"across-nodes", expression("1 if " + lastNodeShort + " else 0"), expression("floor(n/G)*ceil(G/(n%G))/n if " + lastNodeShort + " else 0"), Chain},
		}},
		Rough:  expression(lastNodeShort),
		When:   "nodes of several ranks with fast links inside: between two nodes the sum of each block travels once, on its rail",
		chunks: perBlock,
		build:  buildHierarchicalReduceScatter,
	}
}

func buildHierarchicalReduceScatter(b *builder) {
	n, v := b.s.Ranks, b.nodes()
	k := b.s.Chunks / n
	m := v.count()
	// sum is where rank r adds up a block: in its out if the block is its own.
	sum := func(r, index int) place {
		if index == r {
			return place{r, Out, 0}
		}
		return place{r, Tmp, index * k}
	}
	b.begin(2*n*n, b.s.Chunks)
	b.nextRound()
	b.phase("in-node", NodesHoldSums)
	for r := range n {
		node, l := v.of(r)
		size := v.size(node)
		for i := range max(size-1, 1) { // all rails' blocks but those that leave first
			for other := range m {
				for _, owner := range v.clients(v.rail(node, l+i), other) {
					if size > 1 || owner == r {
						b.copy(place{r, In, owner * k}, sum(r, owner), k)
					}
				}
			}
		}
	}
	for s := 1; s < v.rails(); s++ {
		b.nextRound()
		for r := range n {
			node, l := v.of(r)
			size := v.size(node)
			if s >= size {
				continue
			}
			next := v.rail(node, l+1)
			for other := range m {
				for _, owner := range v.clients(v.rail(node, l-s+size), other) {
					from := sum(r, owner)
					if s == 1 {
						from = place{r, In, owner * k} // nothing has been added to it yet
					}
					b.reduce(from, sum(next, owner), k)
				}
			}
		}
	}
	for turn := 1; turn < m; turn++ {
		b.nextRound()
		if turn == 1 {
			b.phase("across-nodes", OwnBlock)
		}
		for r := range n {
			node, _ := v.of(r)
			for _, owner := range v.clients(r, (node+turn)%m) {
				from := sum(r, owner)
				if v.size(node) == 1 {
					from = place{r, In, owner * k}
				}
				b.reduce(from, place{owner, Out, 0}, k)
			}
		}
	}
	if m == 1 {
		b.s.Phases[0].Invariant = OwnBlock
	}
}
