package sizing_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
)

var _ engine.Planner = (*sizing.Planner)(nil)

func plan(t *testing.T, spec trace.Spec) trace.Plan {
	t.Helper()
	if spec.Collective == "" {
		spec.Collective = schedule.AllReduce
	}
	spec, err := spec.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	p, err := sizing.NewPlanner(nil).Plan(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func codes(p trace.Plan) string {
	var list []string
	for _, w := range p.Warnings {
		list = append(list, w.Code)
	}
	return strings.Join(list, " ")
}

// With 50 us and 1 GB/s assumed, few latencies win where there is little to
// move, and few bytes where there is much. What only the network can do is
// never taken.
func TestAutoTakesTheFastestAndSaysWhatItAssumed(t *testing.T) {
	for size, want := range map[unit.Bytes]string{0: "direct", 49_380: "recursive-doubling", 64 * unit.MiB: "hierarchical"} {
		p := plan(t, trace.Spec{Algorithm: "auto", Ranks: 10, Size: size})
		if p.Algorithm != want || p.Predicted != 0 || p.Rounds != nil || codes(p) != "assumed-network no-prediction" {
			t.Errorf("%d bytes: %+v; want %s without a prediction, and why", size, p, want)
		}
		question := cost.Question{
			Collective: schedule.AllReduce, Ranks: 10, Size: size,
			Network: cost.Network{Latency: sizing.AssumedLatency, Bandwidth: sizing.AssumedBandwidth},
		}
		prices, err := question.All()
		if err != nil {
			t.Fatal(err)
		}
		taken := slices.IndexFunc(prices, func(p cost.Price) bool { return p.Algorithm == want })
		for _, price := range prices {
			if price.Executable && price.Time < prices[taken].Time {
				t.Errorf("%d bytes: %s takes %v, %s %v", size, want, prices[taken].Time, price.Algorithm, price.Time)
			}
		}
	}
}

func TestANamedAlgorithmAtFullSpeedIsNotPredicted(t *testing.T) {
	p := plan(t, trace.Spec{Algorithm: "central", Ranks: 4, Size: unit.MiB})
	if p.Algorithm != "central" || p.Predicted != 0 || p.Rounds != nil || codes(p) != "no-prediction" {
		t.Errorf("%+v", p)
	}
}

// At one slice the prediction is the closed form: 2(n-1)(α + S/(nB)).
func TestAPacedRunIsPredicted(t *testing.T) {
	spec := trace.Spec{Algorithm: "ring", Ranks: 4, Size: 4 * unit.MB, Pace: trace.Pace{Rate: 100e6}, Slices: 1}
	p := plan(t, spec)
	round := 50e-6 + 1e6/100e6
	if math.Abs(float64(p.Predicted)-6*round) > 1e-12 || len(p.Rounds) != 6 || codes(p) != "assumed-latency" {
		t.Errorf("%+v; want %v in six rounds", p, 6*round)
	}
	for i, end := range p.Rounds {
		if math.Abs(float64(end)-float64(i+1)*round) > 1e-12 {
			t.Errorf("round %d ends at %v; want %v", i+1, end, float64(i+1)*round)
		}
	}
	spec.Algorithm = "auto"
	want := 4*50e-6 + 2*3.0/4*4e6/100e6 // as many bytes as the ring, in fewer messages
	if auto := plan(t, spec); auto.Algorithm != "halving-doubling" || math.Abs(float64(auto.Predicted)-want) > 1e-12 {
		t.Errorf("auto: %+v; want %v", auto, want)
	}
}

// With its own slices central returns what is complete while it collects.
func TestAPredictionUsesTheRunsOwnSlices(t *testing.T) {
	spec := trace.Spec{Algorithm: "central", Ranks: 4, Size: 4 * unit.MB, Pace: trace.Pace{Rate: 100e6}}
	// 512 KiB a slice: eight of 0.5 MB. The last leaves rank 0 three slices'
	// time after it has come.
	collect, slice := 3*4e6/100e6, 0.5e6/100e6
	if got, want := float64(plan(t, spec).Predicted), collect+3*slice+2*50e-6; math.Abs(got-want) > 1e-9 {
		t.Errorf("predicted %v; want %v", got, want)
	}
}

func TestAStepwiseRunIsNotPredicted(t *testing.T) {
	p := plan(t, trace.Spec{Algorithm: "ring", Ranks: 4, Size: 4 * unit.MB, Pace: trace.Pace{Rate: 100e6, Step: true}})
	if p.Predicted != 0 || p.Rounds != nil {
		t.Errorf("%+v", p)
	}
}

func TestOneRankAndNoBytes(t *testing.T) {
	for algorithm, latencies := range map[string]unit.Seconds{"central": 2, "ring": 4, "auto": 1} { // auto: direct
		p := plan(t, trace.Spec{Algorithm: algorithm, Ranks: 1, Size: 4, Pace: trace.Pace{Rate: 1e6}})
		if p.Predicted != 0 || len(p.Rounds) != 0 {
			t.Errorf("%s alone: %+v", algorithm, p)
		}
		p = plan(t, trace.Spec{Algorithm: algorithm, Ranks: 3, Size: 0, Pace: trace.Pace{Rate: 1e6}})
		if want := latencies * unit.FromDuration(sizing.AssumedLatency); math.Abs(float64(p.Predicted-want)) > 1e-12 {
			t.Errorf("%s without bytes: %+v", algorithm, p)
		}
	}
}

// The finest slicing of the largest run is played coarser, in bounded time.
func TestALargePlanStaysBounded(t *testing.T) {
	begin := time.Now()
	p := plan(t, trace.Spec{Algorithm: "ring", Ranks: 64, Size: trace.MaxSize, Pace: trace.Pace{Rate: 1e9}, Slices: trace.MaxSlices})
	want := 2 * 63.0 / 64 * float64(trace.MaxSize) / 1e9
	if math.Abs(float64(p.Predicted)/want-1) > 0.001 {
		t.Errorf("predicted %v; want about %v", p.Predicted, want)
	}
	t.Logf("planned in %v", time.Since(begin))
}

func TestUnknownNamesAreRequestErrors(t *testing.T) {
	for field, spec := range map[string]trace.Spec{
		"algorithm":  {Collective: schedule.AllReduce, Algorithm: "fast", Ranks: 4},
		"collective": {Collective: "all-together", Algorithm: "auto", Ranks: 4},
	} {
		_, err := sizing.NewPlanner(nil).Plan(t.Context(), spec)
		var unusable *schedule.RequestError
		if !errors.As(err, &unusable) || unusable.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
