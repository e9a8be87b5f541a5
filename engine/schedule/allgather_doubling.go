package schedule

import "math/bits"

// recursiveDoublingAllGather has partners exchange all they have: neighbours
// first, then at twice the distance, and so on. With n a power of two every
// port is busy all the time and log2 n latencies are paid (Thakur, Rabenseifner
// and Gropp, "Optimization of collective communication operations in MPICH",
// 2005). Otherwise the surplus ranks fold into a neighbour before and get the
// whole buffer after, which costs up to twice the bytes.
func recursiveDoublingAllGather() Entry {
	return Entry{
		Collective: AllGather, Algorithm: "recursive-doubling", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("log2(p)+2*min(n-p, 1)"),
		Messages: expression("p*log2(p)+2*(n-p)"),
		Sent:     expression("(n-1)/n*S if n == p else (n+p-1+" + foldedRanges + ")/n*S"),
		Received: expression("(n-1)/n*S if n == p else S"),
		// A power of two: every exchange waits for the one before. Otherwise two
		// ways can be the longest, both ending with the whole buffer for a guest.
		// Host 0 sends, after its guest's block, 2^t members' ranges in exchange
		// t, guests' blocks and all, back to back as long as these bytes outweigh
		// the latency of what it waits for: only the ceil(log2(n-p)) exchanges
		// among hosts are in step with it, as all of them began as late. Or the
		// members without guests, which began at once, determine when the last
		// host is complete: log2 p exchanges, p-1 blocks.
		Terms: []Term{
			{"fold", expression("0 if n == p else 1"), expression("0 if n == p else 1/n"), Chain},
			{"exchange", expression("log2(n) if n == p else ceil(log2(n-p))"), expression("(n-1)/n if n == p else (p-1+" + foldedRanges + ")/n"), Chain},
			{"unfold", expression("0 if n == p else 1"), expression("0 if n == p else 1"), Chain},
		},
		Detours: [][]Term{{
			{"exchange", expression("log2(p)"), expression("(p-1)/n"), Chain},
			{"unfold", expression("0 if n == p else 1"), expression("0 if n == p else 1"), Chain},
		}},
		When:   "small blocks on a power of two of ranks: log2 n latencies and the least bytes; with surplus ranks the whole buffer once more",
		chunks: perBlock,
		build:  buildRecursiveDoublingAllGather,
	}
}

// foldedRanges is how many guests the ranks that member 0 stands for have in
// them, summed over its ranges of 1, 2, 4 … members short of all: the sum over
// t < log2 p of min(2^t, n-p).
const foldedRanges = "2**ceil(log2(n-p))-1+(log2(p)-ceil(log2(n-p)))*(n-p)"

func buildRecursiveDoublingAllGather(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	f := newFolding(n)
	b.begin(n*bits.Len(uint(n))+3*n, 0)
	b.nextRound()
	if f.surplus > 0 {
		b.phase("fold", NoInvariant)
	} else {
		b.phase("exchange", EveryoneHolds)
	}
	for m := range f.members {
		r := f.first(m)
		b.copy(place{r, In, 0}, place{r, Out, r * k}, k)
		if m < f.surplus {
			b.copy(place{r + 1, In, 0}, place{r, Out, (r + 1) * k}, k)
		}
	}
	for distance := 1; distance < f.members; distance *= 2 {
		from := Out
		if distance == 1 && f.surplus == 0 {
			from = In // its copy in out is of this round
		} else {
			b.nextRound()
		}
		if distance == 1 && f.surplus > 0 {
			b.phase("exchange", NoInvariant)
		}
		for m := range f.members {
			low, high := f.run(m, distance) // all that it has by now
			src := place{f.first(m), from, low * k}
			if from == In {
				src.chunk = 0
			}
			b.copy(src, place{f.first(m ^ distance), Out, low * k}, (high-low)*k)
		}
	}
	if f.surplus == 0 {
		return
	}
	b.nextRound()
	b.phase("unfold", EveryoneHolds)
	for m := range f.surplus {
		b.copy(place{f.first(m), Out, 0}, place{f.first(m) + 1, Out, 0}, b.s.Chunks)
	}
}
