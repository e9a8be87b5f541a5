package link

import (
	"fmt"
	"math/bits"
)

// edge is one direction of a connection between two ranks.
type edge struct {
	src, dst int
	lane     int // dataLane, or that of a round of the barrier
}

// dataLane is the lane of the schedule's steps; lane 1 + k is that of round k
// of the barrier.
const dataLane = 0

func (e edge) String() string {
	if e.lane == dataLane {
		return fmt.Sprintf("%d->%d", e.src, e.dst)
	}
	return fmt.Sprintf("%d->%d (barrier round %d)", e.src, e.dst, e.lane)
}

// barrierRounds returns the rounds of a dissemination barrier of n ranks
// (Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization",
// 1988): in round k every rank tells the one 2^k further, so that after
// ⌈log2 n⌉ rounds each has heard of all.
func barrierRounds(n int) int { return bits.Len(uint(n - 1)) }

// edges returns the edges that leave and that reach a rank.
func edges(rank, ranks int, to, from []int) (out, in []edge) {
	for _, peer := range to {
		out = append(out, edge{rank, peer, dataLane})
	}
	for _, peer := range from {
		in = append(in, edge{peer, rank, dataLane})
	}
	for k := range barrierRounds(ranks) {
		out = append(out, edge{rank, (rank + 1<<k) % ranks, 1 + k})
		in = append(in, edge{(rank - 1<<k + ranks) % ranks, rank, 1 + k})
	}
	return out, in
}
