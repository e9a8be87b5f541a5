package schedule

// binomialAllReduce is a reduce to rank 0 along the binomial tree and a
// broadcast back along it: what MPI libraries do where nothing better applies
// (Open MPI's "nonoverlapping", MPICH's MPIR_Allreduce_intra_reduce_bcast).
// Both are one pipeline: a chunk turns round at rank 0 while the next are
// still on their way up.
func binomialAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "binomial-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Tree,
		Rounds:   expression("2*ceil(log2(n))+k-1 if n > 1 else 0"),
		Messages: expression("2*(n-1)*k"),
		Sent:     expression("ceil(log2(n))*S"),
		Received: expression("ceil(log2(n))*S"),
		// Rank 0's port takes ceil(log2 n) vectors on the way up; the last chunk
		// then takes as many messages on the way down, and at most floor(log2 n)
		// hops. The message over distance p waits for the surplus n-p only. It
		// takes the port early, and what the others wait for comes a chunk
		// later, in the shadow of fewer latencies; or latencies count more, and
		// the port was idle meanwhile. Exact for one chunk: more of them meet at
		// inner ranks, on their ways up and down, in an order that depends on
		// the ratio of latency and bytes.
		Terms: []Term{
			{"reduce", expression("floor(log2(n)) if n == p else floor(log2(n-p))+1"), expression("ceil(log2(n))"), Chain},
			{"broadcast", expression("floor(log2(n))"), expression("ceil(log2(n))/k"), Chain},
		},
		Detours: [][]Term{{
			{"reduce", expression("floor(log2(n))"), expression("ceil(log2(n))-1/k"), Chain},
			{"broadcast", expression("floor(log2(n))"), expression("ceil(log2(n))/k"), Chain},
		}},
		Rough:  expression("k > 1"),
		When:   "small vectors on many ranks that are no power of two: 2·log2(n) latencies and few messages, but log2(n) vectors through rank 0's port each way",
		chunks: perVector,
		build: func(b *builder) {
			b.treeAllReduce(b.flow(binomialTree(b.s.Ranks), 0, b.s.Chunks))
		},
	}
}
