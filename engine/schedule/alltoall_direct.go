package schedule

// directAllToAll sends every block straight to its rank, all at once. Every
// block crosses the network once, so the ports carry the least there is, and
// there is one latency; what it costs is n-1 messages under way at each rank
// (linear_sync of Open MPI; NCCL programs post all sends and receives as one
// group).
func directAllToAll() Entry {
	return Entry{
		Collective: AllToAll, Algorithm: "direct", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n*(n-1)"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		// Each rank begins with the one behind it, so that no two ever send to
		// the same: the ports are never idle until the last block has left.
		Terms:  []Term{{"exchange", expression("1"), expression("(n-1)/n"), EveryPort}},
		When:   "always, where a rank can keep n-1 messages going: one latency, and every block crosses the network once",
		chunks: perBlock,
		build:  buildDirectAllToAll,
	}
}

func buildDirectAllToAll(b *builder) {
	n := b.s.Ranks
	b.begin(n*n, 0)
	b.nextRound()
	b.phase("exchange", EveryoneHolds)
	for shift := range n {
		b.shiftBlocks(shift)
	}
}

// shiftBlocks has every rank send its block for the rank that is shift further
// on; by 0, it keeps its own.
func (b *builder) shiftBlocks(shift int) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	for r := range n {
		to := (r + shift) % n
		b.copy(place{r, In, to * k}, place{to, Out, r * k}, k)
	}
}
