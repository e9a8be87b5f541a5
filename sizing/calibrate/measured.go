package calibrate

import (
	"errors"
	"fmt"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Measured is a run at full speed that was measured on one machine.
type Measured struct {
	Link       trace.Link          `json:"link"`
	Collective schedule.Collective `json:"collective"`
	Algorithm  string              `json:"algorithm"`
	Ranks      int                 `json:"ranks"`
	Root       int                 `json:"root,omitempty"`
	PerNode    int                 `json:"ranks_per_node,omitempty"`
	Chunks     int                 `json:"chunks,omitempty"`
	Size       unit.Bytes          `json:"size_bytes"`
	DType      schedule.DType      `json:"dtype"`
	Op         schedule.ReduceOp   `json:"op"`
	Slices     int                 `json:"slices"`
	Time       unit.Seconds        `json:"time_s"`            // the median of its iterations
	Least      unit.Seconds        `json:"least_s,omitempty"` // the shortest of them
}

// NewMeasured returns what a finished run says. Its spec must be resolved, and
// its algorithm named.
func NewMeasured(spec trace.Spec, took trace.Times) Measured {
	return Measured{
		Link: spec.Link, Collective: spec.Collective, Algorithm: spec.Algorithm, Ranks: spec.Ranks, Root: spec.Root, PerNode: spec.PerNode,
		Chunks: spec.Chunks, Size: spec.Size, DType: spec.DType, Op: spec.Op, Slices: spec.Slices,
		Time: unit.Seconds(took.Median), Least: unit.Seconds(took.Min),
	}
}

// spec returns the run that was measured.
func (m Measured) spec() trace.Spec {
	return trace.Spec{
		Collective: m.Collective, Algorithm: m.Algorithm, Ranks: m.Ranks, Root: m.Root, PerNode: m.PerNode, Chunks: m.Chunks,
		Size: m.Size, DType: m.DType, Op: m.Op, Backend: trace.Host, Link: m.Link, Slices: m.Slices,
	}
}

// Fingerprint tells machines apart, and builds that may run at another speed.
type Fingerprint struct {
	CPU    string `json:"cpu,omitempty"`
	CPUs   int    `json:"cpus"`
	Arch   string `json:"arch"`
	Kernel string `json:"kernel,omitempty"`
	Build  string `json:"build"`
}

// NewFingerprint returns the fingerprint of a machine and a build.
func NewFingerprint(node inventory.Node, build string) Fingerprint {
	return Fingerprint{CPU: node.CPU, CPUs: node.CPUs, Arch: node.Arch, Kernel: node.Kernel, Build: build}
}

// Key is the fingerprint as one line, for looking it up.
func (f Fingerprint) Key() string {
	return fmt.Sprintf("%s|%d|%s|%s|%s", f.CPU, f.CPUs, f.Arch, f.Kernel, f.Build)
}

// ErrNone says that a machine is not calibrated.
var ErrNone = errors.New("this machine is not calibrated")

// Calibration is the document of a machine that was measured: what is kept.
type Calibration struct {
	Version  int          `json:"version"`
	Machine  Fingerprint  `json:"machine"`
	Made     time.Time    `json:"made"`
	Took     unit.Seconds `json:"took_s"`
	Measured []Measured   `json:"measured"`
	Found    []Found      `json:"found"`
}

// Found are the costs of one link with one number of ranks.
type Found struct {
	Link  trace.Link `json:"link"`
	Ranks int        `json:"ranks"`
	Costs
	// Scatter is by what share of its time a measured run is off the costs
	// alone: half of the runs are off by less.
	Scatter float64 `json:"scatter"`
}

// Least returns the time of the smallest all-reduce that was measured with a
// link and a number of ranks, 0 if there was none.
func (c Calibration) Least(link trace.Link, ranks int) unit.Seconds {
	var least unit.Seconds
	for _, m := range c.Measured {
		if m.Link == link && m.Ranks == ranks && m.Collective == schedule.AllReduce && (least == 0 || m.Time < least) {
			least = m.Time
		}
	}
	return least
}

// Best returns the highest bus bandwidth of the all-reduces that were measured
// with a link and a number of ranks, 0 if there was none.
func (c Calibration) Best(link trace.Link, ranks int) unit.Rate {
	var best unit.Rate
	for _, m := range c.Measured {
		if m.Link == link && m.Ranks == ranks && m.Collective == schedule.AllReduce && m.Time > 0 {
			best = max(best, unit.Rate(float64(m.Size)/float64(m.Time)*m.Collective.BusFactor(ranks)))
		}
	}
	return best
}

// A calibration is restless when in so many of its runs an iteration took so
// much longer than the shortest: something else was at work on the machine.
const (
	restlessRuns  = 0.25
	restlessTimes = 1.5
)

// disturbed reports whether something else was at work during most of a run.
func (m Measured) disturbed() bool { return m.Least > 0 && m.Time > restlessTimes*m.Least }

// Restless reports whether other work disturbed the calibration.
func (c Calibration) Restless() bool {
	disturbed := 0
	for _, m := range c.Measured {
		if m.disturbed() {
			disturbed++
		}
	}
	return float64(disturbed) > restlessRuns*float64(len(c.Measured))
}
