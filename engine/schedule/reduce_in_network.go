package schedule

// inNetworkReduce leaves the adding up to the switches: every rank sends its
// vector once, the network combines them on the way and the root receives the
// sum once, as SHARP does (Graham et al., "Scalable hierarchical aggregation
// protocol (SHArP)", 2016). Hosts cannot do it, so it is shown and priced only.
func inNetworkReduce() Entry {
	return Entry{
		Collective: ReduceTo, Algorithm: "in-network", MinRanks: 1, MaxRanks: MaxRanks, Pieces: 1, Layout: Switch,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("min(n-1, 1)"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("min(n-1, 1)*S"),
		// One message: all ports send a vector at once, the root's receives one.
		Terms:  []Term{{"reduce", expression("1"), expression("1"), Chain}},
		When:   "switches that add up for the ranks: one latency and one vector whatever n",
		chunks: perVector,
		build:  buildInNetworkReduce,
	}
}

func buildInNetworkReduce(b *builder) {
	root, all := b.s.Root, b.s.Chunks
	b.begin(1, 0)
	b.nextRound()
	b.phase("reduce", RootHoldsAll)
	if b.s.Ranks == 1 {
		b.copy(place{root, In, 0}, place{root, Out, 0}, all)
		return
	}
	b.netReduce(everyRank(b.s.Ranks), place{0, In, 0}, place{root, Out, 0}, all)
}
