package schedule

// recursiveDoublingAllReduce has every member exchange its whole sum with the
// one whose number differs in one bit, nearest first; after the exchange of
// bit t, both hold the sum of the same 2^(t+1) members (Thakur, Rabenseifner
// and Gropp, "Optimization of collective communication operations in MPICH",
// 2005). Where the ranks are no power of two the surplus is folded into
// neighbours first and gets the result in the end.
func recursiveDoublingAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "recursive-doubling", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("floor(log2(n))+2*min(n-p, 1)"),
		Messages: expression("p*floor(log2(n))+2*(n-p)"),
		Sent:     expression("(floor(log2(n))+min(n-p, 1))*S"),
		Received: expression("(floor(log2(n))+min(n-p, 1))*S"),
		// A port is busy for one vector a round, and each round but the first
		// follows on the one before by a message that was delivered, which
		// costs a latency, or by the same port, which costs none. A way from
		// fold to unfold must end at a host: its deliveries change the bits of
		// the member, and hosts are the members below n-p, which differ from
		// one another in ceil(log2(n-p)) bits at most. A way that leaves out
		// the fold or the unfold may change all bits.
		Terms: []Term{
			{"fold", expression("min(n-p, 1)"), expression("min(n-p, 1)"), Chain},
			{"exchange", expression("floor(log2(n)) if n == p else ceil(log2(n-p))"), expression("floor(log2(n))"), Chain},
			{"unfold", expression("min(n-p, 1)"), expression("min(n-p, 1)"), Chain},
		},
		Detours: [][]Term{{
			{"fold", expression("min(n-p, 1)"), expression("min(n-p, 1)"), Chain},
			{"exchange", expression("floor(log2(n))"), expression("floor(log2(n))"), Chain},
		}},
		When:   "small vectors on many ranks: log2(n) latencies where n is a power of two, two more elsewhere, but every one of them carries the whole vector",
		chunks: perVector,
		build:  buildRecursiveDoublingAllReduce,
	}
}

func buildRecursiveDoublingAllReduce(b *builder) {
	n, k := b.s.Ranks, b.s.Chunks
	f := newFolding(n)
	exchanges := f.rounds()
	b.begin(2*f.members*exchanges+3*f.surplus+1, k)
	b.nextRound()
	if n == 1 {
		b.phase("exchange", EveryoneHolds)
		b.copy(place{0, In, 0}, place{0, Out, 0}, k)
		return
	}
	// sum is where a member's sum lies after i exchanges. A host has one, of
	// its own and its guest's vector, before the first.
	sum := func(m, i int) place {
		if m < f.surplus {
			return place{f.first(m), alternating(i+2, exchanges+2), 0}
		}
		return place{f.first(m), alternating(i, exchanges), 0}
	}
	if f.surplus > 0 {
		b.phase("fold", NoInvariant)
		for m := range f.surplus {
			b.copy(place{f.first(m), In, 0}, sum(m, 0), k)
		}
		for m := f.surplus; m < f.members; m++ {
			b.copy(sum(m, 0), sum(m, 1), k)
		}
		b.nextRound()
		for m := range f.surplus {
			b.reduce(place{f.first(m) + 1, In, 0}, sum(m, 0), k)
		}
		b.nextRound()
		b.phase("exchange", NoInvariant)
	} else {
		b.phase("exchange", EveryoneHolds)
	}
	for i := range exchanges {
		moving := f.members
		if i == 0 && f.surplus > 0 {
			moving = f.surplus // the others have been
		}
		for m := range moving {
			b.copy(sum(m, i), sum(m, i+1), k)
		}
		b.nextRound()
		for m := range f.members {
			b.reduce(sum(m, i), sum(m^1<<i, i+1), k)
		}
		b.nextRound()
	}
	b.phase("unfold", EveryoneHolds)
	for m := range f.surplus {
		b.copy(sum(m, exchanges), place{f.first(m) + 1, Out, 0}, k)
	}
}
