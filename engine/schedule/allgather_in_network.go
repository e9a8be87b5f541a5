package schedule

// inNetworkAllGather leaves the copying to the switches: every rank sends its
// block once and the network delivers it to all (NVLink SHARP and InfiniBand
// multicast). What a rank receives does not become less, so only the sending
// side is relieved.
func inNetworkAllGather() Entry {
	return Entry{
		Collective: AllGather, Algorithm: "in-network", MinRanks: 1, MaxRanks: MaxRanks, Pieces: 1, Layout: Switch,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n if n > 1 else 0"),
		Sent:     expression("min(n-1, 1)/n*S"),
		Received: expression("(n-1)/n*S"),
		// A multicast needs every other rank's receiving port, so one follows
		// the other, and each rank's port is idle in the turn of its own: n
		// turns of a block. Only two ranks have their turn at the same time.
		Terms:  []Term{{"all-gather", expression("1"), expression("1 if n > 2 else 1/2"), Chain}},
		When:   "where the switches can multicast: one latency, and a rank sends its block once however many there are",
		chunks: perBlock,
		build:  buildInNetworkAllGather,
	}
}

func buildInNetworkAllGather(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	b.begin(n, 0)
	b.nextRound()
	b.phase("all-gather", EveryoneHolds)
	if n == 1 {
		b.copy(place{0, In, 0}, place{0, Out, 0}, k)
		return
	}
	everyone := everyRank(n)
	for r := range n {
		b.multicast(place{r, In, 0}, place{r, Out, r * k}, everyone, k)
	}
}
