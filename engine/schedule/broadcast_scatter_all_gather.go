package schedule

// scatterAllGatherBroadcast cuts the vector into a block per rank, scatters
// the blocks down a binomial tree and lets all ranks exchange them round a
// ring: 2(n-1)/n vectors through the root's port instead of log2(n) (van de
// Geijn's broadcast; MPICH takes it for large vectors, see Thakur, Rabenseifner
// and Gropp, 2005). A rank that passed blocks on in the scatter keeps them, and
// the ring does not send them to it again.
func scatterAllGatherBroadcast() Entry {
	return Entry{
		Collective: Broadcast, Algorithm: "scatter-all-gather", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Ring,
		Rounds:   expression("ceil(log2(n))+n-1"),
		Messages: expression("(n-1)*(n+1)-ones(n)"),
		Sent:     expression("2*(n-1)/n*S"),
		Received: expression("min(n-1, 1)*S"),
		// The root begins with the ring as soon as its last block of the scatter
		// has left: no latency lies between. From there its own block goes round
		// n-1 hops, a block and a latency each, and all other blocks are ahead of
		// it. This holds for up to seven ranks, and where a latency outlasts a
		// block. At smaller ones a rank that has idled sends a block it kept from
		// the scatter, and one that has to go on waits for a part of it: together
		// below 9 % for up to 64 ranks.
		Terms: []Term{
			{"scatter", expression("0"), expression("(n-1)/n"), RootSends},
			{"all-gather", expression("n-1"), expression("(n-1)/n"), Chain},
		},
		Rough:  expression("n > 7"),
		When:   "large vectors: less than two of them pass through any port, at the price of n-1 latencies",
		chunks: perBlock,
		build:  buildScatterAllGatherBroadcast,
	}
}

func buildScatterAllGatherBroadcast(b *builder) {
	n, root := b.s.Ranks, b.s.Root
	k := b.s.Chunks / n
	// Ranks and blocks go by labels, counted from the root: so the blocks of a
	// subtree lie together, and the scatter is a step a message.
	at := func(label, block int) place {
		label, block = (label+n)%n, (block+n)%n
		buf := Out
		if label == 0 {
			buf = In
		}
		return place{(root + label) % n, buf, block * k}
	}
	b.begin(n*n+n, 0)
	b.nextRound()
	b.phase("scatter", OwnBlock)
	b.copy(place{root, In, 0}, place{root, Out, 0}, n*k)
	for i, level := range binomialTree(n) {
		if i > 0 {
			b.nextRound()
		}
		for _, e := range level {
			b.copy(at(e.parent, e.child), at(e.child, e.child), subtree(e.child, n)*k)
		}
	}
	for s := range n - 1 {
		b.nextRound()
		if s == 0 {
			b.phase("all-gather", EveryoneHolds)
		}
		for v := range n {
			block, next := (v-s+n)%n, (v+1)%n
			if next <= block && block < next+subtree(next, n) {
				continue // it has kept it
			}
			b.copy(at(v, block), at(next, block), k)
		}
	}
}
