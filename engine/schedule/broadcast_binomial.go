package schedule

// binomialBroadcast doubles the ranks that hold the vector every round: whoever
// has it sends it on, first over the largest distance. The root's port carries
// ceil(log2 n) vectors. It is what MPI libraries take for small vectors
// (Thakur, Rabenseifner and Gropp, "Optimization of collective communication
// operations in MPICH", 2005).
func binomialBroadcast() Entry {
	return Entry{
		Collective: Broadcast, Algorithm: "binomial-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Tree,
		Rounds:   expression("ceil(log2(n))+k-1 if n > 1 else 0"),
		Messages: expression("(n-1)*k"),
		Sent:     expression("ceil(log2(n))*S"),
		Received: expression("min(n-1, 1)*S"),
		// A label that is an odd number gets the vector in the last round, when
		// its path's senders have sent ceil(log2 n) vectors one after the
		// other. The path has a hop for each of its one-bits, at most
		// floor(log2 n): a sender's further messages do not wait for the
		// latency of its earlier ones. For one chunk: more of them overtake each
		// other where a latency is about a chunk long.
		Terms:  []Term{{"broadcast", expression("floor(log2(n))"), expression("ceil(log2(n))"), Chain}},
		Rough:  expression("k > 1"),
		When:   "small vectors on many ranks: log2(n) latencies, but log2(n) vectors through the root's port",
		chunks: perVector,
		build:  buildBinomialBroadcast,
	}
}

func buildBinomialBroadcast(b *builder) {
	b.buildTreeBroadcast(b.fromRoot(binomialTree(b.s.Ranks)))
}

// buildTreeBroadcast sends all chunks down one tree.
func (b *builder) buildTreeBroadcast(t tree) {
	f := b.flow(t, 0, b.s.Chunks)
	b.begin((b.s.Ranks-1)*b.s.Chunks+1, 0)
	b.nextRound()
	b.phase("broadcast", EveryoneHolds)
	b.copy(place{b.s.Root, In, 0}, place{b.s.Root, Out, 0}, b.s.Chunks)
	for round := range f.rounds() {
		if round > 0 {
			b.nextRound()
		}
		b.broadcastRound(round, f)
	}
}
