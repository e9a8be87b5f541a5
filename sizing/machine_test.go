package sizing_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/calibrate"
	"lockstep/sizing/cost"
)

// kept is one calibration, or why there is none.
type kept struct {
	calibration calibrate.Calibration
	err         error
}

func (k kept) Calibration(_ context.Context, machine calibrate.Fingerprint) (calibrate.Calibration, error) {
	if k.err == nil && machine != k.calibration.Machine {
		return calibrate.Calibration{}, calibrate.ErrNone
	}
	return k.calibration, k.err
}

var here = calibrate.Fingerprint{CPU: "a processor", CPUs: 2, Arch: "amd64", Build: "test"}

// calibration is of a machine on which latency is everything.
func calibration(made time.Time) calibrate.Calibration {
	costs := calibrate.Costs{Hop: 1e-3, Piece: 1e-9, Bytes: []calibrate.ByteCost{{Span: 1 << 20, Move: 1e-15, Reduce: 1e-15}}}
	return calibrate.Calibration{
		Version: 1, Machine: here, Made: made,
		Found: []calibrate.Found{{Link: trace.TCP, Ranks: 2, Costs: costs}, {Link: trace.TCP, Ranks: 4, Costs: costs}},
	}
}

func planOn(t *testing.T, k kept, runs sizing.EarlierRuns, spec trace.Spec) trace.Plan {
	t.Helper()
	spec.Collective, spec.Link = schedule.AllReduce, trace.TCP
	spec, err := spec.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	p, err := sizing.NewPlanner(runs).Calibrated(k, here).Plan(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Where a hop is all that costs, auto takes the algorithm of one hop, also for
// sizes at which the assumed network would have it otherwise.
func TestAutoGoesByTheCalibration(t *testing.T) {
	k := kept{calibration: calibration(time.Now())}
	p := planOn(t, k, nil, trace.Spec{Algorithm: "auto", Ranks: 4, Size: 64 * unit.MiB})
	if p.Algorithm != "direct" || math.Abs(float64(p.Predicted)-1e-3) > 2e-4 || len(p.Rounds) != 1 || codes(p) != "calibrated" {
		t.Errorf("%+v", p)
	}
	w := p.Warnings[0]
	for _, name := range []string{"why", "made", "link", "low", "high"} {
		if w.Values[name] == "" {
			t.Errorf("no %s in %+v", name, w)
		}
	}
	if !strings.Contains(w.Message, w.Values["made"]) {
		t.Errorf("%q does not say when", w.Message)
	}
}

// Paced runs and single ranks have nothing to do with the machine; another
// machine's calibration does not count, and an unknown link is left to what
// was there before.
func TestWhatACalibrationIsNotFor(t *testing.T) {
	k := kept{calibration: calibration(time.Now())}
	other := k
	other.calibration.Machine.Kernel = "another"
	for want, plan := range map[string]trace.Plan{
		"assumed-latency":               planOn(t, k, nil, trace.Spec{Algorithm: "ring", Ranks: 4, Size: unit.MiB, Pace: trace.Pace{Rate: 1e8}}),
		"no-prediction":                 planOn(t, k, nil, trace.Spec{Algorithm: "ring", Ranks: 1, Size: unit.MiB}),
		"assumed-network no-prediction": planOn(t, other, nil, trace.Spec{Algorithm: "auto", Ranks: 4, Size: unit.MiB}),
	} {
		if codes(plan) != want {
			t.Errorf("%+v; want %s", plan, want)
		}
	}
	k.calibration.Found = nil
	if p := planOn(t, k, nil, trace.Spec{Algorithm: "ring", Ranks: 4, Size: unit.MiB}); codes(p) != "no-prediction" {
		t.Errorf("a link that was not measured: %+v", p)
	}
}

// Runs that ended since refine the model; earlier ones do not, for who knows
// what the machine was then.
func TestLaterRunsRefineTheCalibration(t *testing.T) {
	made := time.Now()
	k := kept{calibration: calibration(made)}
	spec := trace.Spec{Algorithm: "ring", Ranks: 4, Size: unit.MiB, Link: trace.TCP}
	run := measured(t, spec, cost.Network{Latency: 50 * time.Millisecond, Bandwidth: 1e9})
	before := planOn(t, k, nil, spec)
	run.Started = made.Add(-time.Second)
	if p := planOn(t, k, earlier{run}, spec); p.Predicted != before.Predicted {
		t.Errorf("after a run before the calibration: %v, before %v", p.Predicted, before.Predicted)
	}
	run.Started = made.Add(time.Second)
	p := planOn(t, k, earlier{run}, spec)
	if math.Abs(float64(p.Predicted)/run.Times.Median-1) > 1e-6 || p.Warnings[0].Values["why"] != string(calibrate.Same) {
		t.Errorf("after a run that took %v: %+v", run.Times.Median, p)
	}
}

func TestACalibrationThatCannotBeReadIsAnError(t *testing.T) {
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: unit.MiB}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("the disk is gone")
	if _, err := sizing.NewPlanner(nil).Calibrated(kept{err: gone}, here).Plan(t.Context(), spec); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}

// A planner is asked by pages and by the engine at once.
func TestPlansAtTheSameTime(t *testing.T) {
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "auto", Ranks: 4, Size: unit.MiB, Link: trace.TCP}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	p := sizing.NewPlanner(earlier{}).Calibrated(kept{calibration: calibration(time.Now())}, here)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if plan, err := p.Plan(t.Context(), spec); err != nil || plan.Algorithm != "direct" {
				t.Errorf("%+v, %v", plan, err)
			}
		})
	}
	all.Wait()
}
