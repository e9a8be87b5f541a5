package schedule

// ringReduceScatter sends every block once round the ring, each rank adding its
// own contribution as the block comes by; block b sets out at rank b+1, so
// after n-1 hops it is complete at rank b. The first half of the ring
// all-reduce (Patarasuk and Yuan, 2009).
func ringReduceScatter() Entry {
	return Entry{
		Collective: ReduceScatter, Algorithm: "ring", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Ring,
		Rounds:   expression("n-1"),
		Messages: expression("n*(n-1)"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		Terms:    []Term{{"reduce-scatter", expression("n-1"), expression("(n-1)/n"), EveryPort}},
		When:     "large vectors: every port carries the least possible, and only between neighbours, at the price of n-1 latencies",
		chunks:   perBlock,
		build:    buildRingReduceScatter,
	}
}

func buildRingReduceScatter(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	// sum is where rank r adds up a block: in its out if the block is its own.
	sum := func(r, index int) place {
		if index == r {
			return place{r, Out, 0}
		}
		return place{r, Tmp, index * k}
	}
	b.begin(2*n*n, b.s.Chunks)
	b.nextRound()
	b.phase("reduce-scatter", OwnBlock)
	// Every block but the one that leaves first needs the own contribution in
	// place. One copy a block, so that slices line up with the messages.
	for r := range n {
		for i := range max(n-1, 1) {
			index := (r + i) % n
			b.copy(place{r, In, index * k}, sum(r, index), k)
		}
	}
	for s := 1; s < n; s++ {
		b.nextRound()
		for r := range n {
			index := (r - s + n) % n
			from := sum(r, index)
			if s == 1 {
				from = place{r, In, index * k} // nothing has been added to it yet
			}
			b.reduce(from, sum((r+1)%n, index), k)
		}
	}
}
