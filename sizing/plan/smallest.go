package plan

import (
	"math"

	"lockstep/sizing/trained"
)

// Deadline is a training that must be done in time. Stops, restarts and
// checkpoints are not counted.
type Deadline struct {
	Tokens float64
	Days   float64
}

// Smallest is the least of the clusters that were tried that meets a deadline.
// An answer is absent where no cluster that was tried meets it.
type Smallest struct {
	Likely *Estimate // its step's value is short enough
	Sure   *Estimate // even the high end of its step's interval is
	Tried  int
}

// triedClusters bounds how many clusters are priced for one deadline.
const triedClusters = 80

// Smallest finds it for the ask without its nodes. Numbers of nodes are tried
// upwards from where the peak alone would do: all up to 16, then eight to each
// doubling. Only layouts that fit count. Errors are *schedule.RequestError.
func (a Ask) Smallest(m *trained.Model, d Deadline) (Smallest, error) {
	switch {
	case !(d.Tokens > 0) || d.Tokens > 1e18:
		return Smallest{}, refuse("tokens", "%g; accepted is more than 0, at most 1e18", d.Tokens)
	case !(d.Days > 0) || d.Days > 36500:
		return Smallest{}, refuse("days", "%g; accepted is more than 0, at most 36500", d.Days)
	}
	a.Nodes = 1
	first, err := a.Estimate(m)
	if err != nil {
		return Smallest{}, err
	}
	var found Smallest
	// MFU never reaches 1, so fewer nodes than these cannot do.
	atPeak := d.Tokens / (d.Days * 86400) / (first.Tokens / first.MFU * float64(first.Accelerators))
	for n := nodesFrom(math.Ceil(atPeak)); n <= MaxNodes && found.Tried < triedClusters; n = nodesAfter(n) {
		a.Nodes = n
		e, err := a.Estimate(m)
		if err != nil {
			return Smallest{}, err
		}
		found.Tried++
		if found.Likely == nil && e.Memory.Fits && e.days(d.Tokens, e.Step.Value) <= d.Days {
			found.Likely = &e
		}
		if e.Memory.Fits && e.days(d.Tokens, e.Step.High) <= d.Days {
			found.Sure = &e
			break
		}
	}
	return found, nil
}

// days is how long so many tokens take at so many seconds a step.
func (e Estimate) days(tokens, step float64) float64 {
	return tokens / (float64(e.Batch) * float64(e.Sequence)) * step / 86400
}

// nodesFrom is the first number of nodes to try that is not below n.
func nodesFrom(n float64) int {
	if n > MaxNodes {
		return MaxNodes + 1
	}
	at := 1
	for float64(at) < n {
		at = nodesAfter(at)
	}
	return at
}

// nodesAfter is the next number of nodes to try.
func nodesAfter(n int) int {
	step := 1
	for 16*step <= n {
		step *= 2
	}
	return n + step
}
