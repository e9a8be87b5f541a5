package sizing

import (
	"context"
	"fmt"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// What is assumed of ranks on one machine that talk by TCP over loopback, as
// long as no earlier runs say better. It serves to choose an algorithm, and to
// stand in for the latency of a paced run, which bytes at the given pace
// outweigh; it is no measurement, and no time of a run at full speed is
// predicted from it.
const (
	AssumedLatency   = 50 * time.Microsecond
	AssumedBandwidth = unit.Rate(1e9)
)

// maxTransfers bounds the messages × slices that a plan plays: beyond it the
// play takes longer than a person who presses a button should wait.
const maxTransfers = 1 << 18

// Planner plans runs. It is safe for concurrent use if its earlier runs and
// its calibrations are.
type Planner struct {
	earlier EarlierRuns
	machine *machine // nil for one that is not calibrated
	links   Links    // nil where there are no nodes
}

// NewPlanner returns a planner that learns from earlier runs; nil for none.
func NewPlanner(earlier EarlierRuns) *Planner { return &Planner{earlier: earlier} }

// Plan chooses the algorithm where spec leaves it to us ("auto" or none) among
// those that hosts can execute, and predicts the time and the end of each
// round. On what ground:
//
//   - A run at full speed on a calibrated machine by the model of the machine,
//     which runs that have ended since refine.
//   - Where the machine is not calibrated, by the α–β closed forms, and played
//     by the simulator with the run's own slices (fewer where there are very
//     many) on the network that earlier runs at full speed have shown.
//   - A run whose ports are paced to a rate with the pace as bandwidth.
//   - A run on nodes by what probes have found between them.
//
// Where there is no ground for a figure, and for runs that are held round by
// round, there is none, and a warning says why. The spec must be resolved;
// errors are *schedule.RequestError where a field of it cannot be used.
func (p *Planner) Plan(ctx context.Context, spec trace.Spec) (trace.Plan, error) {
	if len(spec.Nodes) > 0 {
		return p.planNodes(spec)
	}
	if spec.Called() {
		return trace.Plan{Algorithm: spec.Algorithm, Warnings: []trace.Warning{unpredicted("how the library goes about it is its own matter", trace.Values{"why": libraryCall})}}, nil
	}
	if spec.Backend == trace.Host {
		if plan, ok, err := p.calibrated(ctx, spec); ok || err != nil {
			return plan, err
		}
	}
	network := cost.Network{Latency: AssumedLatency, Bandwidth: AssumedBandwidth}
	known := true // network is ground enough for a figure
	var grounds trace.Warning
	switch {
	case spec.Pace.Step:
		known, grounds = false, unpredicted("the run is held after each round", trace.Values{"why": heldByStep})
	case spec.Ranks == 1:
		known, grounds = spec.Pace.Rate > 0, unpredicted("a single rank sends nothing", trace.Values{"why": singleRank})
	case spec.Pace.Rate == 0:
		f, err := p.fit(ctx, spec)
		if known = err == nil; known {
			network, grounds = f.Network.Network, f.warning(spec.Size)
		} else {
			grounds = noGround(err)
		}
	}
	if spec.Pace.Rate > 0 {
		network.Bandwidth = spec.Pace.Rate
		if known {
			latency := unit.FromDuration(network.Latency).String()
			grounds = trace.Warning{
				Code: "assumed-latency",
				Message: "predicted with the pace as bandwidth and " + latency +
					" assumed for a message's latency; a machine that cannot keep up with the pace takes longer",
				Values: trace.Values{"latency": latency},
			}
		}
	}
	plan := trace.Plan{Algorithm: spec.Algorithm}
	if spec.Imported != nil {
		plan.Algorithm = spec.Imported.Algorithm
	} else if spec.Algorithm == "" || spec.Algorithm == cost.Auto {
		fastest, err := cost.Question{
			Collective: spec.Collective, Ranks: spec.Ranks, RanksPerNode: spec.PerNode, Size: spec.Size, Chunks: spec.Chunks, Network: network,
		}.Fastest()
		if err != nil {
			return trace.Plan{}, err
		}
		plan.Algorithm = fastest.Algorithm
		if spec.Pace.Rate == 0 && !known {
			v := trace.Values{"algorithm": plan.Algorithm, "latency": unit.FromDuration(network.Latency).String(), "bandwidth": network.Bandwidth.String()}
			plan.Warnings = append(plan.Warnings, trace.Warning{
				Code: "assumed-network",
				Message: fmt.Sprintf("%s is the fastest by the cost model with %s and %s assumed between local ranks, which are not measured",
					v["algorithm"], v["latency"], v["bandwidth"]),
				Values: v,
			})
		}
	} else if _, err := schedule.Find(spec.Collective, spec.Algorithm); err != nil {
		return trace.Plan{}, err
	}
	plan.Warnings = append(plan.Warnings, grounds)
	if !known {
		return plan, nil
	}
	spec.Algorithm = plan.Algorithm
	line, err := play(spec, network)
	if err != nil {
		return trace.Plan{}, err
	}
	plan.Predicted, plan.Rounds = line.Time, line.Rounds
	return plan, nil
}

// play plays the run's schedule in cost time.
func play(spec trace.Spec, network cost.Network) (*sim.Timeline, error) {
	return playWith(spec, sim.Setup{Network: network})
}

// playWith plays the run's schedule on the setup's network or fabric.
func playWith(spec trace.Spec, setup sim.Setup) (*sim.Timeline, error) {
	sched, err := spec.Schedule()
	if err != nil {
		return nil, err
	}
	slices := spec.SlicesFor(sched)
	// A slice less or more changes the time by a slice's own, so very fine
	// ones can be played coarser.
	if messages := sched.Traffic().Messages; messages > 0 {
		slices = min(slices, max(1, maxTransfers/messages))
	}
	setup.Elements, setup.Width, setup.Slices = spec.Elements(), spec.DType.Width(), slices
	return sim.Play(sched, setup)
}
