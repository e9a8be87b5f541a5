package schedule

// directBroadcast: the root sends its whole vector to every other rank, one
// after the other through its one port. The plainest of all; MPI libraries
// call it linear.
func directBroadcast() Entry {
	return Entry{
		Collective: Broadcast, Algorithm: "direct", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n-1"),
		Sent:     expression("(n-1)*S"),
		Received: expression("min(n-1, 1)*S"),
		// All messages are ready at once and queue at the root; only the last
		// one's latency is not hidden behind the others' bytes.
		Terms:  []Term{{"broadcast", expression("1"), expression("n-1"), RootSends}},
		When:   "two or three ranks, or vectors so small that only the one latency counts: the root carries n-1 vectors",
		chunks: perVector,
		build:  buildDirectBroadcast,
	}
}

func buildDirectBroadcast(b *builder) {
	n, root, all := b.s.Ranks, b.s.Root, b.s.Chunks
	b.begin(n, 0)
	b.nextRound()
	b.phase("broadcast", EveryoneHolds)
	for v := range n {
		r := (root + v) % n
		b.copy(place{root, In, 0}, place{r, Out, 0}, all)
	}
}
