package plan

import (
	"errors"
	"slices"

	"lockstep/engine/schedule"
	"lockstep/sizing/trained"
)

// Scaling is a step on clusters of several sizes, as one document.
type Scaling struct {
	Version int     `json:"version"`
	Held    bool    `json:"global_batch_held"` // as asked; else every size has the batch that is usual for it
	Points  []Point `json:"points"`
	Without []int   `json:"nodes_without_layout"` // numbers of nodes that the strategy or the batch cannot take
}

// Point is a step on one of them, in the layout that is best there. Times are
// seconds.
type Point struct {
	Nodes        int           `json:"nodes"`
	Accelerators int           `json:"accelerators"`
	Batch        int           `json:"global_batch"`
	Strategy     Layout        `json:"strategy"`
	Step         Bounded       `json:"step_time_s"`
	Grade        trained.Grade `json:"grade"`
	Tokens       float64       `json:"tokens_per_s"` // of the whole cluster
	Efficiency   float64       `json:"efficiency"`   // tokens a second and accelerator, against the smallest point that fits; 0 where this one does not
	Bottleneck   string        `json:"bottleneck"`
	Fits         bool          `json:"fits"`
}

// Scaling prices the ask on each number of nodes, each with a layout found anew.
// Without numbers they are the powers of two up to four times the ask's own, and
// that one. Errors are *schedule.RequestError.
func (a Ask) Scaling(m *trained.Model, nodes []int) (Scaling, error) {
	if err := a.check(); err != nil {
		return Scaling{}, err
	}
	if nodes == nil {
		nodes = around(a.Nodes)
	}
	s := Scaling{Version: 1, Held: a.Batch > 0, Points: []Point{}, Without: []int{}}
	var first error
	for _, n := range nodes {
		a.Nodes = n
		e, err := a.Estimate(m)
		if withoutLayout(err) {
			if first == nil {
				first = err
			}
			s.Without = append(s.Without, n)
			continue
		}
		if err != nil {
			return Scaling{}, err
		}
		s.Points = append(s.Points, Point{
			Nodes: n, Accelerators: e.Accelerators, Batch: e.Batch, Strategy: e.Strategy, Step: e.Step, Grade: e.Grade, Tokens: e.rate(), Bottleneck: e.Bottleneck, Fits: e.Memory.Fits,
		})
	}
	if len(s.Points) == 0 && first != nil {
		return Scaling{}, first
	}
	s.compare()
	return s, nil
}

// compare fills in the efficiencies.
func (s *Scaling) compare() {
	var least *Point
	for i := range s.Points {
		if p := &s.Points[i]; p.Fits && (least == nil || p.Nodes < least.Nodes) {
			least = p
		}
	}
	for i := range s.Points {
		if p := &s.Points[i]; p.Fits {
			p.Efficiency = p.each() / least.each()
		}
	}
}

// each is the tokens a second of one accelerator.
func (p Point) each() float64 { return p.Tokens / float64(p.Accelerators) }

// rate is the tokens a second of the whole cluster.
func (e Estimate) rate() float64 { return e.Tokens * float64(e.Accelerators) }

// around are the powers of two up to 4n, and n.
func around(n int) (nodes []int) {
	for v := 1; v <= min(4*n, MaxNodes); v *= 2 {
		nodes = append(nodes, v)
	}
	if !slices.Contains(nodes, n) {
		nodes = append(nodes, n)
		slices.Sort(nodes)
	}
	return nodes
}

// withoutLayout reports a refusal that another number of nodes may lift.
func withoutLayout(err error) bool {
	var refused *schedule.RequestError
	return errors.As(err, &refused) && (refused.Field == "strategy" || refused.Field == "global_batch")
}
