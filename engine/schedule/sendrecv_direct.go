package schedule

// directSendRecv has every rank send its vector to the next and receive that
// of the one before, as nccl-tests' sendrecv_perf does: what a pipeline's
// stages do with activations, and the plainest measure of a link.
func directSendRecv() Entry {
	return Entry{
		Collective: SendRecv, Algorithm: "direct", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Ring,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("n if n > 1 else 0"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("min(n-1, 1)*S"),
		Terms:    []Term{{"exchange", expression("1"), expression("min(n-1, 1)"), EveryPort}},
		When:     "a vector for one neighbour: nothing is faster than sending it",
		chunks:   perVector,
		build:    buildDirectSendRecv,
	}
}

func buildDirectSendRecv(b *builder) {
	n := b.s.Ranks
	b.begin(n, 0)
	b.nextRound()
	b.phase("exchange", EveryoneHolds)
	for r := range n {
		b.copy(place{r, In, 0}, place{(r + 1) % n, Out, 0}, b.s.Chunks)
	}
}
