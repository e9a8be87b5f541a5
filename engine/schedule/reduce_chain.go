package schedule

// chainReduce passes the sum from rank to rank towards the root, in chunks
// that follow each other: every rank adds its own contribution to the chunk
// that has come and sends it on while the next one comes. NCCL's reduce over a
// ring is this one.
func chainReduce() Entry {
	return Entry{
		Collective: ReduceTo, Algorithm: "chain", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 4, Layout: Ring,
		Rounds:   expression("n-2+k if n > 1 else 0"),
		Messages: expression("(n-1)*k"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("min(n-1, 1)*S"),
		// The last of k chunks leaves the far end behind k-1 others and then
		// takes n-1 hops without waiting again.
		Terms:  []Term{{"reduce", expression("n-1"), expression("(n-2+k)/k"), Chain}},
		When:   "large vectors on few ranks: with enough chunks every port carries the vector once, but each hop adds a latency and a chunk",
		chunks: perVector,
		build:  buildChainReduce,
	}
}

func buildChainReduce(b *builder) {
	b.buildTreeReduce(b.fromRoot(chainTree(b.s.Ranks)))
}
