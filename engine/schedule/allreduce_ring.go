package schedule

// ringAllReduce sends n blocks round the ring twice: once adding, after which
// rank r owns the complete block r, once handing the complete blocks on. Each
// rank sends 2(n-1)/n of the vector, the least any algorithm can (Patarasuk
// and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
// workstations", 2009), and pays 2(n-1) latencies for it.
func ringAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "ring", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Ring,
		Rounds:   expression("2*(n-1)"),
		Messages: expression("2*n*(n-1)"),
		Sent:     expression("2*(n-1)/n*S"),
		Received: expression("2*(n-1)/n*S"),
		Terms: []Term{
			{"reduce-scatter", expression("n-1"), expression("(n-1)/n"), EveryPort},
			{"all-gather", expression("n-1"), expression("(n-1)/n"), EveryPort},
		},
		When:   "large vectors: every port carries the least possible, 2(n-1)/n of the vector, at the price of 2(n-1) latencies",
		chunks: perBlock,
		build:  buildRingAllReduce,
	}
}

func buildRingAllReduce(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	block := func(rank int, buf Buf, index int) place {
		return place{rank, buf, (index%n + n) % n * k}
	}
	b.begin(3*n*(n-1)+1, 0)
	b.nextRound()
	b.phase("reduce-scatter", OwnBlock)
	// Every block but the one that leaves first needs the own contribution in
	// out. One copy a block, so that each is as long as the message that is
	// added to it and slices line up.
	for r := range n {
		for i := range max(n-1, 1) {
			b.copy(block(r, In, r+i), block(r, Out, r+i), k)
		}
	}
	if n == 1 {
		b.s.Phases[0].Invariant = EveryoneHolds
		return
	}
	for s := 1; s < n; s++ {
		b.nextRound()
		for r := range n {
			from := Out
			if s == 1 {
				from = In // nothing has been added to it yet
			}
			b.reduce(block(r, from, r-s), block((r+1)%n, Out, r-s), k)
		}
	}
	for s := range n - 1 {
		b.nextRound()
		if s == 0 {
			b.phase("all-gather", EveryoneHolds)
		}
		for r := range n {
			b.copy(block(r, Out, r-s), block((r+1)%n, Out, r-s), k)
		}
	}
}
