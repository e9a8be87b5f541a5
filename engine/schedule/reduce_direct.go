package schedule

// directReduce: every rank sends its whole vector to the root, which adds them
// up in the order of ranks. All of them queue at its receiving port. MPI
// libraries call it linear.
func directReduce() Entry {
	return Entry{
		Collective: ReduceTo, Algorithm: "direct", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n-1"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("(n-1)*S"),
		// All senders are ready at once and wait for the root's port; only the
		// last one's latency is not hidden behind the others' bytes.
		Terms:  []Term{{"reduce", expression("1"), expression("n-1"), RootReceives}},
		When:   "two or three ranks, or vectors so small that only the one latency counts: the root carries n-1 vectors",
		chunks: perVector,
		build:  buildDirectReduce,
	}
}

func buildDirectReduce(b *builder) {
	n, root, all := b.s.Ranks, b.s.Root, b.s.Chunks
	b.begin(n, 0)
	b.nextRound()
	b.phase("reduce", RootHoldsAll)
	b.copy(place{root, In, 0}, place{root, Out, 0}, all)
	b.nextRound()
	for r := range n {
		if r != root {
			b.reduce(place{r, In, 0}, place{root, Out, 0}, all)
		}
	}
}
