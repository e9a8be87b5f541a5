package schedule

// chainBroadcast hands the vector from rank to rank, in chunks that follow
// each other: while a rank passes on one chunk it receives the next. With many
// chunks every port carries one vector whatever n, at the price of a latency a
// hop. NCCL's broadcast over a ring is this one.
func chainBroadcast() Entry {
	return Entry{
		Collective: Broadcast, Algorithm: "chain", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 4, Layout: Ring,
		Rounds:   expression("n-2+k if n > 1 else 0"),
		Messages: expression("(n-1)*k"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("min(n-1, 1)*S"),
		// The last of k chunks leaves the root behind k-1 others and then takes
		// n-1 hops without waiting again: the ports ahead of it are always one
		// chunk further.
		Terms:  []Term{{"broadcast", expression("n-1"), expression("(n-2+k)/k"), Chain}},
		When:   "large vectors on few ranks: with enough chunks every port carries the vector once, but each hop adds a latency and a chunk",
		chunks: perVector,
		build:  buildChainBroadcast,
	}
}

func buildChainBroadcast(b *builder) {
	b.buildTreeBroadcast(b.fromRoot(chainTree(b.s.Ranks)))
}
