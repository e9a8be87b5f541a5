package cluster

import (
	"slices"

	"lockstep/cluster/inventory"
	"lockstep/engine/unit"
)

// A link is slow if it carries less than half of what the links of the cluster
// usually do, or takes three times as long, by more than a switch or the noise
// of a busy machine explains.
const (
	slowRate    = 0.5
	slowLatency = 3
	slowBy      = 50e-6 // seconds
)

// judge says of every link whether it is slow among its peers.
func judge(links []inventory.Link) {
	var rates []unit.Rate
	var latencies []unit.Seconds
	for _, l := range links {
		if l.Fault == "" {
			rates, latencies = append(rates, l.Rate), append(latencies, l.Latency)
		}
	}
	if len(rates) == 0 {
		return
	}
	rate, latency := median(rates), median(latencies)
	for i := range links {
		l := &links[i]
		l.Slow = l.Fault == "" && (l.Rate < slowRate*rate || l.Latency > slowLatency*latency && l.Latency-latency > slowBy)
	}
}

// median is the upper one of an even number: of two links the slower is
// compared with the faster.
func median[T ~float64](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

// Between returns the worst of what was found on the ways between nodes: the
// least rate and the greatest latency, with the ends of the slowest. There is
// none if a way was not probed, or could not be.
func (r *Registry) Between(nodes ...string) (worst inventory.Link, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ways := 0
	for _, l := range r.links {
		if l.From == l.To || !slices.Contains(nodes, l.From) || !slices.Contains(nodes, l.To) {
			continue
		}
		if l.Fault != "" {
			return inventory.Link{}, false
		}
		latency := max(worst.Latency, l.Latency)
		if ways == 0 || l.Rate < worst.Rate {
			worst = l
		}
		worst.Latency = latency
		ways++
	}
	if ways == 0 || ways < len(nodes)*(len(nodes)-1) {
		return inventory.Link{}, false
	}
	return worst, true
}

// without returns links but those of a node.
func without(links []inventory.Link, node string) []inventory.Link {
	return slices.DeleteFunc(slices.Clone(links), func(l inventory.Link) bool { return l.From == node || l.To == node })
}
