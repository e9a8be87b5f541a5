package schedule

// centralAllReduce is the central collector of the article: every rank sends
// its whole vector to rank 0, which adds them up and sends the sum back. Its
// port is the queue: 2(n-1) vectors pass through it, so the time grows with n.
func centralAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "central", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("2*min(n-1, 1)"),
		Messages: expression("2*(n-1)"),
		Sent:     expression("(n-1)*S"),
		Received: expression("(n-1)*S"),
		Terms: []Term{
			{"collect", expression("1"), expression("n-1"), FirstReceives},
			{"return", expression("1"), expression("n-1"), FirstSends},
		},
		When:   "two ranks, or very small vectors: two latencies whatever n, but rank 0 carries n-1 vectors each way",
		chunks: perVector,
		build:  buildCentralAllReduce,
	}
}

func buildCentralAllReduce(b *builder) {
	const center = 0
	all := b.s.Chunks
	b.begin(2*b.s.Ranks-1, 0)
	b.nextRound()
	b.phase("collect", RootHoldsAll)
	b.copy(place{center, In, 0}, place{center, Out, 0}, all)
	if b.s.Ranks == 1 {
		b.s.Phases[0].Invariant = EveryoneHolds
		return
	}
	b.nextRound()
	for r := 1; r < b.s.Ranks; r++ {
		b.reduce(place{r, In, 0}, place{center, Out, 0}, all)
	}
	b.nextRound()
	b.phase("return", EveryoneHolds)
	for r := 1; r < b.s.Ranks; r++ {
		b.copy(place{center, Out, 0}, place{r, Out, 0}, all)
	}
}
