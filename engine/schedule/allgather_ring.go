package schedule

// ringAllGather hands every block round the ring: in each round a rank passes
// on the block that it got in the round before. All messages go to the one
// neighbour, so a ring laid along the wires never crosses itself.
func ringAllGather() Entry {
	return Entry{
		Collective: AllGather, Algorithm: "ring", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Ring,
		Rounds:   expression("n-1"),
		Messages: expression("n*(n-1)"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		Terms:    []Term{{"all-gather", expression("n-1"), expression("(n-1)/n"), EveryPort}},
		When:     "large blocks: every port carries the least possible, and only between neighbours, at the price of n-1 latencies",
		chunks:   perBlock,
		build:    buildRingAllGather,
	}
}

func buildRingAllGather(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	b.begin(n*n, 0)
	b.nextRound()
	b.phase("all-gather", EveryoneHolds)
	for r := range n {
		b.copy(place{r, In, 0}, place{r, Out, r * k}, k)
	}
	for s := range n - 1 {
		if s > 0 {
			b.nextRound()
		}
		for r := range n {
			index := (r - s + n) % n * k
			from := place{r, Out, index}
			if s == 0 {
				from = place{r, In, 0}
			}
			b.copy(from, place{(r + 1) % n, Out, index}, k)
		}
	}
}
