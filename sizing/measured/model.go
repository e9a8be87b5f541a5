package measured

import (
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

// Case is a collective on a system.
type Case struct {
	Collective schedule.Collective
	System     hardware.System
	Size       unit.Bytes // of the full buffer
	Torch      bool       // timed from torch.distributed rather than by the library's own benchmark
	Shape      Shape      // of the network between nodes
}

// Limit is what holds a case back when its bytes count.
type Limit string

// The limits.
const (
	Inside Limit = "inside" // the links of a scale-up domain
	Across Limit = "across" // the network between domains
	None   Limit = "none"   // a rank alone
)

// Breakdown is a predicted time by its parts, in microseconds, and where the
// bandwidth comes from, in GB/s of bus bandwidth.
type Breakdown struct {
	Floor    float64 // of a call, the benchmark's and the library's start
	Inside   float64 // latencies within a domain
	Across   float64 // latencies between domains
	Pipeline float64 // what cutting into chunks costs, between latency and bytes
	Bytes    float64 // the bytes, at the bandwidth

	BusInside, BusAcross float64 // 0 for a tier that is not used
	Bus                  float64 // of both: the slower, corner rounded
	Limit                Limit
	Reduced              bool // within NVSwitch (NVLS)
}

// Total is the whole, in microseconds.
func (b Breakdown) Total() float64 { return b.Floor + b.Inside + b.Across + b.Pipeline + b.Bytes }

// corner is how sharply the slower of two bandwidths decides.
const corner = 12

// both is the bandwidth of two that are met one after the other.
func both(a, b float64) float64 {
	switch {
	case a <= 0:
		return b
	case b <= 0:
		return a
	}
	low, high := min(a, b), max(a, b)
	return low * math.Pow(1+math.Pow(low/high, corner), -1.0/corner)
}

// Time says what a case takes.
func (k *Constants) Time(c Case) Breakdown {
	s := c.System
	n := float64(max(s.Ranks, 1))
	var b Breakdown
	b.Floor = k[launch]
	if c.Torch {
		b.Floor += k[torchAdds]
	}
	if s.Ranks < 2 {
		b.Limit = None
		return b
	}
	domains, domain := float64(max(s.Domains, 1)), max(s.Domain, 1)
	if s.Domains > 1 && rccl(s.Family) && s.Network != hardware.Slingshot {
		b.Floor += k[rcclAdds]
	}
	b.Inside = k[latencyInside(s.Scale)] * k.rounds(c.Collective, domain)
	if s.Domains > 1 {
		b.Across = k[latencyAcross(s.Network)] * math.Pow(math.Log2(domains), k[nodesPower])
		if domain <= 1 {
			b.Across *= k[onePerDomain]
		}
	}
	b.Reduced = reduces(s, domain) && c.Collective == schedule.AllReduce
	b.BusInside = k.inside(c.Collective, s, domain, b.Reduced)
	if s.Domains > 1 {
		b.BusAcross = k.across(c, n, domains, domain)
	}
	b.Bus = both(b.BusInside, b.BusAcross)
	if s.Scale == hardware.NVL72 && s.Domains > 1 && c.Collective == schedule.AllReduce {
		b.Bus /= 1 + n/k[rackLoss]
	}
	b.Limit = Inside
	if b.BusInside <= 0 || b.BusAcross > 0 && b.BusAcross < b.BusInside {
		b.Limit = Across
	}
	if b.Bus <= 0 || c.Size <= 0 {
		return b
	}
	b.Bytes = float64(c.Size) * c.Collective.BusFactor(s.Ranks) / b.Bus / 1e3
	again := 1.0 // part of the network's latency that each chunk pays
	if s.Network == hardware.TCPX || s.Network == hardware.TCPXO {
		again = k[fixedStart]
	}
	// A transfer in chunks over a pipeline of latency L costs, with the best
	// number of them, L + bytes + 2√(L·bytes); at some size chunks grow no more.
	grown := b.Bytes * k[saturation] / (b.Bytes + k[saturation])
	b.Pipeline = 2 * math.Sqrt((b.Inside+again*b.Across)*grown)
	return b
}

// rounds is how many latencies a collective pays within a domain.
func (k *Constants) rounds(c schedule.Collective, domain float64) float64 {
	if domain <= 1 {
		return 0
	}
	depth := domain - 1
	if domain > 8 {
		depth = 7 + 4*math.Log2(domain/8)
	}
	switch c {
	case schedule.AllReduce, schedule.Barrier:
		return 2 * depth
	case schedule.AllToAll:
		return k[roundsAllToAll] * depth
	case schedule.SendRecv:
		return 1
	default:
		return k[roundsGather] * depth
	}
}

// rccl reports whether a family is driven by AMD's library.
func rccl(family string) bool {
	return family == "MI100" || family == "MI250X" || family == "MI300X" || family == "MI350X"
}

// AddsUp reports whether the switches of a system's domains add up.
func AddsUp(s hardware.System) bool { return reduces(s, max(s.Domain, 1)) }

// reduces reports whether the switches of a domain add up (NVLS).
func reduces(s hardware.System, domain float64) bool {
	switch {
	case s.NoNVLS:
		return false
	case s.Scale == hardware.NVSwitch4:
		return domain >= 5
	case s.Scale == hardware.NVSwitch5:
		return domain >= 6
	case s.Scale == hardware.NVL72:
		return domain > 4
	}
	return false
}

// inside is the bus bandwidth of a domain; 0 where it has one rank.
func (k *Constants) inside(c schedule.Collective, s hardware.System, domain float64, reduced bool) float64 {
	if domain <= 1 || s.Rate <= 0 {
		return 0
	}
	bus := s.Rate * k[efficiencyInside(s.Scale)]
	switch {
	case s.Scale.Switched():
		bus *= 1 - k[fewRanks]/(domain*domain)
	case s.Scale == hardware.XGMI:
		peers := max(domain, 8) - 1
		bus *= (domain - 1) / peers
		if s.Domains > 1 { // a path, no ring: each rank's links carry less
			bus *= domain / (domain - 1)
		}
	case s.Scale == hardware.PCIe && domain > 2:
		bus = both(bus, k[rootComplex]*math.Pow(4/domain, k[rootCrowd]))
	}
	switch {
	case reduced && s.Scale == hardware.NVSwitch4:
		bus *= k[nvls4]
	case reduced:
		bus *= k[nvls5]
	}
	switch c {
	case schedule.AllToAll:
		bus *= k[allToAllInside]
	case schedule.SendRecv:
		bus *= k[sendRecvInside]
	}
	return bus
}

// across is the bus bandwidth of the network between domains.
func (k *Constants) across(c Case, n, domains, domain float64) float64 {
	s := c.System
	e := k[efficiencyAcross(s.Network)]
	nic := s.NIC * e
	rail := nic * domain / c.Shape.Narrows(c.Collective, s) // what leaves a domain, of all its NICs
	beyond := max(n-domain, 1)
	var bus float64
	switch c.Collective {
	case schedule.AllReduce:
		switch {
		case s.Domains == 2 && reduces(s, domain), s.SHARP, s.Scale == hardware.NVL72:
			bus = rail * (n - 1) * domains / (n * (domains - 1))
		case s.Domains == 2 && domain > 1 && !s.NoNVLS:
			bus = rail * k[twoNodes]
		default:
			bus = rail
		}
	case schedule.AllToAll: // every rank has a flow across
		return k[allToAllCross] * rail / domain * (n - 1) / beyond
	case schedule.Gather, schedule.Scatter: // the root's own NIC, and no other of its domain
		return min(nic, rail) * (n - 1) / beyond
	case schedule.SendRecv: // one flow leaves a domain
		bus = min(nic, rail)
	default:
		bus = rail
	}
	if domain <= 1 {
		bus = both(bus, k[loneRank])
	}
	return bus
}
