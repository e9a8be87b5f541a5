package schedule

import "fmt"

// binomialBroadcast doubles the ranks that hold the vector every round: whoever
// has it sends it on, first over the largest distance. The root's port carries
// ceil(log2 n) vectors. It is what MPI libraries take for small vectors
// (Thakur, Rabenseifner and Gropp, "Optimization of collective communication
// operations in MPICH", 2005).
func binomialBroadcast() Entry {
	return Entry{
		Collective: Broadcast, Algorithm: "binomial-tree", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Tree,
		Rounds:   expression("ceil(log2(n))+k-1 if n > 1 else 0"),
		Messages: expression("(n-1)*k"),
		Sent:     expression("ceil(log2(n))*S"),
		Received: expression("min(n-1, 1)*S"),
		Terms:    binomialBroadcastWay("floor(log2(n))"),
		Detours:  binomialBroadcastDetours(),
		When:     "small vectors on many ranks: log2(n) latencies, but log2(n) vectors through the root's port",
		chunks:   perVector,
		build:    buildBinomialBroadcast,
	}
}

// binomialBroadcastWay returns the terms of the path to label 2^hops-1, which
// has a hop for each of its one-bits, the last chunk's.
//
// The root's port never rests: the last of its L = ceil(log2 n) messages a
// chunk goes to label 1. Those to the first label on this path have one level
// behind them for each further hop: behind the last chunk's, x levels from the
// end, min(x, k) messages leave the root. On the rest of the path the chunk
// costs one message a hop. So a hop more costs a latency and saves bytes, which
// is why all numbers of hops count, not only the most, floor(log2 n).
func binomialBroadcastWay(hops string) []Term {
	return []Term{{"broadcast", expression(hops), expression("ceil(log2(n))-sum(min(x, k)-1 for x in range(1, " + hops + "))/k"), Chain}}
}

func binomialBroadcastDetours() [][]Term {
	var ways [][]Term
	for hops := 1; 1<<(hops+1) <= MaxRanks; hops++ {
		ways = append(ways, binomialBroadcastWay(fmt.Sprintf("min(%d, floor(log2(n)))", hops)))
	}
	return ways
}

func buildBinomialBroadcast(b *builder) {
	b.buildTreeBroadcast(b.fromRoot(binomialTree(b.s.Ranks)))
}

// buildTreeBroadcast sends all chunks down one tree.
func (b *builder) buildTreeBroadcast(t tree) {
	f := b.flow(t, 0, b.s.Chunks)
	b.begin((b.s.Ranks-1)*b.s.Chunks+1, 0)
	b.nextRound()
	b.phase("broadcast", EveryoneHolds)
	b.copy(place{b.s.Root, In, 0}, place{b.s.Root, Out, 0}, b.s.Chunks)
	for round := range f.rounds() {
		if round > 0 {
			b.nextRound()
		}
		b.broadcastRound(round, f)
	}
}
