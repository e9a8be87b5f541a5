package sizing

import (
	"fmt"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// What is assumed of ranks on one machine that talk by TCP over loopback. It
// serves to choose an algorithm, and to stand in for the latency of a paced
// run, which bytes at the given pace outweigh; it is no measurement, and no
// time of a run at full speed is predicted from it.
const (
	AssumedLatency   = 50 * time.Microsecond
	AssumedBandwidth = unit.Rate(1e9)
)

// maxTransfers bounds the messages × slices that a plan plays: beyond it the
// play takes longer than a person who presses a button should wait.
const maxTransfers = 1 << 18

// Planner plans runs. It has no state and is safe for concurrent use.
type Planner struct{}

// NewPlanner returns a planner.
func NewPlanner() *Planner { return &Planner{} }

// Plan chooses the algorithm where spec leaves it to us ("auto" or none): the
// fastest by the α–β closed forms among those that hosts can execute. A run
// whose ports are paced to a rate, and which is not also held round by round,
// has a known bandwidth: its time and the end of each round are those of the
// simulator with the run's own slices (fewer where there are very many). Other
// runs get no predicted time. The spec must be resolved; errors are
// *schedule.RequestError where a field of it cannot be used.
func (p *Planner) Plan(spec trace.Spec) (trace.Plan, error) {
	network := cost.Network{Latency: AssumedLatency, Bandwidth: AssumedBandwidth}
	if spec.Pace.Rate > 0 {
		network.Bandwidth = spec.Pace.Rate
	}
	plan := trace.Plan{Algorithm: spec.Algorithm}
	if spec.Algorithm == "" || spec.Algorithm == cost.Auto {
		fastest, err := cost.Question{
			Collective: spec.Collective, Ranks: spec.Ranks, Size: spec.Size, Chunks: spec.Chunks, Network: network,
		}.Fastest()
		if err != nil {
			return trace.Plan{}, err
		}
		plan.Algorithm = fastest.Algorithm
		if spec.Pace.Rate == 0 {
			plan.Warnings = append(plan.Warnings, trace.Warning{Code: "assumed-network", Message: fmt.Sprintf(
				"%s is the fastest by the cost model with %s and %s assumed between local ranks, which are not measured",
				plan.Algorithm, unit.FromDuration(network.Latency), network.Bandwidth)})
		}
	} else if _, err := schedule.Find(spec.Collective, spec.Algorithm); err != nil {
		return trace.Plan{}, err
	}
	if spec.Pace.Rate == 0 || spec.Pace.Step {
		return plan, nil
	}
	spec.Algorithm = plan.Algorithm
	line, err := play(spec, network)
	if err != nil {
		return trace.Plan{}, err
	}
	plan.Predicted, plan.Rounds = line.Time, line.Rounds
	plan.Warnings = append(plan.Warnings, trace.Warning{Code: "assumed-latency", Message: fmt.Sprintf(
		"predicted with the pace as bandwidth and %s assumed for a message's latency; a machine that cannot keep up with the pace takes longer",
		unit.FromDuration(network.Latency))})
	return plan, nil
}

// play plays the run's schedule in cost time.
func play(spec trace.Spec, network cost.Network) (*sim.Timeline, error) {
	sched, err := schedule.Build(spec.Request())
	if err != nil {
		return nil, err
	}
	slices := spec.SlicesFor(sched)
	// A slice less or more changes the time by a slice's own, so very fine
	// ones can be played coarser.
	if messages := sched.Traffic().Messages; messages > 0 {
		slices = min(slices, max(1, maxTransfers/messages))
	}
	return sim.Play(sched, sim.Setup{Elements: spec.Elements(), Width: spec.DType.Width(), Network: network, Slices: slices})
}
