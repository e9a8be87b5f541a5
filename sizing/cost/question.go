package cost

import (
	"fmt"
	"math"
	"math/big"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Network is a flat network: any two ranks are equally far apart, and each has
// one port that sends and receives at the same time.
type Network struct {
	Latency   time.Duration // α: from the last byte's leaving to its arrival, of every message
	Bandwidth unit.Rate     // B: of every port, each way
}

// Check returns a *schedule.RequestError when n is not a network.
func (n Network) Check() error {
	if b := float64(n.Bandwidth); !(b > 0) || math.IsInf(b, 0) {
		return &schedule.RequestError{Field: "bandwidth", Message: fmt.Sprintf("a bandwidth of %v bytes/s; accepted: more than 0", b)}
	}
	if n.Latency < 0 {
		return &schedule.RequestError{Field: "latency", Message: fmt.Sprintf("a latency of %v; accepted: 0 or more", n.Latency)}
	}
	return nil
}

// Question asks for the price of a collective.
type Question struct {
	Collective   schedule.Collective
	Ranks        int
	RanksPerNode int        // 0 for two nodes; only algorithms that look at nodes see it
	Size         unit.Bytes // the full buffer, as nccl-tests counts it
	Chunks       int        // pieces per vector or block; 0 for the default
	Network      Network
}

// check returns a *schedule.RequestError for the first field that is unusable.
func (q Question) check() error {
	switch {
	case q.Ranks < 1 || q.Ranks > schedule.MaxRanks:
		return &schedule.RequestError{Field: "ranks", Message: fmt.Sprintf("%d ranks; accepted: 1 to %d", q.Ranks, schedule.MaxRanks)}
	case q.Size < 0:
		return &schedule.RequestError{Field: "size", Message: fmt.Sprintf("%d bytes; accepted: 0 or more", q.Size)}
	case q.RanksPerNode < 0:
		return &schedule.RequestError{Field: "ranks_per_node", Message: fmt.Sprintf("%d ranks per node; accepted: 1 or more", q.RanksPerNode)}
	case q.Chunks < 0:
		return &schedule.RequestError{Field: "chunks", Message: fmt.Sprintf("%d chunks; accepted: 1 or more", q.Chunks)}
	}
	return q.Network.Check()
}

// latency and transfer return α and S/B in seconds, exactly.
func (q Question) latency() *big.Rat {
	return big.NewRat(int64(q.Network.Latency), int64(time.Second))
}

func (q Question) transfer() *big.Rat {
	bandwidth := new(big.Rat).SetFloat64(float64(q.Network.Bandwidth)) // finite: checked
	return new(big.Rat).Quo(new(big.Rat).SetInt64(int64(q.Size)), bandwidth)
}
