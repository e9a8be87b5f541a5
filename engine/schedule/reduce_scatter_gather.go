package schedule

// reduceScatterGatherReduce lets all ranks add up a block each round a ring and
// gathers the blocks at the root up a binomial tree: less than two vectors
// through the root's port instead of log2(n) (Rabenseifner's reduce; MPICH
// takes it, with another reduce-scatter, for large vectors, see Thakur,
// Rabenseifner and Gropp, 2005).
func reduceScatterGatherReduce() Entry {
	return Entry{
		Collective: ReduceTo, Algorithm: "reduce-scatter-gather", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Ring,
		Rounds:   expression("n-1+ceil(log2(n))"),
		Messages: expression("(n-1)*(n+1)"),
		Sent:     expression("(n-1+(1 if n == 2 else max(n-2**(ceil(log2(n))-1), 2**(ceil(log2(n))-2))))/n*S if n > 1 else 0"),
		Received: expression("2*(n-1)/n*S"),
		// All ranks end the ring together. In the gather the root's port takes
		// n-1 blocks without a pause but for latencies: a child with 2^i blocks is
		// ready when the ones before have come and one latency has passed. The
		// surplus over the largest power of two p is a child of its own that may
		// be ready early; without it p-1 blocks wait for log2(p) latencies.
		Terms: []Term{
			{"reduce-scatter", expression("n-1"), expression("(n-1)/n"), EveryPort},
			{"gather", expression("floor(log2(n-p))+1 if n > p else log2(n)"), expression("(n-1)/n"), RootReceives},
		},
		Detours: [][]Term{{
			{"reduce-scatter", expression("n-1"), expression("(n-1)/n"), EveryPort},
			{"gather", expression("floor(log2(n))"), expression("(p-1)/n"), Chain},
		}},
		When:   "large vectors: less than two of them pass through any port, at the price of n-1 and log2(n) latencies",
		chunks: perBlock,
		build:  buildReduceScatterGatherReduce,
	}
}

func buildReduceScatterGatherReduce(b *builder) {
	n, root := b.s.Ranks, b.s.Root
	k := b.s.Chunks / n
	// Ranks and blocks go by labels, counted from the root: so the blocks of a
	// subtree lie together, and the gather is a step a message.
	at := func(label int, buf Buf, block int) place {
		label, block = (label+n)%n, (block+n)%n
		if label == 0 && buf == Tmp {
			buf = Out
		}
		return place{(root + label) % n, buf, block * k}
	}
	b.begin(2*n*n, n*k)
	b.nextRound()
	b.phase("reduce-scatter", OwnBlock)
	// Every block but the one that leaves first needs the own contribution in
	// the sum. One copy a block, so that slices line up.
	for v := range n {
		for i := range max(n-1, 1) {
			b.copy(at(v, In, v+i), at(v, Tmp, v+i), k)
		}
	}
	if n == 1 {
		b.s.Phases[0].Invariant = RootHoldsAll
	}
	for s := 1; s < n; s++ {
		b.nextRound()
		for v := range n {
			from := Tmp
			if s == 1 {
				from = In // nothing has been added to it yet
			}
			b.reduce(at(v, from, v-s), at(v+1, Tmp, v-s), k)
		}
	}
	levels := binomialTree(n)
	for i := range levels {
		b.nextRound()
		if i == 0 {
			b.phase("gather", RootHoldsAll)
		}
		for _, e := range levels[len(levels)-1-i] {
			b.copy(at(e.child, Tmp, e.child), at(e.parent, Tmp, e.child), subtree(e.child, n)*k)
		}
	}
}
