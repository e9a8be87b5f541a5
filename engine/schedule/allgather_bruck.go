package schedule

import "math/bits"

// bruckAllGather doubles what everyone has in every round, for any number of
// ranks: rank r collects from r+1, r+2, r+4 and so on, in the order of the
// ring from its own block on, and puts that in order at the end (Bruck et al.,
// "Efficient algorithms for all-to-all communications in multiport
// message-passing systems", 1997; MPICH's short all-gather). Each message is
// one run of blocks, at the price of a copy of everything within the rank.
func bruckAllGather() Entry {
	return Entry{
		Collective: AllGather, Algorithm: "bruck", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("ceil(log2(n))"),
		Messages: expression("n*ceil(log2(n))"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		// All ranks do the same, so no port waits, and a message waits for the
		// one before it; but the last, of n-p blocks, sends only the first that
		// its sender collected. With n-p <= p/2 those were there before the
		// message before it came, so it leaves right behind that one, or, with
		// n-p <= p/4, behind an earlier one: it goes while the others wait out a
		// latency, and takes one away, or its blocks, whichever are shorter.
		Terms:   []Term{{"exchange", expression(shortLastHop), expression("(n-1)/n"), EveryPort}},
		Detours: [][]Term{{{"exchange", expression("ceil(log2(2*n/3))"), expression("(p-1)/n if 2*n <= 3*p else (n-1)/n"), Chain}}},
		When:    "small blocks on any number of ranks: the fewest rounds and the least bytes, but everything is copied once more within each rank",
		chunks:  perBlock,
		build:   buildBruckAllGather,
	}
}

// shortLastHop is how many latencies the doubling algorithms pay that have
// nothing left to wait for when the message over the largest distance leaves:
// ceil(log2 n), but one less where n is at most 3/4, two where it is at most
// 5/8 of the next power of two.
const shortLastHop = "ceil(log2(2*n/3))-(1 if 8*n <= 5*2**ceil(log2(n)) else 0)"

func buildBruckAllGather(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	b.begin(n*bits.Len(uint(n))+3*n, b.s.Chunks)
	b.nextRound()
	if n == 1 {
		b.phase("exchange", EveryoneHolds)
		b.copy(place{0, In, 0}, place{0, Out, 0}, k)
		return
	}
	b.phase("exchange", NoInvariant)
	for r := range n {
		b.copy(place{r, In, 0}, place{r, Tmp, 0}, k)
	}
	for have := 1; have < n; have *= 2 {
		from := Tmp
		if have == 1 {
			from = In // its copy in tmp is of this round
		} else {
			b.nextRound()
		}
		for r := range n {
			b.copy(place{(r + have) % n, from, 0}, place{r, Tmp, have * k}, min(have, n-have)*k)
		}
	}
	b.nextRound()
	b.phase("rotate", EveryoneHolds)
	for r := range n {
		b.copyAround(place{r, Tmp, 0}, place{r, Out, r * k}, b.s.Chunks)
	}
}
