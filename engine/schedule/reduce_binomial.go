package schedule

// binomialReduce is binomialBroadcast backwards: every rank adds up what its
// children in the binomial tree send, the nearest first, and sends the sum to
// its parent. MPI libraries take it for small vectors.
func binomialReduce() Entry {
	return Entry{
		Collective: ReduceTo, Algorithm: "binomial-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Tree,
		Rounds:   expression("ceil(log2(n))+k-1 if n > 1 else 0"),
		Messages: expression("(n-1)*k"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("ceil(log2(n))*S"),
		// The root receives from label d = 1, 2, 4…, and has to wait longer for
		// each: the last of its powers of two has heard from log2(d) children of
		// its own, a latency and a chunk each; its other k-1 chunks follow. At
		// small latencies the root's port is what counts: it takes every vector
		// after one latency. Surplus labels from the largest power of two p on
		// are a smaller tree, done early when they are few: what is behind it in
		// the queue comes a vector later.
		Terms: []Term{{"reduce", expression("floor(log2(n))"), expression("(floor(log2(n))-1+k)/k"), Chain}},
		Detours: [][]Term{
			{{"reduce", expression("1"), expression("ceil(log2(n))"), Chain}},
			{{"reduce", expression("floor(log2(n-p))+1 if n > p else 0"),
				expression("floor(log2(n))+1-floor(log2(n-p))*(k-1)/k if n > p else 0"), Chain}},
		},
		When:   "small vectors on many ranks: log2(n) latencies, but log2(n) vectors through the root's port",
		chunks: perVector,
		build:  buildBinomialReduce,
	}
}

func buildBinomialReduce(b *builder) {
	b.buildTreeReduce(b.fromRoot(binomialTree(b.s.Ranks)))
}

// buildTreeReduce adds up all chunks on the way up one tree.
func (b *builder) buildTreeReduce(t tree) {
	f := b.flow(t, 0, b.s.Chunks)
	b.begin((2*b.s.Ranks-1)*b.s.Chunks, b.s.Chunks)
	b.nextRound()
	b.phase("reduce", RootHoldsAll)
	b.copyOwn(f)
	for round := range f.rounds() {
		b.nextRound()
		b.reduceRound(round, f)
	}
}
