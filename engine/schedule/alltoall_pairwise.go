package schedule

// pairwiseAllToAll sends the same blocks as the direct all-to-all, one a
// round: in round x each rank sends to the one x further on and receives from
// the one x before it (MPICH's and Open MPI's pairwise MPI_Alltoall for long
// messages). A rank never has more than one message each way under way, and
// the network sees n-1 permutations instead of everything at once.
func pairwiseAllToAll() Entry {
	return Entry{
		Collective: AllToAll, Algorithm: "pairwise", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Row,
		Rounds:   expression("n-1"),
		Messages: expression("n*(n-1)"),
		Sent:     expression("(n-1)/n*S"),
		Received: expression("(n-1)/n*S"),
		// No block depends on another: a rank sends the next as soon as the
		// one before has left, without waiting for it to be delivered. So the
		// latencies overlap, and one is left.
		Terms:  []Term{{"exchange", expression("1"), expression("(n-1)/n"), EveryPort}},
		When:   "large blocks: as few bytes as the direct one, and one message at a time per rank spares buffers and avoids congestion",
		chunks: perBlock,
		build:  buildPairwiseAllToAll,
	}
}

func buildPairwiseAllToAll(b *builder) {
	n := b.s.Ranks
	b.begin(n*n, 0)
	b.nextRound()
	b.phase("exchange", EveryoneHolds)
	b.shiftBlocks(0)
	for shift := 1; shift < n; shift++ {
		if shift > 1 {
			b.nextRound()
		}
		b.shiftBlocks(shift)
	}
}
