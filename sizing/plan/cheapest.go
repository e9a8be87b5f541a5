package plan

import (
	"slices"

	"lockstep/sizing/catalog"
	"lockstep/sizing/trained"
)

// OnFabric is a step where one fabric joins the nodes.
type OnFabric struct {
	Fabric   catalog.Fabric
	Estimate Estimate
	Behind   float64 // how much longer than the shortest step, as a share of it
}

// Cheapest prices the ask on each of some fabrics, slowest link first, with the
// NICs of its system and a layout found anew. chosen is the first whose step is
// at most within, a share, longer than the shortest; with no fabrics it is -1.
// Of a fabric only its line rate counts: not its price, latency or congestion.
// Errors are *schedule.RequestError.
func (a Ask) Cheapest(m *trained.Model, fabrics []catalog.Fabric, within float64) (all []OnFabric, chosen int, err error) {
	if !(within >= 0) || within > 1 {
		return nil, -1, refuse("within", "%g; accepted is a share from 0 to 1", within)
	}
	for _, f := range fabrics {
		if f.ByteRate <= 0 && f.Rate <= 0 {
			return nil, -1, refuse("fabric", "the catalogue does not tell the rate of %s", f.ID)
		}
		a.Fabric = &f
		e, err := a.Estimate(m)
		if err != nil {
			return nil, -1, err
		}
		all = append(all, OnFabric{Fabric: f, Estimate: e})
	}
	slices.SortStableFunc(all, func(x, y OnFabric) int { return compare(x.Rate(), y.Rate()) })
	chosen = -1
	if len(all) == 0 {
		return nil, chosen, nil
	}
	shortest := all[0].Estimate.Step.Value
	for _, on := range all {
		shortest = min(shortest, on.Estimate.Step.Value)
	}
	for i := range all {
		all[i].Behind = all[i].Estimate.Step.Value/shortest - 1
		if chosen < 0 && all[i].Behind <= within {
			chosen = i
		}
	}
	return all, chosen, nil
}

// Rate is the GB/s of one link.
func (on OnFabric) Rate() float64 {
	if on.Fabric.ByteRate > 0 {
		return on.Fabric.ByteRate
	}
	return on.Fabric.Rate / 8
}
