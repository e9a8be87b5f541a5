package schedule

// hierarchicalBroadcast crosses the network between nodes once per node: a
// binomial tree over one leader of each, then one inside every node. The root
// leads its own node, the first rank every other.
func hierarchicalBroadcast() Entry {
	return Entry{
		Collective: Broadcast, Algorithm: "hierarchical", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Nodes: true, Pieces: 1, Layout: Nodes,
		Rounds:   expression("ceil(log2(ceil(n/G)))+ceil(log2(min(G, n)))+k-1 if n > 1 else 0"),
		Messages: expression("(n-1)*k"),
		Sent:     expression("(ceil(log2(ceil(n/G)))+ceil(log2(min(G, n))))*S"),
		Received: expression("min(n-1, 1)*S"),
		// As in binomialBroadcast, along the labels of the nodes and then along
		// those in a node: a leader sends inside when it has sent across. A short
		// last node can be the one with most hops across: it is the other way.
		// For one chunk; more overlap the phases.
		Terms: []Term{
			{"across-nodes", expression("floor(log2(floor(n/min(G, n))))"), expression("ceil(log2(ceil(n/G)))"), Chain},
			{"in-node", expression("floor(log2(min(G, n)))"), expression("ceil(log2(min(G, n)))"), Chain},
		},
		Detours: [][]Term{{
			{"across-nodes", expression("floor(log2(ceil(n/G)))"), expression("ceil(log2(ceil(n/G)))"), Chain},
			{"in-node", expression("floor(log2(n%min(G, n))) if n%min(G, n) > 0 else 0"), expression("ceil(log2(n%min(G, n))) if n%min(G, n) > 0 else 0"), Chain},
		}},
		Rough:  expression("k > 1"),
		When:   "several ranks a node and links between nodes much slower than inside: each node's data crosses once",
		chunks: perVector,
		build:  buildHierarchicalBroadcast,
	}
}

func buildHierarchicalBroadcast(b *builder) {
	across, inNode := b.nodeTrees()
	f := b.flow(append(across, inNode...), 0, b.s.Chunks)
	b.begin((b.s.Ranks-1)*b.s.Chunks+1, 0)
	b.nextRound()
	b.phase("across-nodes", LeadersHoldAll)
	b.copy(place{b.s.Root, In, 0}, place{b.s.Root, Out, 0}, b.s.Chunks)
	for round := range f.rounds() {
		if round > 0 {
			b.nextRound()
		}
		if round == b.flow(across, 0, b.s.Chunks).rounds() {
			b.phase("in-node", EveryoneHolds)
		}
		b.broadcastRound(round, f)
	}
}
