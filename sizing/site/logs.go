package site

import (
	"fmt"
	"slices"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/measured"
)

// Logs is what the logs of a machine change in a study: Price, Step and Answer
// rest on them as far as they bear on the site, Changes and Even never do,
// since nobody has measured the machine on another network.
type Logs struct {
	Machine string    `json:"machine"`
	Kept    time.Time `json:"kept"`
	Price   Bearing   `json:"price"`
	Step    Bearing   `json:"step"`
}

// Bearing is how logs bear on one time.
type Bearing struct {
	Ground  measured.Ground `json:"ground"`
	Without Span            `json:"without"` // the time by public measurements alone
}

// Public are a study's times by public measurements alone, which its Changes
// are to be held against.
func (s *Study) Public() (price, step Span) {
	if s.Logs == nil {
		return s.Price, s.Step
	}
	return s.Logs.Price.Without, s.Logs.Step.Without
}

// Rests reports whether any time of a study rests on a machine's logs.
func (s *Study) Rests() bool {
	return s.Logs != nil && (s.Logs.Price.Ground.Rests() || s.Logs.Step.Ground.Rests())
}

// rest lets what is priced rest on the logs of the machine that is asked for.
func (d Desk) rest(s *Study) error {
	name := s.Ask.Machine
	i := slices.IndexFunc(d.Machines, func(k measured.Kept) bool { return k.Name == name })
	switch {
	case i < 0:
		return refuse("machine", "no logs of %q are kept", name)
	case s.Site.System == "":
		return refuse("machine", "%q without a system; choose the one that it is", name)
	}
	kept := d.Machines[i]
	answer, err := d.Library.AnswerOn(kept, s.Site.Case(s.Collective, s.Size))
	if err != nil {
		return fmt.Errorf("price a collective: %w", err)
	}
	logs := &Logs{Machine: kept.Name, Kept: kept.Made, Price: Bearing{Without: s.Price}, Step: Bearing{Without: s.Step}}
	if s.Price, logs.Price.Ground, err = d.priceOn(kept, s.Site, s.Collective, s.Size); err != nil {
		return err
	}
	if s.Step, logs.Step.Ground, err = d.priceOn(kept, s.Site, schedule.AllReduce, s.Load.Gradients); err != nil {
		return err
	}
	s.Answer, s.Logs = &answer, logs
	return nil
}

// priceOn is price for a machine of which logs are kept.
func (d Desk) priceOn(k measured.Kept, s Site, c schedule.Collective, size unit.Bytes) (Span, measured.Ground, error) {
	r, err := d.Library.PriceOn(k, s.Case(c, size))
	if err != nil {
		return Span{}, "", fmt.Errorf("price a collective: %w", err)
	}
	return spanOf(r.Prediction), r.Ground, nil
}

// spanOf is a prediction's time, whose own is in microseconds.
func spanOf(p measured.Prediction) Span {
	return Span{unit.Seconds(p.Time / 1e6), unit.Seconds(p.Low / 1e6), unit.Seconds(p.High / 1e6), p.Grade}
}

// AskOf is a site of the catalogue that a machine's logs bear on, as they were
// recorded: the first system that is built so. False where none is.
func (d Desk) AskOf(k measured.Kept) (Ask, bool) {
	for _, t := range k.Tables {
		for _, sys := range d.Known.Systems {
			a := Ask{System: sys.ID, Nodes: t.Nodes, Machine: k.Name}
			site, err := Describe(d.Known, a)
			if err != nil || site.Ranks() != t.Ranks {
				continue
			}
			if _, ground := k.Bears(site.Case(t.Collective, 0)); ground.Rests() {
				return a, true
			}
		}
	}
	return Ask{}, false
}
