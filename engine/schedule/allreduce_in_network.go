package schedule

// inNetworkAllReduce leaves the adding and the copying to the switch: each
// rank has the network combine one block of all ranks (net-reduce), and sends
// the sum into the network once, which hands it to everybody (multicast). A
// port carries one vector each way, about half of what any algorithm between
// hosts needs. NVLink SHARP works so within a machine (the NVLS algorithm of
// NCCL, nvls.cc); InfiniBand SHARP keeps even the sums in the switches (Graham
// and others, "Scalable hierarchical aggregation protocol (SHArP)", 2016).
func inNetworkAllReduce() Entry {
	return Entry{
		Collective: AllReduce, Algorithm: "in-network", MinRanks: 1, MaxRanks: MaxRanks, Executable: false, Pieces: 1, Layout: Switch,
		Rounds:   expression("2*min(n-1, 1)"),
		Messages: expression("2*n if n > 1 else 0"),
		Sent:     expression("min(n-1, 1)*S"),
		Received: expression("min(n-1, 1)*S"),
		// A net-reduce takes the sending ports of all but its owner, so they
		// follow one another: one vector (a rank's own block leaves a gap). A
		// multicast waits for its owner's sending port, which the net-reduces
		// hold: either all multicasts follow behind, another vector, or the
		// latency between the two covers all but the last. With two ranks
		// nothing is in the way of anything. Real switches work on packets and
		// hand out the first while later ones are combined, so their time comes
		// near one vector; in whole messages it cannot.
		Terms: []Term{
			{"reduce-scatter", expression("1"), expression("1 if n > 2 else 1/2"), Chain},
			{"all-gather", expression("1"), expression("1/n"), Chain},
		},
		Detours: [][]Term{{
			{"reduce-scatter", expression("1"), expression("1 if n > 2 else 1/2"), Chain},
			{"all-gather", expression("0"), expression("1 if n > 2 else 1/2"), Chain},
		}},
		When:   "where the switch can add and multicast: two latencies, one vector out of each port and one in, whatever n",
		chunks: perBlock,
		build:  buildInNetworkAllReduce,
	}
}

func buildInNetworkAllReduce(b *builder) {
	n := b.s.Ranks
	k := b.s.Chunks / n
	b.begin(2*n, 0)
	b.nextRound()
	b.phase("reduce-scatter", OwnBlock)
	if n == 1 {
		b.copy(place{0, In, 0}, place{0, Out, 0}, k)
		b.s.Phases[0].Invariant = EveryoneHolds
		return
	}
	everyone, others := everyRank(n), make([][]int, n)
	for r := range n {
		for i := 1; i < n; i++ {
			others[r] = append(others[r], (r+i)%n)
		}
	}
	for r := range n {
		b.netReduce(everyone, place{0, In, r * k}, place{r, Out, r * k}, k)
	}
	b.nextRound()
	b.phase("all-gather", EveryoneHolds)
	for r := range n {
		b.multicast(place{r, Out, r * k}, place{0, Out, r * k}, others[r], k)
	}
}
