package site

import (
	"math"

	"lockstep/engine/schedule"
)

// Standing says how communication of a step compares with its computing as a
// network is oversubscribed.
type Standing string

// The standings.
const (
	NotAsked  Standing = ""          // no computing is given, or one rank is alone
	Already   Standing = "already"   // communication is longer as it is
	Turns     Standing = "turns"     // from Even.Oversubscription on
	Never     Standing = "never"     // not up to MaxOversubscription
	Sheltered Standing = "sheltered" // never, for traffic stays within a domain or below its leaf switches
)

// Even is the oversubscription from which on a step communicates longer than
// it computes.
type Even struct {
	Standing         Standing `json:"standing,omitempty"`
	Oversubscription float64  `json:"oversubscription,omitempty"` // n of n:1, where it turns
	Grade            string   `json:"grade,omitempty"`
}

// even finds the break-even by halving: more oversubscription never makes
// communication shorter.
func (d Desk) even(s *Study) (Even, error) {
	if !s.Computes() {
		return Even{}, nil
	}
	if s.Step.Time >= s.Load.Compute {
		return Even{Standing: Already, Grade: string(s.Step.Grade)}, nil
	}
	longer := func(x float64) (bool, error) {
		a := s.Ask
		a.Oversubscription = x
		site, err := Describe(d.Known, a)
		if err != nil {
			return false, err
		}
		p, err := d.price(site, schedule.AllReduce, s.Load.Gradients)
		return p.Time >= s.Load.Compute, err
	}
	found, err := longer(MaxOversubscription)
	if err != nil {
		return Even{}, err
	}
	if !found {
		narrow := s.Site.shape
		narrow.Oversubscription = MaxOversubscription
		if s.Site.hardware.Domains <= 1 || narrow.Narrows(schedule.AllReduce, s.Site.hardware) == 1 {
			return Even{Standing: Sheltered}, nil
		}
		return Even{Standing: Never}, nil
	}
	low, high := max(s.Site.Oversubscription.Value, 1), float64(MaxOversubscription)
	for high/low > 1.0005 {
		mid := math.Sqrt(low * high)
		if found, err = longer(mid); err != nil {
			return Even{}, err
		}
		if found {
			high = mid
		} else {
			low = mid
		}
	}
	return Even{Standing: Turns, Oversubscription: high, Grade: "D"}, nil
}
