package schedule

// rootReduceScatter reduces everything at rank 0, which then sends every rank
// its block: a reduce-scatter for those who have only the rooted collectives.
// Rank 0 receives n-1 whole vectors, n times what anyone must.
func rootReduceScatter() Entry {
	return Entry{
		Collective: ReduceScatter, Algorithm: "reduce-scatter-by-root", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("2*min(n-1, 1)"),
		Messages: expression("2*(n-1)"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("(n-1)*S"),
		Terms: []Term{
			{"reduce", expression("1"), expression("n-1"), FirstReceives},
			{"scatter", expression("1"), expression("(n-1)/n"), FirstSends},
		},
		When:   "to see why a reduce-scatter is not put together from rooted collectives: rank 0 receives n-1 whole vectors",
		chunks: perBlock,
		build:  buildRootReduceScatter,
	}
}

func buildRootReduceScatter(b *builder) {
	const center = 0
	n, all := b.s.Ranks, b.s.Chunks
	k := all / n
	b.begin(2*n, all)
	b.nextRound()
	if n == 1 {
		b.phase("reduce", OwnBlock)
		b.copy(place{center, In, 0}, place{center, Out, 0}, all)
		return
	}
	b.phase("reduce", NoInvariant) // the sum is in scratch: rank 0's out is its block only
	b.copy(place{center, In, 0}, place{center, Tmp, 0}, all)
	b.nextRound()
	for r := 1; r < n; r++ {
		b.reduce(place{r, In, 0}, place{center, Tmp, 0}, all)
	}
	b.nextRound()
	b.phase("scatter", OwnBlock)
	for r := range n {
		b.copy(place{center, Tmp, r * k}, place{r, Out, 0}, k)
	}
}
