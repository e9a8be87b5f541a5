package schedule

// pairwiseReduceScatter hands every contribution straight to the rank that
// needs it, in turn x from rank r to r+x, so that no two meet at a receiver
// (MPICH's and Open MPI's pairwise reduce-scatter). Contributions are added in
// the order of the turns; no message waits for another, so there is one
// latency.
func pairwiseReduceScatter() Entry {
	return Entry{
		Collective: ReduceScatter, Algorithm: "pairwise", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("n-1"),
		Messages: expression("n*(n-1)"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		// What is sent is each rank's own input: messages leave back to back.
		Terms:  []Term{{"reduce-scatter", expression("1"), expression("(n-1)/n"), EveryPort}},
		When:   "few ranks on a switch that joins all at full rate: nothing waits and no scratch is needed, but every rank sends to every other",
		chunks: perBlock,
		build:  buildPairwiseReduceScatter,
	}
}

func buildPairwiseReduceScatter(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	b.begin(n*n, 0)
	b.nextRound()
	b.phase("reduce-scatter", OwnBlock)
	for r := range n {
		b.copy(place{r, In, r * k}, place{r, Out, 0}, k)
	}
	for distance := 1; distance < n; distance++ {
		b.nextRound()
		for r := range n {
			to := (r + distance) % n
			b.reduce(place{r, In, to * k}, place{to, Out, 0}, k)
		}
	}
}
