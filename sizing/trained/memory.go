package trained

import (
	"strings"

	"lockstep/sizing/train"
)

// memoryOff is how far a run's peak may lie from its formula: measured peaks of
// other runs lie within it.
const memoryOff = 0.12

// keeps is what the run's software keeps.
func (r Run) keeps() train.Storage {
	s := train.Storage{Logit: 4, Gathered: 4}
	if r.Source == "titan" && strings.Contains(strings.ToLower(r.Row.Notes), " ac") {
		s.Logit = 13
	}
	if r.Async {
		s.Gathered = 2
	}
	if r.Eager {
		s.Extra = 5.4e9
	}
	return s
}

// Memory is the run's peak on the fullest accelerator.
func (r Run) Memory() train.Memory { return r.Case.Memory(r.keeps()) }

// MemoryAnswer is a prediction of a peak, in bytes.
type MemoryAnswer struct {
	Bytes, Low, High float64
	Grade            Grade
}

// PredictMemory says what a run's fullest accelerator holds. Measured peaks of
// software like the run's lie between Low and High.
func PredictMemory(r Run) MemoryAnswer {
	v := r.Memory().Total()
	a := MemoryAnswer{Bytes: v, Low: v * (1 - memoryOff), High: v * (1 + memoryOff), Grade: Sibling}
	switch {
	case r.Source == "titan" || r.Source == "simumax":
		a.Grade = Between
	case r.Source == "" || r.Gen == other:
		a.Grade = Formula
	}
	return a
}

// Fits reports whether a run fits so much memory even if its peak is as high as
// others were above their formulas. It never says so of one that may not.
func Fits(peak, capacity float64) bool { return peak <= 0.92*capacity/(1+memoryOff) }

// recomputeToFit assumes that a run whose table does not tell computes
// activations again where it would not fit without.
func (r *Run) recomputeToFit() {
	if r.Case.Layout.Recompute == train.Keep && r.Source == "automodel" && r.Memory().Total() > r.memory {
		r.Case.Layout.Recompute = train.All
	}
}
