package schedule

// binomialTreeScatter halves the work: the root sends the far half of the
// blocks to the first rank of that half, then both do the same with what they
// have left (MPICH's and Open MPI's binomial MPI_Scatter). Labels are ranks
// counted from the root; a subtree of the binomial tree is a range of labels,
// so what a rank is sent is a range of blocks too, its own at the head.
func binomialTreeScatter() Entry {
	return Entry{
		Collective: Scatter, Algorithm: "binomial-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Tree,
		Rounds:   expression("ceil(log2(n))"),
		Messages: expression("n-1"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression(largestSubtree + "/n*S"),
		// Whoever sends does so without a pause, far first, so a label has been
		// sent when the blocks of all subtrees served before it have left: at
		// most n-1 of them, and one latency for each one-bit of the label. Label
		// 2^floor(log2 n) - 1, served last by each of its ancestors, or n-1 where
		// n is a power of two, has both in full: floor(log2 n) bits, n-1 blocks.
		Terms:  []Term{{"scatter", expression("floor(log2(n))"), expression("(n-1)/n"), RootSends}},
		When:   "small blocks on many ranks when messages cost the root more than their latency: it sends ceil(log2 n) of them instead of n-1",
		chunks: perBlock,
		build:  buildBinomialTreeScatter,
	}
}

// largestSubtree is how many blocks the largest subtree below the root of a
// binomial tree has: the far half, which n may cut short, or the quarter
// before it.
const largestSubtree = "(max(n-2**(ceil(log2(n))-1), floor(2**ceil(log2(n))/4)) if n > 1 else 0)"

func buildBinomialTreeScatter(b *builder) {
	n, root := b.s.Ranks, b.s.Root
	t := binomialTree(n)
	inner := t.inner(n)
	rank := func(label int) int { return (label + root) % n }
	k := b.s.Chunks / n
	b.begin(3*n, n/2*k)
	b.nextRound()
	b.phase("scatter", OwnBlock)
	b.copy(place{root, In, root * k}, place{root, Out, 0}, k)
	var waiting []int // inner labels that got their own block with the others in the last round
	for i, level := range t {
		if i > 0 {
			b.nextRound()
		}
		for _, v := range waiting {
			b.copy(place{rank(v), Tmp, 0}, place{rank(v), Out, 0}, k)
		}
		waiting = waiting[:0]
		for _, edge := range level {
			to := place{rank(edge.child), Out, 0} // a leaf has no other block
			if inner[edge.child] {
				to.buf = Tmp
				waiting = append(waiting, edge.child)
			}
			if size := subtree(edge.child, n); edge.parent == 0 {
				b.copyAround(place{root, In, rank(edge.child) * k}, to, size*k)
			} else {
				b.copy(place{rank(edge.parent), Tmp, (edge.child - edge.parent) * k}, to, size*k)
			}
		}
	}
}
