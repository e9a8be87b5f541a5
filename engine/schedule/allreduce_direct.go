package schedule

// directAllReduce has every rank send its whole vector to every other, and
// every rank add up what it then has: in the order of the ranks, the same
// everywhere, so that all end with the same bits, whatever came first. There
// is one latency, and no algorithm has fewer; for it every port carries n-1
// vectors both ways. TensorRT-LLM's and vLLM's one-shot all-reduce for small
// messages within a machine is this one.
func directAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "direct", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n*(n-1)"),
		Sent:     expression("(n-1)*S"),
		Received: expression("(n-1)*S"),
		// All vectors may leave at once: they queue at the ports, which are
		// never idle because no two ranks send to one at the same time, and
		// the last is delivered one latency after it has left.
		Terms:   []Term{{"exchange", expression("1"), expression("n-1"), EveryPort}},
		When:    "very small vectors on few ranks: one latency, the least there is, but every port carries n-1 vectors",
		chunks:  perVector,
		scratch: func(n, _ int) int { return n },
		build:   buildDirectAllReduce,
	}
}

func buildDirectAllReduce(b *builder) {
	n, k := b.s.Ranks, b.s.Chunks
	b.begin(n*(2*n-1), n*k)
	b.nextRound()
	b.phase("exchange", NoInvariant)
	// The sums begin with rank 0's vector, which therefore goes straight to
	// out; the others wait in tmp, each in its sender's place.
	arrival := func(from, at int) place {
		if from == 0 {
			return place{at, Out, 0}
		}
		return place{at, Tmp, from * k}
	}
	b.copy(place{0, In, 0}, place{0, Out, 0}, k)
	for shift := 1; shift < n; shift++ {
		for r := range n {
			b.copy(place{r, In, 0}, arrival(r, (r+shift)%n), k)
		}
	}
	b.nextRound()
	b.phase("sum", EveryoneHolds)
	for r := range n {
		for from := 1; from < n; from++ {
			operand := arrival(from, r)
			if from == r {
				operand = place{r, In, 0}
			}
			b.reduce(operand, place{r, Out, 0}, k)
		}
	}
}
