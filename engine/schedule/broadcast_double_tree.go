package schedule

// doubleTreeBroadcast sends half of the chunks down each of NCCL's two
// complementary binary trees. In one binary tree the leaves, half of the
// ranks, send nothing; here the leaves of one are inner in the other, so every
// port is used. The root stands outside and feeds each tree's own root
// (Sanders, Speck and Träff, "Two-tree algorithms for full bandwidth
// broadcast, reduction and scan", 2009).
func doubleTreeBroadcast() Entry {
	return Entry{
		Collective: Broadcast, Algorithm: "double-binary-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 4, Layout: Tree,
		Rounds:   expression("ceil(log2(n-1))+ceil(k/2) if n > 1 else 0"),
		Messages: expression("ceil(k/2) if n == 2 else 3*k-ceil(k/2)+1 if n == 4 else (n-1)*k"),
		Sent:     expression("min(n-1, 1)*S if n <= 4 else 2*ceil(k/2)/k*S"),
		Received: expression("min(n-1, 1)*S"),
		// The last of k chunks leaves the root behind the others and takes
		// ceil(log2(n-1))+1 hops. A tree's root has one child, and that hop costs
		// a chunk; at every further one the chunk goes to one child and then to
		// the other, which costs two; the lowest again costs one, unless n-1 is a
		// power of two and the longest path ends at a second child. Of four ranks
		// one edge is in both trees, and a message of two chunks waits for the
		// later one.
		// This holds for one chunk, and where a latency outlasts the chunks in
		// flight. At smaller ones chunks of the two trees meet at ports, in no order that a closed
		// form could follow, and the time is up to two chunks longer.
		Terms: []Term{{"broadcast", expression("4 if n == 4 and k > 2 else ceil(log2(max(n-1, 1)))+1"),
			expression("(k+max(ceil(log2(max(n-1, 1)))+floor(log2(max(n-1, 1)))-1, 0))/k"), Chain}},
		Rough:  expression("n > 2 and (k > 2 or k == 2 and n > 8)"),
		When:   "large vectors on many ranks: log2(n) latencies, and with many chunks no port carries much more than the vector",
		chunks: perVector,
		build:  buildDoubleTreeBroadcast,
	}
}

func buildDoubleTreeBroadcast(b *builder) {
	flows := b.doubleTree()
	b.begin((b.s.Ranks-1)*b.s.Chunks+1, 0)
	b.nextRound()
	b.phase("broadcast", EveryoneHolds)
	b.copy(place{b.s.Root, In, 0}, place{b.s.Root, Out, 0}, b.s.Chunks)
	for round := range flows[0].rounds() {
		if round > 0 {
			b.nextRound()
		}
		b.broadcastRound(round, flows[:]...)
	}
}

// doubleTree returns the flows through two complementary trees over all ranks
// but the root, which stands above both: the first half of the chunks, and one
// more where they are odd, takes the first tree.
func (b *builder) doubleTree() [2]flow {
	half := (b.s.Chunks + 1) / 2
	var flows [2]flow
	for i, t := range binaryTrees(b.s.Ranks - 1) {
		var above tree
		if b.s.Ranks > 1 {
			above = tree{{{-1, t.root()}}}
		}
		t = append(above, t...).relabel(func(v int) int { return (b.s.Root + 1 + v) % b.s.Ranks })
		flows[i] = b.flow(t, i*half, min(half, b.s.Chunks-i*half))
	}
	return flows
}
