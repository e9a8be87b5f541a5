package measured

import (
	"lockstep/engine/schedule"
	"lockstep/sizing/hardware"
)

// Algorithm names the algorithm of the catalogue whose shape the time has: what
// a vendor's library is likely to take. It explains a time; it does not make
// it, since libraries choose by tables of their own.
func Algorithm(c Case, b Breakdown) string {
	s := c.System
	latencies := b.Bytes < b.Inside+b.Across+b.Pipeline // they outweigh the bytes
	switch c.Collective {
	case schedule.AllReduce:
		switch {
		case s.Domains <= 1 && b.Reduced, s.SHARP:
			return "in-network"
		case s.Domains == 2 && reduces(s, s.Domain), s.Domains > 1 && s.Scale == hardware.NVL72:
			return "hierarchical"
		case s.Domains == 2 && s.Domain > 1 && !s.NoNVLS, latencies && s.Ranks > 2 && !s.NoNVLS:
			return "double-binary-tree"
		}
		return "ring"
	case schedule.AllGather, schedule.ReduceScatter:
		return "ring"
	case schedule.Broadcast, schedule.ReduceTo:
		return "chain"
	case schedule.Barrier:
		return "dissemination"
	default:
		return "direct"
	}
}
