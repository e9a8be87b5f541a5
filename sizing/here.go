package sizing

import (
	"slices"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/calibrate"
	"lockstep/sizing/cost"
)

// Here is a run on a machine of our own beside what is said of it before the
// machine was calibrated and after.
type Here struct {
	Link       trace.Link   `json:"link"`
	Collective string       `json:"collective"`
	Algorithm  string       `json:"algorithm"`
	Ranks      int          `json:"ranks"`
	Size       unit.Bytes   `json:"size_bytes"`
	Measured   unit.Seconds `json:"measured_s"`
	Before     unit.Seconds `json:"before_s"` // with what is assumed of every machine
	After      unit.Seconds `json:"after_s"`  // by the calibration, from other sizes; see calibrate.Compare
}

// CompareHere says what the calibration of a machine has changed: a row for each
// run that was measured, by link and ranks.
func CompareHere(c calibrate.Calibration) []Here {
	assumed := cost.Network{Latency: AssumedLatency, Bandwidth: AssumedBandwidth}
	var all []Here
	for _, run := range calibrate.Compare(c) {
		p, err := cost.Question{
			Collective: run.Collective, Ranks: run.Ranks, RanksPerNode: run.PerNode, Size: run.Size, Chunks: run.Chunks, Network: assumed,
		}.Price(run.Algorithm)
		if err != nil {
			continue // of another version's catalogue
		}
		all = append(all, Here{run.Link, string(run.Collective), run.Algorithm, run.Ranks, run.Size, run.Time, p.Time, run.Predicted})
	}
	slices.SortStableFunc(all, func(a, b Here) int {
		switch {
		case a.Link != b.Link && a.Link < b.Link, a.Link == b.Link && a.Ranks < b.Ranks:
			return -1
		case a.Link != b.Link || a.Ranks != b.Ranks:
			return 1
		}
		return 0
	})
	return all
}

// ProbedSize is what a probed link is compared at.
const ProbedSize = 16 * unit.MiB

// Probed is a probed link between nodes with what it says of one message of
// ProbedSize, and what is assumed as long as nobody has probed.
type Probed struct {
	inventory.Link
	Before unit.Seconds `json:"before_s"`
	After  unit.Seconds `json:"after_s"`
}

// CompareProbes says what probes have changed. Links without figures are left
// out.
func CompareProbes(links []inventory.Link) []Probed {
	all := []Probed{}
	for _, l := range links {
		if l.Fault != "" || l.Rate <= 0 {
			continue
		}
		all = append(all, Probed{
			Link:   l,
			Before: unit.FromDuration(AssumedLatency) + unit.Seconds(float64(ProbedSize)/float64(AssumedBandwidth)),
			After:  l.Latency + unit.Seconds(float64(ProbedSize)/float64(l.Rate)),
		})
	}
	return all
}
