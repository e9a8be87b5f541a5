package schedule

// doubleTreeReduce adds up half of the chunks on the way up each of NCCL's two
// complementary binary trees, whose roots send to the root: the mirror of
// doubleTreeBroadcast.
func doubleTreeReduce() Entry {
	return Entry{
		Collective: ReduceTo, Algorithm: "double-binary-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 4, Layout: Tree,
		Rounds:   expression("ceil(log2(n-1))+ceil(k/2) if n > 1 else 0"),
		Messages: expression("ceil(k/2) if n == 2 else 3*k-max(floor(k/2)-1, 0) if n == 4 else (n-1)*k"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("min(n-1, 1)*S if n <= 4 else 2*ceil(k/2)/k*S"),
		// The hops of doubleTreeBroadcast backwards: at most of them the chunk
		// waits for that of the other child. This holds where a latency outlasts
		// the chunks in flight, for one or two chunks always. At smaller ones
		// chunks of the two trees meet at receiving ports, in no order that a
		// closed form could follow, and the time is up to two chunks longer.
		Terms: []Term{{"reduce", expression("4 if n == 4 and k > 3 else ceil(log2(max(n-1, 1)))+1"),
			expression("(k+max(ceil(log2(max(n-1, 1)))+floor(log2(max(n-1, 1)))-1, 0))/k"), Chain}},
		Rough:  expression("k > 2 and n > 2"),
		When:   "large vectors on many ranks: log2(n) latencies, and with many chunks no port carries much more than the vector",
		chunks: perVector,
		build:  buildDoubleTreeReduce,
	}
}

func buildDoubleTreeReduce(b *builder) {
	flows := b.doubleTree()
	b.begin((2*b.s.Ranks-1)*b.s.Chunks, b.s.Chunks)
	b.nextRound()
	b.phase("reduce", RootHoldsAll)
	b.copyOwn(flows[:]...)
	for round := range flows[0].rounds() {
		b.nextRound()
		b.reduceRound(round, flows[:]...)
	}
}
