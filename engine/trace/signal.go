package trace

import (
	"fmt"
	"slices"
)

// Signal is what a person does to one rank of a running run, to see what the
// others make of it.
type Signal string

// The signals.
const (
	Freeze Signal = "freeze" // the rank's process stops, and still exists
	Resume Signal = "resume" // it goes on, at full speed
	Slow   Signal = "slow"   // its own work takes SlowFactor times as long
	Kill   Signal = "kill"   // its process ends at once
)

// SlowFactor is how many times longer a rank's work takes under Slow.
const SlowFactor = 10

// Signals returns all signals in the order in which they are offered.
func Signals() []Signal { return []Signal{Freeze, Resume, Slow, Kill} }

// Check returns a *FieldError for what is none of them.
func (s Signal) Check() error {
	if !slices.Contains(Signals(), s) {
		return &FieldError{"signal", fmt.Sprintf("unknown signal %q; accepted: freeze, resume, slow, kill", string(s))}
	}
	return nil
}
