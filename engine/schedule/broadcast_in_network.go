package schedule

// inNetworkBroadcast leaves the copying to the switches: the root sends the
// vector once and the network delivers it to every rank, as NVLink SHARP and
// IP multicast do. Hosts cannot do it, so it is shown and priced only.
func inNetworkBroadcast() Entry {
	return Entry{
		Collective: Broadcast, Algorithm: "in-network", MinRanks: 1, MaxRanks: MaxRanks, Pieces: 1, Layout: Switch,
		Rounds:   expression("min(n-1, 1)"),
		Messages: expression("min(n-1, 1)"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("min(n-1, 1)*S"),
		// One message: the root's port sends the vector while every other
		// rank's receives it.
		Terms:  []Term{{"broadcast", expression("1"), expression("1"), Chain}},
		When:   "switches that copy for the ranks: one latency and one vector whatever n",
		chunks: perVector,
		build:  buildInNetworkBroadcast,
	}
}

func buildInNetworkBroadcast(b *builder) {
	root, all := b.s.Root, b.s.Chunks
	b.begin(1, 0)
	b.nextRound()
	b.phase("broadcast", EveryoneHolds)
	if b.s.Ranks == 1 {
		b.copy(place{root, In, 0}, place{root, Out, 0}, all)
		return
	}
	b.multicast(place{root, In, 0}, place{0, Out, 0}, everyRank(b.s.Ranks), all)
}
