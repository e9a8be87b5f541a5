package schedule

// doubleTreeAllReduce adds up half of the chunks along each of two binary
// trees over all ranks and sends the sums back the same way: NCCL's Tree
// algorithm (enqueue.cc, device/all_reduce.h). In a binary tree half of the
// ranks are leaves, whose receiving ports idle on the way up and whose sending
// ports idle on the way down; here those are inner ranks of the other tree.
// Chunks follow one another through the levels, so latencies are logarithmic
// and ports carry about two vectors, as in the ring.
func doubleTreeAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "double-binary-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 4, Layout: Tree,
		Rounds:   expression("2*ceil(log2(n))+ceil(k/2)-1 if n > 1 else 0"),
		Messages: expression("min(2*k, k+2) if n == 2 else min(4*k, 3*k+2) if n == 3 else 2*(n-1)*k"),
		Sent:     expression("(min(n-1, 1) if n < 3 else (2*ceil(k/2)+floor(k/2))/k if n == 3 else (3*ceil(k/2)+floor(k/2))/k)*S"),
		Received: expression("(min(n-1, 1) if n < 3 else (2*ceil(k/2)+floor(k/2))/k if n == 3 else (3*ceil(k/2)+floor(k/2))/k)*S"),
		// One way, a chunk passes ceil(log2 n) levels. Its messages queue behind
		// those of a sibling and of the chunk before: at one of the two children
		// of each inner rank on the path, floor(log2 n)-1 times at least, and for
		// each of its tree's ceil(k/2) chunks; so many chunks of the vector pass
		// one after the other. With two or three ranks both trees use the same
		// edges, and a message more waits at the turn. It takes as long as this
		// for one chunk; for two, one on each tree, up to 15 ranks; and where the
		// latency outweighs a few chunks. Where it does not, the
		// chunks of both trees meet at the ports in other orders, and the time
		// is longer, by three tenths at most with the default of four chunks.
		Terms: []Term{
			{"reduce", expression("ceil(log2(n))"), expression(doubleTreeOneWay), Chain},
			{"broadcast", expression("ceil(log2(n)) if n > 3 else n-2+ceil(k/2)"), expression(doubleTreeOneWay + "+(1/k if n == 3 and k > 3 else 0)"), Chain},
		},
		Rough:  expression("n > 2 and (k > 2 or k == 2 and n > 15)"),
		When:   "large vectors on very many ranks: about as few bytes as the ring in 2·log2(n) latencies instead of 2(n-1)",
		chunks: perVector,
		build: func(b *builder) {
			half := (b.s.Chunks + 1) / 2
			trees := binaryTrees(b.s.Ranks)
			b.treeAllReduce(b.flow(trees[0], 0, half), b.flow(trees[1], half, b.s.Chunks-half))
		},
	}
}

// doubleTreeOneWay is what waits along the longest path, up or down.
const doubleTreeOneWay = "(ceil(log2(n))+floor(log2(n))+ceil(k/2)-2)/k"
