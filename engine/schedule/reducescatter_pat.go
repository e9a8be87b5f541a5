package schedule

import "slices"

// patReduceScatter is PAT's all-gather backwards: the contributions to every
// block climb a binomial tree of its own, rooted at its owner, near first, and
// what goes to the same rank in a round goes as one message (NCCL's parallel
// aggregated trees, Jeaugey, "PAT: a new algorithm for all-gather and
// reduce-scatter operations at scale", 2025). This is the form with buffers
// for all blocks.
func patReduceScatter() Entry {
	return Entry{
		Collective: ReduceScatter, Algorithm: "pat", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("ceil(log2(n))"),
		Messages: expression("n*ceil(log2(n))"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		// All ranks do the same, so no port waits, and each message waits for
		// the one before it; but the last, of one block over the distance
		// h = 2^(ceil(log2 n)-1), waits only for what its sender, label h, has
		// gathered from the n-h labels from h on. With n-h <= h/2 it is ready
		// no later than the one before it, so one latency is saved. With
		// n-h <= h/4 that is a turn earlier still: it goes while the others
		// wait out a latency, and takes one away, or its block, whichever is
		// shorter.
		Terms:   []Term{{"reduce-scatter", expression(shortLastHop), expression("(n-1)/n"), EveryPort}},
		Detours: [][]Term{{{"reduce-scatter", expression("ceil(log2(2*n/3))"), expression("max(n-2, 1)/n"), Chain}}},
		When:    "small and middling vectors on many ranks: as few rounds as halving, for any number of ranks",
		chunks:  perBlock,
		build:   buildPatReduceScatter,
	}
}

func buildPatReduceScatter(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	t := binomialTree(n)
	inner := t.inner(n)
	// sum is where the rank at a label of the owner's tree adds up the block.
	sum := func(owner, label int) place {
		if label == 0 {
			return place{owner, Out, 0}
		}
		return place{(owner + label) % n, Tmp, owner * k}
	}
	own := func(owner, label int) place { return place{(owner + label) % n, In, owner * k} }
	b.begin(2*n*n, b.s.Chunks)
	b.nextRound()
	b.phase("reduce-scatter", OwnBlock)
	for owner := range n {
		for label := range n {
			if label == 0 || inner[label] {
				b.copy(own(owner, label), sum(owner, label), k)
			}
		}
	}
	for _, level := range slices.Backward(t) {
		b.nextRound()
		for r := range n {
			for _, edge := range level { // rank r stands at the child's label in the tree of this owner
				owner := (r - edge.child + n) % n
				from := own(owner, edge.child)
				if inner[edge.child] {
					from = sum(owner, edge.child)
				}
				b.reduce(from, sum(owner, edge.parent), k)
			}
		}
	}
}
