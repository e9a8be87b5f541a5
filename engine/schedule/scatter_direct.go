package schedule

// directScatter has the root send every rank its block, all of them at once as
// far as its port allows. The root must send n-1 blocks whatever the
// algorithm, so for bytes nothing is better, and there is one latency only;
// what it costs is n-1 messages out of one rank.
func directScatter() Entry {
	return Entry{
		Collective: Scatter, Algorithm: "direct", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n-1"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("min(n-1, 1)/n*S"),
		// The blocks leave one after the other; the last is delivered one
		// latency after it has left.
		Terms:  []Term{{"scatter", expression("1"), expression("(n-1)/n"), RootSends}},
		When:   "always, as long as the root can keep n-1 messages going: one latency, and the root sends no more than it must",
		chunks: perBlock,
		build:  buildDirectScatter,
	}
}

func buildDirectScatter(b *builder) {
	n, root := b.s.Ranks, b.s.Root
	k := b.s.Chunks / n
	b.begin(n, 0)
	b.nextRound()
	b.phase("scatter", OwnBlock)
	for i := range n {
		r := (root + i) % n
		b.copy(place{root, In, r * k}, place{r, Out, 0}, k)
	}
}
