package schedule

// patAllGather sends every block down a binomial tree of its own, the same one
// turned round the ring for each owner, far first; what goes to the same rank
// in a round goes as one message (NCCL's parallel aggregated trees, Jeaugey,
// "PAT: a new algorithm for all-gather and reduce-scatter operations at
// scale", 2025). Like Bruck's it doubles in every round, but the far hops come
// first and carry one block, the long messages stay between neighbours, and
// blocks land where they belong. This is the form with buffers for all blocks:
// with less NCCL sends the near messages in several rounds.
func patAllGather() Entry {
	return Entry{
		Collective: AllGather, Algorithm: "pat", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("ceil(log2(n))"),
		Messages: expression("n*ceil(log2(n))"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		// All ranks do the same, so no port waits. Each message holds a block of
		// the one before it and waits for it, but for the second: where no block
		// goes on from distance h = 2^(ceil(log2 n)-1) to h + h/2, because
		// n <= h + h/2, it leaves right behind the first.
		Terms:  []Term{{"all-gather", expression("ceil(log2(2*n/3))"), expression("(n-1)/n"), EveryPort}},
		When:   "small and middling blocks on many ranks: as few rounds as Bruck's, with the far hops carrying the least and nothing to put in order",
		chunks: perBlock,
		build:  buildPatAllGather,
	}
}

func buildPatAllGather(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	b.begin(n*n, 0)
	b.nextRound()
	b.phase("all-gather", EveryoneHolds)
	for r := range n {
		b.copy(place{r, In, 0}, place{r, Out, r * k}, k)
	}
	for i, level := range binomialTree(n) {
		if i > 0 {
			b.nextRound()
		}
		for r := range n {
			for _, edge := range level { // rank r stands at the parent's label in the tree of this owner
				owner := (r - edge.parent + n) % n
				from := place{r, Out, owner * k}
				if owner == r {
					from = place{r, In, 0}
				}
				b.copy(from, place{(owner + edge.child) % n, Out, owner * k}, k)
			}
		}
	}
}
