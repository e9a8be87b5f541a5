package sizing

import (
	"fmt"
	"slices"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Limits of a Step.
const (
	MaxParameters = 10_000_000_000_000 // ten trillion
	MaxWidth      = 8                  // bytes of a gradient
	MaxWorkers    = schedule.MaxRanks
	MaxCompute    = unit.Seconds(1e6)
)

// Step is one synchronous data-parallel training step: every worker computes
// on its part of the batch, then all of them average their gradients.
type Step struct {
	Model       string       `json:"model,omitempty"`        // a preset's key, or an ID of the catalogue; empty for a count of one's own
	ModelName   string       `json:"model_name,omitempty"`   // as its makers write it, for one of the catalogue
	ModelSource string       `json:"model_source,omitempty"` // where its shape is published
	Parameters  int64        `json:"parameters"`
	Width       int          `json:"bytes_per_gradient"`
	Nodes       int          `json:"nodes"`
	PerNode     int          `json:"workers_per_node"`
	Fabric      Fabric       `json:"fabric"`
	Compute     unit.Seconds `json:"compute_s"` // of the whole step on one worker; 0 when not given
}

// Workers is how many take part.
func (s Step) Workers() int { return s.Nodes * s.PerNode }

// Gradients is what every worker has to exchange.
func (s Step) Gradients() unit.Bytes { return unit.Bytes(s.Parameters * int64(s.Width)) }

// Check returns a *schedule.RequestError for the first field outside its
// limits.
func (s Step) Check() error {
	refuse := func(field, format string, args ...any) error {
		return &schedule.RequestError{Field: field, Message: fmt.Sprintf(format, args...)}
	}
	switch {
	case s.Parameters < 1 || s.Parameters > MaxParameters:
		return refuse("params", "%d parameters; accepted: 1 to %d", s.Parameters, int64(MaxParameters))
	case s.Width < 1 || s.Width > MaxWidth:
		return refuse("bytes", "%d bytes per gradient; accepted: 1 to %d", s.Width, MaxWidth)
	case s.Nodes < 1 || s.Nodes > MaxWorkers:
		return refuse("nodes", "%d nodes; accepted: 1 to %d", s.Nodes, MaxWorkers)
	case s.PerNode < 1 || s.PerNode > MaxWorkers || s.Workers() > MaxWorkers:
		return refuse("per_node", "%d nodes of %d workers; accepted: up to %d workers", s.Nodes, s.PerNode, MaxWorkers)
	case !(s.Compute >= 0 && s.Compute <= MaxCompute):
		return refuse("compute", "%v of computing; accepted: 0 to %v", s.Compute, MaxCompute)
	}
	return s.Fabric.Network().Check()
}

// Estimate is what a step's communication costs. It is made of numbers and
// keys, never of words, so that it can be frozen in a report.
type Estimate struct {
	Version int               `json:"version"`
	Step    Step              `json:"step"`
	Workers int               `json:"workers"`
	Size    unit.Bytes        `json:"size_bytes"` // of the gradients on each worker
	Costs   []cost.Prediction `json:"costs"`      // every algorithm of the catalogue, fastest first
	Times   Times             `json:"times"`      // of the step's own number of workers
	Curve   []Point           `json:"curve"`      // over the number of workers, ascending
	Scaling []Scaling         `json:"scaling"`    // one for each counting; none without Compute
	Fabrics []FabricCost      `json:"fabrics"`    // the same step on each fabric, and on its own where that is none of them
	Doubts  []Doubt           `json:"doubts"`
}

// FabricCost is the same step on another fabric.
type FabricCost struct {
	Fabric  Fabric    `json:"fabric"`
	Times   Times     `json:"times"`
	Scaling []Scaling `json:"scaling"`
}

// Doubt is a reason to trust the figures less, by its key.
type Doubt string

// The doubts that an estimate can carry.
const (
	PhysicsOnly Doubt = "physics-only" // no measurement stands beside the formula
	Flat        Doubt = "flat"         // the faster links within a node are left out
	TooLarge    Doubt = "too-large"    // the training state does not fit one accelerator
	NoOverlap   Doubt = "no-overlap"   // communication is taken to begin when computing has ended
)

// StateBytes is what mixed-precision training with Adam keeps for each
// parameter at the least: weights, gradients and optimizer.
const StateBytes = 16

// largestMemory is that of a common accelerator.
const largestMemory = 80 * unit.GB

// Estimate prices the step. Errors are *schedule.RequestError.
func (s Step) Estimate() (Estimate, error) {
	if err := s.Check(); err != nil {
		return Estimate{}, err
	}
	e := Estimate{Version: 1, Step: s, Workers: s.Workers(), Size: s.Gradients(), Doubts: s.doubts()}
	q := s.question(s.Fabric, e.Workers)
	prices, err := q.All()
	if err != nil {
		return Estimate{}, err
	}
	for _, p := range prices {
		prediction, err := q.Predict(p.Algorithm)
		if err != nil {
			return Estimate{}, err
		}
		e.Costs = append(e.Costs, prediction)
	}
	p, err := newPricing(s)
	if err != nil {
		return Estimate{}, err
	}
	if e.Times, err = p.times(s.Fabric, e.Workers); err != nil {
		return Estimate{}, err
	}
	if e.Scaling, err = p.scaling(s.Fabric); err != nil {
		return Estimate{}, err
	}
	if e.Curve, err = p.curve(reach(e)); err != nil {
		return Estimate{}, err
	}
	for _, f := range s.fabrics() {
		c := FabricCost{Fabric: f}
		if c.Times, err = p.times(f, e.Workers); err != nil {
			return Estimate{}, err
		}
		if c.Scaling, err = p.scaling(f); err != nil {
			return Estimate{}, err
		}
		e.Fabrics = append(e.Fabrics, c)
	}
	return e, nil
}

// fabrics are those to compare with, the step's own among them, slowest first.
func (s Step) fabrics() []Fabric {
	all := Fabrics()
	if slices.Contains(all, s.Fabric) {
		return all
	}
	i := slices.IndexFunc(all, func(f Fabric) bool { return f.Bandwidth > s.Fabric.Bandwidth })
	if i < 0 {
		i = len(all)
	}
	return slices.Insert(all, i, s.Fabric)
}

// question is the all-reduce that ends the step, on so many workers.
func (s Step) question(f Fabric, workers int) cost.Question {
	return cost.Question{Collective: schedule.AllReduce, Ranks: workers, Size: s.Gradients(), Network: f.Network()}
}

func (s Step) doubts() []Doubt {
	doubts := []Doubt{PhysicsOnly}
	if s.PerNode > 1 {
		doubts = append(doubts, Flat)
	}
	if unit.Bytes(s.Parameters)*StateBytes > largestMemory {
		doubts = append(doubts, TooLarge)
	}
	if s.Compute > 0 {
		doubts = append(doubts, NoOverlap)
	}
	return doubts
}
