package measured

import (
	"cmp"
	"math"
	"slices"

	"lockstep/engine/schedule"
)

// Near is a measured run that resembles a case.
type Near struct {
	Row               // of the size that is nearest
	Distance  float64 // 0 for the same; 1 is about another generation, or twice as many nodes
	Predicted float64 // us, of the model for that row: how well it does there
}

// nearest lists the measured runs that a case resembles most, each with the row
// of the nearest size.
func (l *Library) nearest(c Case, most int) []Near {
	var near []Near
	for _, run := range systems(l.rows) {
		if run[0].Health == Sick {
			continue
		}
		best := Near{Distance: math.Inf(1)}
		for _, r := range run {
			if d := distance(c, r.Case); d < best.Distance {
				best = Near{Row: r, Distance: d}
			}
		}
		near = append(near, best)
	}
	slices.SortStableFunc(near, func(a, b Near) int { return cmp.Compare(a.Distance, b.Distance) })
	near = near[:min(most, len(near))]
	for i := range near {
		near[i].Predicted = l.constants.Time(near[i].Case).Total()
	}
	return near
}

// distance is how far two cases are from each other: a sum of what differs, each
// by how much it changes a time.
func distance(a, b Case) float64 {
	d := 0.0
	differ := func(is bool, by float64) {
		if is {
			d += by
		}
	}
	ratio := func(x, y, weight float64) {
		if x > 0 && y > 0 {
			d += weight * math.Abs(math.Log2(x/y))
		} else if x != y {
			d += weight
		}
	}
	differ(a.System.Family != b.System.Family, 0.5)
	differ(a.System.Scale != b.System.Scale, 0.7)
	ratio(a.System.Rate, b.System.Rate, 0.5)
	ratio(a.System.Domain, b.System.Domain, 0.4)
	ratio(float64(a.System.Domains), float64(b.System.Domains), 0.3)
	differ((a.System.Domains > 1) != (b.System.Domains > 1), 1)
	if a.System.Domains > 1 && b.System.Domains > 1 {
		differ(a.System.Network != b.System.Network, 0.3)
		ratio(a.System.NIC, b.System.NIC, 0.8)
	}
	differ(a.Collective != b.Collective, 0.4)
	differ((a.Collective == schedule.AllToAll) != (b.Collective == schedule.AllToAll), 0.4)
	differ(a.System.NoNVLS != b.System.NoNVLS, 0.3)
	ratio(float64(a.Size), float64(b.Size), 0.08)
	return d
}
