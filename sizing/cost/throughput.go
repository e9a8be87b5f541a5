package cost

import (
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Throughput is how fast a collective went, in the three ways in which people
// say it; each follows from the others by
//
//	Alg = Size/Time        Bus = Alg × bus factor
//
// Where there is nothing to divide by, at no bytes or no time, and for a
// barrier, all three are zero.
type Throughput struct {
	Time unit.Seconds
	Alg  unit.Rate // algorithm bandwidth: of the full buffer
	Bus  unit.Rate // bus bandwidth: of what the busiest port must carry
}

// ThroughputIn is that of a collective on so many ranks that took t for a full
// buffer of size.
func ThroughputIn(c schedule.Collective, ranks int, size unit.Bytes, t unit.Seconds) Throughput {
	factor := c.BusFactor(ranks)
	if size <= 0 || !(t > 0) || factor == 0 {
		return Throughput{}
	}
	alg := unit.Rate(float64(size) / float64(t))
	return Throughput{Time: t, Alg: alg, Bus: unit.Rate(float64(alg) * factor)}
}

// ThroughputAt is that of a collective whose algorithm bandwidth is known.
func ThroughputAt(c schedule.Collective, ranks int, size unit.Bytes, alg unit.Rate) Throughput {
	if !(alg > 0) {
		return Throughput{}
	}
	return ThroughputIn(c, ranks, size, size.Over(alg))
}

// ThroughputAtBus is that of a collective whose bus bandwidth is known.
func ThroughputAtBus(c schedule.Collective, ranks int, size unit.Bytes, bus unit.Rate) Throughput {
	factor := c.BusFactor(ranks)
	if factor == 0 {
		return Throughput{}
	}
	return ThroughputAt(c, ranks, size, unit.Rate(float64(bus)/factor))
}
