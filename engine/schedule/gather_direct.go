package schedule

// directGather has every rank send its block to the root, the mirror of the
// direct scatter: the root's receiving port is the queue, and it must carry
// n-1 blocks whatever the algorithm.
func directGather() Entry {
	return Entry{
		Collective: Gather, Algorithm: "direct", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n-1"),
		Sent:     expression("min(n-1, 1)/n*S"),
		Received: expression("(n-1)/n*S"),
		// All are ready at once and enter one after the other; the last is
		// delivered one latency after it has left.
		Terms:  []Term{{"gather", expression("1"), expression("(n-1)/n"), RootReceives}},
		When:   "always, as long as the root can take n-1 messages at once: one latency, and the root receives no more than it must",
		chunks: perBlock,
		build:  buildDirectGather,
	}
}

func buildDirectGather(b *builder) {
	n, root := b.s.Ranks, b.s.Root
	k := b.s.Chunks / n
	b.begin(n, 0)
	b.nextRound()
	b.phase("gather", RootHoldsAll)
	for i := range n {
		r := (root + i) % n
		b.copy(place{r, In, 0}, place{root, Out, r * k}, k)
	}
}
