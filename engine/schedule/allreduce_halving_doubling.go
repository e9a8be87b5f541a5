package schedule

// halvingDoublingAllReduce is a reduce-scatter by recursive halving and an
// all-gather by recursive doubling (Rabenseifner, "Optimization of collective
// reduction operations", 2004; MPICH's and Open MPI's all-reduce for large
// vectors). The vector is cut into as many blocks as there are members, a
// power of two. Two members whose numbers differ in the highest bit swap
// halves and add, then quarters with the next bit, until member m has the sum
// of block m; the same way back, doubling, everybody gets all blocks. So the
// ports carry the least there is, as in a ring, but in 2·log2(n) latencies.
// The surplus over a power of two is folded into neighbours at the price of
// two more vectors.
func halvingDoublingAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "halving-doubling", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("2*floor(log2(n))+2*min(n-p, 1)"),
		Messages: expression("2*p*floor(log2(n))+2*(n-p)"),
		Sent:     expression("(2*(p-1)/p+min(n-p, 1))*S"),
		Received: expression("(2*(p-1)/p+min(n-p, 1))*S"),
		// Each round waits for the one before it. A host's blocks leave it and
		// come back to it along the same partners, so a way from the fold
		// through all rounds to the unfold of the same host exists always. With
		// a surplus below a quarter of p, hosts whose partners did not have to wait
		// are ahead of the others, and at some ratios of latency and bytes a
		// message of theirs holds up one on this way, for two hundredths of the
		// time at most.
		Terms: []Term{
			{"fold", expression("min(n-p, 1)"), expression("min(n-p, 1)"), Chain},
			{"reduce-scatter", expression("floor(log2(n))"), expression("(p-1)/p"), Chain},
			{"all-gather", expression("floor(log2(n))"), expression("(p-1)/p"), Chain},
			{"unfold", expression("min(n-p, 1)"), expression("min(n-p, 1)"), Chain},
		},
		Rough:  expression("n > p and 4*(n-p) < p"),
		When:   "large vectors on a power of two of ranks: as few bytes as the ring in 2·log2(n) latencies; elsewhere two vectors more",
		chunks: func(n, _, pieces int) int { return newFolding(n).members * pieces },
		build:  buildHalvingDoublingAllReduce,
	}
}

func buildHalvingDoublingAllReduce(b *builder) {
	n := b.s.Ranks
	f := newFolding(n)
	k := b.s.Chunks / f.members
	b.begin(f.members*(2*f.rounds()+1)+2*f.surplus, 0)
	b.nextRound()
	if f.surplus > 0 {
		b.phase("fold", NoInvariant)
	} else {
		b.phase("reduce-scatter", TogetherHoldAll)
	}
	// half returns the blocks, of the 2·distance around block m, that lie on
	// m's side.
	half := func(m, distance int) (first, count int) { return m &^ (distance - 1) * k, distance * k }
	top := f.members / 2
	for m := range f.members {
		first, count := 0, b.s.Chunks
		if m >= f.surplus && top > 0 {
			first, count = half(m, top) // the rest leaves before anything is added to it
		}
		b.copy(place{f.first(m), In, first}, place{f.first(m), Out, first}, count)
	}
	b.nextRound()
	if f.surplus > 0 {
		for m := range f.surplus {
			b.reduce(place{f.first(m) + 1, In, 0}, place{f.first(m), Out, 0}, b.s.Chunks)
		}
		b.nextRound()
		b.phase("reduce-scatter", TogetherHoldAll)
	}
	for distance := top; distance > 0; distance /= 2 {
		for m := range f.members {
			from := Out
			if distance == top && m >= f.surplus {
				from = In
			}
			partner := m ^ distance
			first, count := half(partner, distance)
			b.reduce(place{f.first(m), from, first}, place{f.first(partner), Out, first}, count)
		}
		b.nextRound()
	}
	last := EveryoneHolds
	if f.surplus > 0 {
		last = NoInvariant
	}
	b.phase("all-gather", last)
	for distance := 1; distance <= top; distance *= 2 {
		for m := range f.members {
			first, count := half(m, distance)
			b.copy(place{f.first(m), Out, first}, place{f.first(m ^ distance), Out, first}, count)
		}
		b.nextRound()
	}
	b.phase("unfold", EveryoneHolds)
	for m := range f.surplus {
		b.copy(place{f.first(m), Out, 0}, place{f.first(m) + 1, Out, 0}, b.s.Chunks)
	}
}
