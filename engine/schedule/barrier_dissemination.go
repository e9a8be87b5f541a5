package schedule

import "math/bits"

// disseminationBarrier has every rank tell, in the round of distance d = 1, 2,
// 4 and so on, the rank d further on what it knows: after it, a rank knows of
// the 2d ranks up to itself (Hensgen, Finkel and Manber, "Two algorithms for
// barrier synchronization", 1988). It works for any n, because hearing of a
// rank twice does no harm; so it does not serve to add.
func disseminationBarrier() Entry {
	return Entry{
		Collective: Barrier, Algorithm: "dissemination", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Ring,
		Rounds:   expression("ceil(log2(n))"),
		Messages: expression("n*ceil(log2(n))"),
		Sent:     expression("0"),
		Received: expression("0"),
		// What a rank tells in a round, it has heard in the one before.
		Terms:  []Term{{"exchange", expression("ceil(log2(n))"), expression("0"), EveryPort}},
		When:   "many ranks: ceil(log2 n) latencies, and no rank has more than one message each way at a time",
		chunks: oneToken,
		build:  buildDisseminationBarrier,
	}
}

func buildDisseminationBarrier(b *builder) {
	n := b.s.Ranks
	rounds := bits.Len(uint(n - 1))
	b.begin(2*n*max(rounds, 1), 1)
	b.nextRound()
	b.phase("exchange", EveryoneHolds)
	if n == 1 {
		b.copy(place{0, In, 0}, place{0, Out, 0}, 1)
		return
	}
	for i := range rounds {
		from, to := alternating(i, rounds), alternating(i+1, rounds)
		for r := range n {
			b.copy(place{r, from, 0}, place{r, to, 0}, 1)
		}
		b.nextRound()
		for r := range n {
			b.reduce(place{r, from, 0}, place{(r + 1<<i) % n, to, 0}, 1)
		}
		b.nextRound()
	}
}
