package schedule

import "math/bits"

// recursiveHalvingReduceScatter has partners share out what they still add up:
// each sends the half of the blocks that lies on the partner's side and keeps
// its own, at half the number of ranks first, then at half that distance
// (Thakur, Rabenseifner and Gropp, "Optimization of collective communication
// operations in MPICH", 2005). Surplus ranks add their whole vector to a
// neighbour's before, and get their block back from it after.
func recursiveHalvingReduceScatter() Entry {
	return Entry{
		Collective: ReduceScatter, Algorithm: "recursive-halving", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("log2(p)+2*min(n-p, 1)"),
		Messages: expression("p*log2(p)+2*(n-p)"),
		Sent:     expression("(n-1)/n*S if n == p else S"),
		Received: expression("(n-1)/n*S if n == p else (n+p-1+" + foldedRanges + ")/n*S"),
		// The all-gather's ways, backwards. A power of two: every exchange waits
		// for the one before. Otherwise a guest's whole vector comes first, and
		// two ways can be the longest after it. Into the port of host 0 come,
		// back to back, the halves that its partners have ready meanwhile, in
		// sizes as its own ranges shrink; only the ceil(log2(n-p)) exchanges
		// among hosts are in step with it, and the guest's block goes back. Or
		// what the host added goes through all log2 p exchanges to a member
		// without guest, p-1 blocks. For n just above a power of two, 9, 17, 18
		// and 33 to 36 up to 64, there are latencies at which a message that is
		// early takes the port from one on the longest way: 4 % are missing
		// there at most.
		Terms: []Term{
			{"fold", expression("0 if n == p else 1"), expression("0 if n == p else 1"), Chain},
			{"exchange", expression("log2(n) if n == p else ceil(log2(n-p))"), expression("(n-1)/n if n == p else (p-1+" + foldedRanges + ")/n"), Chain},
			{"unfold", expression("0 if n == p else 1"), expression("0 if n == p else 1/n"), Chain},
		},
		Detours: [][]Term{{
			{"fold", expression("0 if n == p else 1"), expression("0 if n == p else 1"), Chain},
			{"exchange", expression("log2(p)"), expression("(p-1)/n"), Chain},
		}},
		Rough:  expression("n > p and 8*(n-p) <= p"),
		When:   "small vectors on a power of two of ranks: log2 n latencies and the least bytes; with surplus ranks the whole vector once more",
		chunks: perBlock,
		build:  buildRecursiveHalvingReduceScatter,
	}
}

func buildRecursiveHalvingReduceScatter(b *builder) {
	n, all := b.s.Ranks, b.s.Chunks
	k := all / n
	f := newFolding(n)
	b.begin(n*bits.Len(uint(n))+3*n, all)
	b.nextRound()
	if n == 1 {
		b.phase("exchange", OwnBlock)
		b.copy(place{0, In, 0}, place{0, Out, 0}, all)
		return
	}
	if f.surplus > 0 {
		b.phase("fold", NoInvariant)
	} else {
		b.phase("exchange", OwnBlock)
	}
	// A host adds up all blocks, the other members only the half they keep in
	// the first exchange; what they send there is their own contribution.
	for m := range f.members {
		r := f.first(m)
		low, high := 0, n
		if m >= f.surplus {
			low, high = f.run(m, f.members/2)
		}
		b.copy(place{r, In, low * k}, place{r, Tmp, low * k}, (high-low)*k)
	}
	if f.surplus > 0 {
		b.nextRound()
		for m := range f.surplus {
			b.reduce(place{f.first(m) + 1, In, 0}, place{f.first(m), Tmp, 0}, all)
		}
	}
	for distance := f.members / 2; distance > 0; distance /= 2 {
		b.nextRound()
		if distance == f.members/2 && f.surplus > 0 {
			b.phase("exchange", NoInvariant)
		}
		for m := range f.members {
			partner := m ^ distance
			low, high := f.run(partner, distance)
			from := place{f.first(m), Tmp, low * k}
			if distance == f.members/2 && m >= f.surplus {
				from.buf = In
			}
			b.reduce(from, place{f.first(partner), Tmp, low * k}, (high-low)*k)
		}
	}
	b.nextRound()
	if f.surplus > 0 {
		b.phase("unfold", OwnBlock)
	}
	for m := range f.members {
		for r := f.first(m); r < f.first(m+1); r++ {
			b.copy(place{f.first(m), Tmp, r * k}, place{r, Out, 0}, k)
		}
	}
}
