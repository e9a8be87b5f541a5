package schedule

import "slices"

// binomialTreeGather is the binomial scatter backwards: neighbours first, and
// whoever has its whole subtree's blocks together sends them on, a range of
// labels counted from the root (MPICH's and Open MPI's binomial MPI_Gather).
func binomialTreeGather() Entry {
	return Entry{
		Collective: Gather, Algorithm: "binomial-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Tree,
		Rounds:   expression("ceil(log2(n))"),
		Messages: expression("n-1"),
		Sent:     expression(largestSubtree + "/n*S"),
		Received: expression("(n-1)/n*S"),
		// A subtree of 2^i blocks is together after i latencies and 2^i-1 blocks,
		// just when its parent's port has taken the 2^i-1 blocks before it. So
		// the first p labels take log2 p latencies and p-1 blocks. The n-p
		// blocks of the last child are together floor(log2(n-p)) latencies after
		// the start and find the port busy, or idle while it waits for a latency;
		// they take it then, and all n-1 blocks go through with no more
		// latencies than theirs; or the others' latencies hide these blocks.
		Terms:   []Term{{"gather", expression("log2(n) if n == p else 1+floor(log2(n-p))"), expression("(n-1)/n"), RootReceives}},
		Detours: [][]Term{{{"gather", expression("log2(p)"), expression("(p-1)/n"), Chain}}},
		When:    "small blocks on many ranks when messages cost the root more than their latency: it takes ceil(log2 n) of them instead of n-1",
		chunks:  perBlock,
		build:   buildBinomialTreeGather,
	}
}

func buildBinomialTreeGather(b *builder) {
	n, root := b.s.Ranks, b.s.Root
	t := binomialTree(n)
	inner := t.inner(n)
	rank := func(label int) int { return (label + root) % n }
	k := b.s.Chunks / n
	b.begin(3*n, n/2*k)
	b.nextRound()
	b.phase("gather", RootHoldsAll)
	b.copy(place{root, In, 0}, place{root, Out, root * k}, k)
	for v := 1; v < n; v++ {
		if inner[v] { // its block travels at the head of its subtree's
			b.copy(place{rank(v), In, 0}, place{rank(v), Tmp, 0}, k)
		}
	}
	for i, level := range slices.Backward(t) {
		if i < len(t)-1 {
			b.nextRound()
		}
		for _, edge := range level {
			from := place{rank(edge.child), In, 0} // a leaf has no other block
			if inner[edge.child] {
				from.buf = Tmp
			}
			if size := subtree(edge.child, n); edge.parent == 0 {
				b.copyAround(from, place{root, Out, rank(edge.child) * k}, size*k)
			} else {
				b.copy(from, place{rank(edge.parent), Tmp, (edge.child - edge.parent) * k}, size*k)
			}
		}
	}
}
