package site

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/measured"
)

// Next is the fastest other algorithm by closed forms, on one port a rank: how
// many times as long as the one that it is beside. Measurements do not tell it.
type Next struct {
	Algorithm string
	Times     float64
}

// Next looks for the fastest algorithm beside one. False where closed forms do
// not reach, or know no other.
func (s Site) Next(c schedule.Collective, size unit.Bytes, beside string) (Next, bool) {
	if s.Ranks() < 2 || s.Ranks() > schedule.MaxRanks {
		return Next{}, false
	}
	all, err := ways(s.question(c, size))
	if err != nil {
		return Next{}, false
	}
	var own, best *Way
	for i := range all { // fastest first
		switch w := &all[i]; {
		case w.Algorithm == beside:
			own = w
		case best == nil && w.Executable:
			best = w
		}
	}
	if own == nil || best == nil || !(own.Time > 0) {
		return Next{}, false
	}
	return Next{best.Algorithm, float64(best.Time / own.Time)}, true
}

// Chosen says in a line of English why an answer's algorithm is the one, and
// which comes next.
func (s Site) Chosen(a measured.Answer) string {
	text := a.Algorithm + ": " + a.Choice.Reason
	switch next, found := s.Next(a.Collective, a.Size, a.Algorithm); {
	case a.Choice.RunnerUp != nil:
		return text + "; next: " + a.Choice.RunnerUp.Algorithm + ", " + a.Choice.RunnerUp.Time.String() + ", " + times(float64(a.Choice.RunnerUp.Time/a.Time)) + " as long"
	case found && next.Times < 1:
		return text + "; by closed forms on one port a rank " + next.Algorithm + " would take " + times(next.Times) + " as long (modelled; links within a node left out)"
	case found:
		return text + "; next by closed forms on one port a rank: " + next.Algorithm + ", " + times(next.Times) + " as long (modelled)"
	}
	return text
}

func times(v float64) string { return fmt.Sprintf("%.3g ×", v) }
