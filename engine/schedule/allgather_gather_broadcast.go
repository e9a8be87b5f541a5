package schedule

// gatherBroadcastAllGather gathers every block at rank 0, which then sends
// everything to everybody: an all-gather for those who have only the rooted
// collectives. Rank 0 sends n-1 whole buffers, n times what anyone must.
func gatherBroadcastAllGather() Entry {
	return Entry{
		Collective: AllGather, Algorithm: "gather-broadcast", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("2*min(n-1, 1)"),
		Messages: expression("2*(n-1)"),
		Sent:     expression("(n-1)*S"),
		Received: expression("min(n-1, 1)*S"),
		Terms: []Term{
			{"gather", expression("1"), expression("(n-1)/n"), FirstReceives},
			{"broadcast", expression("1"), expression("n-1"), FirstSends},
		},
		When:   "to see why an all-gather is not put together from rooted collectives: rank 0 sends n-1 whole buffers",
		chunks: perBlock,
		build:  buildGatherBroadcastAllGather,
	}
}

func buildGatherBroadcastAllGather(b *builder) {
	const center = 0
	n, all := b.s.Ranks, b.s.Chunks
	k := all / n
	b.begin(2*n, 0)
	b.nextRound()
	b.phase("gather", RootHoldsAll)
	for r := range n {
		b.copy(place{r, In, 0}, place{center, Out, r * k}, k)
	}
	if n == 1 {
		b.s.Phases[0].Invariant = EveryoneHolds
		return
	}
	b.nextRound()
	b.phase("broadcast", EveryoneHolds)
	for r := 1; r < n; r++ {
		b.copy(place{center, Out, 0}, place{r, Out, 0}, all)
	}
}
