package measured

import (
	"sync"

	"lockstep/engine/schedule"
)

// NetworkShare is what the largest published all-reduce of a system between nodes
// reached of the bound that the network sets.
type NetworkShare struct {
	ID     string  // of the run
	Source string  // who published it
	Bus    float64 // bus bandwidth, GB/s
	Bound  float64 // network per accelerator × (n-1)/(domains-1), GB/s
}

// Share is the part of the bound that was reached, 0 to 1.
func (s NetworkShare) Share() float64 { return s.Bus / s.Bound }

// fewestDomains are those from which on a system's network sets its bound: with
// two, what stays within a domain hides part of the network's time.
const fewestDomains = 3

// NetworkShares are the shares of healthy systems whose network's rate is told,
// in the order of the table; each with its largest bus bandwidth of an all-reduce.
var NetworkShares = sync.OnceValues(func() ([]NetworkShare, error) {
	rows, err := Rows()
	if err != nil {
		return nil, err
	}
	var all []NetworkShare
	for _, run := range systems(rows) {
		var best NetworkShare
		for _, r := range run {
			s := r.System
			if r.Health != Healthy || r.Bench || r.Collective != schedule.AllReduce || s.Domains < fewestDomains || s.NIC <= 0 || s.Guessed("nic-rate") {
				continue
			}
			if bus := float64(r.Size) * r.Collective.BusFactor(s.Ranks) / r.Time / 1e3; bus > best.Bus {
				best = NetworkShare{ID: r.ID, Source: r.Source, Bus: bus, Bound: s.NIC * float64(s.Ranks-1) / float64(s.Domains-1)}
			}
		}
		if best.Bus > 0 {
			all = append(all, best)
		}
	}
	return all, nil
})

// NetworkShareRange is the least and the largest of the shares; both 0 for none.
func NetworkShareRange() (low, high float64, err error) {
	shares, err := NetworkShares()
	for i, s := range shares {
		if i == 0 {
			low = s.Share()
		}
		low, high = min(low, s.Share()), max(high, s.Share())
	}
	return low, high, err
}
