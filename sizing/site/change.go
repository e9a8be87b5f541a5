package site

import (
	"errors"

	"lockstep/engine/schedule"
)

// ChangeKind says what is different.
type ChangeKind string

// The changes.
const (
	HalfNICs       ChangeKind = "half-nics"
	DoubleNICs     ChangeKind = "double-nics"
	LostNIC        ChangeKind = "lost-nic" // one of a node, on which all wait
	OneRail        ChangeKind = "one-rail"
	RailPerNIC     ChangeKind = "rail-per-nic"
	Oversubscribed ChangeKind = "oversubscribed"
	InSwitchOn     ChangeKind = "in-switch-on"
	InSwitchOff    ChangeKind = "in-switch-off"
	FasterFabric   ChangeKind = "faster-fabric"
)

// Change is the same on a site that differs in one thing, or in two where the
// second shows only with the first.
type Change struct {
	Kind   ChangeKind `json:"kind"`
	Value  float64    `json:"value"`          // NICs a node, rails, or n of n:1
	With   float64    `json:"with,omitempty"` // n of n:1 that rails are compared at
	Name   string     `json:"name,omitempty"` // of the faster fabric
	Price  Span       `json:"price"`          // of the collective
	Step   Span       `json:"step"`           // of the gradients' all-reduce
	Reason string     `json:"reason,omitempty"`
}

// Reasons why a change changes nothing, by key.
const (
	Inside    = "inside"     // nothing leaves the links within a domain
	BelowLeaf = "below-leaf" // traffic stays under the leaf switches
	NoReduce  = "no-reduce"  // the collective has nothing to add up, or not enough ranks
	LinksBind = "links-bind" // the links within a domain are the bottleneck
)

// trial is a change before it is priced.
type trial struct {
	Change
	ask Ask
}

// trials lists what is tried, in the order in which it is shown.
func (d Desk) trials(s *Study) []trial {
	var all []trial
	try := func(kind ChangeKind, value float64, change func(*Ask)) *trial {
		t := trial{Change: Change{Kind: kind, Value: value}, ask: s.Ask}
		change(&t.ask)
		all = append(all, t)
		return &all[len(all)-1]
	}
	nics, rails := int(s.Site.NICs.Value), int(s.Site.Rails.Value)
	setNICs := func(n int) func(*Ask) {
		return func(a *Ask) {
			a.NICs = n
			if a.Rails > 0 { // planes come and go with NICs
				a.Rails = max(1, a.Rails*n/nics)
				for n%a.Rails != 0 {
					a.Rails--
				}
			}
		}
	}
	if nics%2 == 0 {
		try(HalfNICs, float64(nics/2), setNICs(nics/2))
	}
	if 2*nics <= MaxNICs {
		try(DoubleNICs, float64(2*nics), setNICs(2*nics))
	}
	if nics > 1 {
		try(LostNIC, float64(nics-1), func(a *Ask) { a.NICs, a.Rails = nics-1, 0 })
	}
	if rails > 1 {
		try(OneRail, 1, func(a *Ask) { a.Rails = 1 })
	}
	for _, x := range []float64{2, 4} {
		if x != s.Site.Oversubscription.Value {
			try(Oversubscribed, x, func(a *Ask) { a.Oversubscription = x })
		}
	}
	if nics > 1 && rails != nics {
		x := max(s.Site.Oversubscription.Value, 4)
		try(RailPerNIC, float64(nics), func(a *Ask) { a.Rails, a.Oversubscription = nics, x }).With = x
	}
	if s.Site.AddsUp {
		try(InSwitchOff, 0, func(a *Ask) { a.InSwitch = Off })
	} else if s.Site.System != "" {
		try(InSwitchOn, 0, func(a *Ask) { a.InSwitch = On })
	}
	if l, found := faster(d.Known, networkOf(s.Site.Network), s.Site.NICRate.Value); found {
		try(FasterFabric, l.Gbits(), func(a *Ask) {
			a.Fabric, a.NICRate = l.Key, 0
			if a.System == "" && s.Ask.Latency == nil { // compare rates, not guesses of latency
				a.Latency = &s.Site.Port.Latency
			}
		}).Name = l.Words
	}
	return all
}

// changes prices the trials; one that does not fit the site is left out.
func (d Desk) changes(s *Study) ([]Change, error) {
	all := []Change{}
	for _, t := range d.trials(s) {
		site, err := Describe(d.Known, t.ask)
		if impossible := new(schedule.RequestError); errors.As(err, &impossible) {
			continue
		} else if err != nil {
			return nil, err
		}
		if t.Price, err = d.price(site, s.Collective, s.Size); err != nil {
			return nil, err
		}
		if t.Step, err = d.price(site, schedule.AllReduce, s.Load.Gradients); err != nil {
			return nil, err
		}
		t.Reason = d.reason(s, t, site)
		all = append(all, t.Change)
	}
	return all, nil
}

// reason says why the collective takes as long as before; empty where it does
// not.
func (d Desk) reason(s *Study, t trial, site Site) string {
	const nothing = 1e-3 // of the time
	before, _ := s.Public()
	if off := t.Price.Time/before.Time - 1; off > nothing || off < -nothing {
		return ""
	}
	switch {
	case site.hardware.Domains <= 1 && t.Kind != InSwitchOn && t.Kind != InSwitchOff:
		return Inside
	case t.Kind == InSwitchOn || t.Kind == InSwitchOff:
		return NoReduce
	case site.shape.Oversubscription > 1 && site.shape.Narrows(s.Collective, site.hardware) == 1:
		return BelowLeaf
	}
	return LinksBind
}
