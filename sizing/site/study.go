package site

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/catalog"
	"lockstep/sizing/cost"
	"lockstep/sizing/measured"
)

// Span is a time with its interval and how well founded it is.
type Span struct {
	Time  unit.Seconds   `json:"time_s"`
	Low   unit.Seconds   `json:"low_s"`
	High  unit.Seconds   `json:"high_s"`
	Grade measured.Grade `json:"grade"`
}

// Plus is the span with what is known exactly added.
func (s Span) Plus(t unit.Seconds) Span { return Span{s.Time + t, s.Low + t, s.High + t, s.Grade} }

// physics is the span of a time that follows from formulas alone.
func physics(t unit.Seconds) Span {
	low, high := cost.Interval(t)
	return Span{t, low, high, measured.Physics}
}

// Load is what a site is asked for beside one collective: the gradients of a
// step, all-reduced once, and what one rank computes meanwhile.
type Load struct {
	Gradients unit.Bytes   `json:"gradients_bytes"`
	Compute   unit.Seconds `json:"compute_s"` // of a step on one of the ranks; 0 when not given
}

// Study is one collective on a site with everything that was found. It is made
// of numbers and keys, so that it can be frozen in a report.
type Study struct {
	Ask        Ask                 `json:"ask"`
	Site       Site                `json:"site"`
	Collective schedule.Collective `json:"collective"`
	Size       unit.Bytes          `json:"size_bytes"` // of the full buffer; 0 for a barrier
	Load       Load                `json:"load"`
	Answer     *measured.Answer    `json:"answer,omitempty"` // by measurements; absent without a system
	Price      Span                `json:"price"`            // of the answer, or else of the fastest way
	Ways       []Way               `json:"ways"`             // by closed forms, fastest first
	Step       Span                `json:"step"`             // of the gradients' all-reduce
	Changes    []Change            `json:"changes"`
	Even       Even                `json:"even"`
	Logs       *Logs               `json:"logs,omitempty"` // of the machine that is asked for; absent without one
}

// Computes reports whether the computing of a step is known.
func (s *Study) Computes() bool { return s.Load.Compute > 0 }

// Desk is what studies are made from. Its fields are only read.
type Desk struct {
	Known    *catalog.Catalog
	Library  *measured.Library
	Machines []measured.Kept // of which logs are kept, as far as whoever asks may know them
}

// OpenDesk opens what the program carries.
func OpenDesk() (Desk, error) {
	known, err := catalog.Embedded()
	if err != nil {
		return Desk{}, err
	}
	library, err := measured.NewLibrary()
	return Desk{Known: known, Library: library}, err
}

// Study prices a collective of so many bytes on the site that is asked for.
// Errors are *schedule.RequestError.
func (d Desk) Study(a Ask, c schedule.Collective, size unit.Bytes, load Load) (*Study, error) {
	site, err := Describe(d.Known, a)
	if err != nil {
		return nil, err
	}
	if !c.Known() {
		return nil, refuse("collective", "unknown collective %q", string(c))
	}
	if size < 0 {
		return nil, refuse("size", "%d bytes; accepted: 0 or more", size)
	}
	if c == schedule.Barrier {
		size = 0
	}
	s := &Study{Ask: a, Site: site, Collective: c, Size: size, Load: load, Changes: []Change{}}
	if site.Ranks() <= schedule.MaxRanks { // beyond, no lesson and no schedule reaches
		if s.Ways, err = ways(site.question(c, size)); err != nil {
			return nil, fmt.Errorf("compare algorithms: %w", err)
		}
	}
	if site.System != "" {
		answer := d.Library.Answer(site.Case(c, size))
		s.Answer = &answer
	}
	if s.Price, err = d.price(site, c, size); err != nil {
		return nil, err
	}
	if s.Step, err = d.price(site, schedule.AllReduce, load.Gradients); err != nil {
		return nil, err
	}
	if a.Machine != "" {
		if err := d.rest(s); err != nil {
			return nil, err
		}
	}
	if site.Ranks() > 1 {
		if s.Changes, err = d.changes(s); err != nil {
			return nil, fmt.Errorf("price what changes: %w", err)
		}
		s.Even, err = d.even(s)
	}
	return s, err
}

// Case is a collective on the site as measurements are asked for it.
func (s Site) Case(c schedule.Collective, size unit.Bytes) measured.Case {
	return measured.Case{Collective: c, Size: size, System: s.hardware, Shape: s.shape}
}

// question is a collective on the site as closed forms are asked for it.
func (s Site) question(c schedule.Collective, size unit.Bytes) cost.Question {
	return cost.Question{Collective: c, Ranks: s.Ranks(), RanksPerNode: int(s.PerNode.Value), Size: size, Network: s.Port.Network()}
}

// price is what a collective takes: by measurements where there is a system,
// else by the closed form of the fastest algorithm.
func (d Desk) price(s Site, c schedule.Collective, size unit.Bytes) (Span, error) {
	if s.System != "" {
		return spanOf(d.Library.Price(s.Case(c, size))), nil
	}
	if s.Ranks() == 1 {
		return physics(0), nil
	}
	p, err := s.question(c, size).Fastest()
	if err != nil {
		return Span{}, err
	}
	return physics(p.Time), nil
}
