package schedule

// inNetworkReduceScatter leaves the adding up to the switches: every rank
// fetches the sum of its block, which the network makes of all contributions
// on the way (SHARP; NVLink SHARP's load-reduce). What a rank sends does not
// become less, so only the receiving side is relieved.
func inNetworkReduceScatter() Entry {
	return Entry{
		Collective: ReduceScatter, Algorithm: "in-network", MinRanks: 1, MaxRanks: MaxRanks, Pieces: 1, Layout: Switch,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n if n > 1 else 0"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("min(n-1, 1)/n*S"),
		// A sum needs every other rank's sending port, so one follows the other,
		// and each rank's port is idle in the turn of its own: n turns of a
		// block. Only two ranks have their turn at the same time.
		Terms:  []Term{{"reduce-scatter", expression("1"), expression("1 if n > 2 else 1/2"), Chain}},
		When:   "where the switches can add: one latency, and a rank receives its block once, complete",
		chunks: perBlock,
		build:  buildInNetworkReduceScatter,
	}
}

func buildInNetworkReduceScatter(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	b.begin(n, 0)
	b.nextRound()
	b.phase("reduce-scatter", OwnBlock)
	if n == 1 {
		b.copy(place{0, In, 0}, place{0, Out, 0}, k)
		return
	}
	everyone := everyRank(n)
	for r := range n {
		b.netReduce(everyone, place{0, In, r * k}, place{r, Out, 0}, k)
	}
}
