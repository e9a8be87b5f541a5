package link

import (
	"fmt"
	"math/bits"
	"slices"
)

// edge is what a connection between two ranks carries: one direction of a
// lane, or both of the data lane.
type edge struct {
	src, dst int
	lane     int // dataLane, sharedLane, or that of a round of the barrier
}

const (
	// dataLane is the lane of the schedule's steps; lane 1 + k is that of round
	// k of the barrier.
	dataLane = 0
	// sharedLane is the data lane of both directions between src and dst. The
	// lower rank dials and is src.
	sharedLane = 1<<16 - 1
)

func (e edge) String() string {
	switch e.lane {
	case dataLane:
		return fmt.Sprintf("%d->%d", e.src, e.dst)
	case sharedLane:
		return fmt.Sprintf("%d->%d and back", e.src, e.dst)
	}
	return fmt.Sprintf("%d->%d (barrier round %d)", e.src, e.dst, e.lane)
}

// barrierRounds returns the rounds of a dissemination barrier of n ranks
// (Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization",
// 1988): in round k every rank tells the one 2^k further, so that after
// ⌈log2 n⌉ rounds each has heard of all.
func barrierRounds(n int) int { return bits.Len(uint(n - 1)) }

// edges returns the connections that a rank dials and those that it accepts.
func (cfg *Config) edges() (out, in []edge) {
	both := func(peer int) bool {
		return cfg.Shared && slices.Contains(cfg.To, peer) && slices.Contains(cfg.From, peer)
	}
	for _, peer := range cfg.To {
		switch {
		case !both(peer):
			out = append(out, edge{cfg.Rank, peer, dataLane})
		case cfg.Rank < peer:
			out = append(out, edge{cfg.Rank, peer, sharedLane})
		}
	}
	for _, peer := range cfg.From {
		switch {
		case !both(peer):
			in = append(in, edge{peer, cfg.Rank, dataLane})
		case peer < cfg.Rank:
			in = append(in, edge{peer, cfg.Rank, sharedLane})
		}
	}
	for k := range barrierRounds(cfg.Ranks) {
		out = append(out, edge{cfg.Rank, (cfg.Rank + 1<<k) % cfg.Ranks, 1 + k})
		in = append(in, edge{(cfg.Rank - 1<<k + cfg.Ranks) % cfg.Ranks, cfg.Rank, 1 + k})
	}
	return out, in
}
