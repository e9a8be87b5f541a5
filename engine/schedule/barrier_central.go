package schedule

// centralBarrier has every rank report to rank 0, which lets all go once it
// has heard of everybody. It takes two latencies, but all 2(n-1) messages pass
// through one rank.
func centralBarrier() Entry {
	return Entry{
		Collective: Barrier, Algorithm: "central", MinRanks: 1, MaxRanks: MaxRanks, Executable: true, Pieces: 1, Layout: Star,
		Rounds:   expression("2*min(n-1, 1)"),
		Messages: expression("2*(n-1)"),
		Sent:     expression("0"),
		Received: expression("0"),
		Terms: []Term{
			{"collect", expression("1"), expression("0"), FirstReceives},
			{"return", expression("1"), expression("0"), FirstSends},
		},
		When:   "few ranks: two latencies, as long as rank 0 can cope with n-1 messages at once",
		chunks: oneToken,
		build:  buildCentralAllReduce,
	}
}

// oneToken: a barrier moves no data that could be cut.
func oneToken(_, _, _ int) int { return 1 }
