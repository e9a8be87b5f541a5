package schedule

// directAllGather has every rank send its block to every other, each beginning
// with its neighbour so that no two meet at a receiver: in each turn every port
// carries one block. No block waits for another, so there is one latency.
func directAllGather() Entry {
	return Entry{
		Collective: AllGather, Algorithm: "direct", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n*(n-1)"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		Terms:    []Term{{"all-gather", expression("1"), expression("(n-1)/n"), EveryPort}},
		When:     "few ranks on a switch that joins all at full rate: one latency, but n-1 messages at once for every rank",
		chunks:   perBlock,
		build:    buildDirectAllGather,
	}
}

func buildDirectAllGather(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	b.begin(n*n, 0)
	b.nextRound()
	b.phase("all-gather", EveryoneHolds)
	for distance := range n { // 0 is the own copy
		for r := range n {
			b.copy(place{r, In, 0}, place{(r + distance) % n, Out, r * k}, k)
		}
	}
}
