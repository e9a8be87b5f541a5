package sizing_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// earlier is a list of runs, newest first.
type earlier []trace.Run

func (e earlier) Finished(_ context.Context, limit int) ([]trace.Run, error) {
	return e[:min(limit, len(e))], nil
}

// unreadable is a list that cannot be read.
type unreadable struct{}

func (unreadable) Finished(context.Context, int) ([]trace.Run, error) {
	return nil, errors.New("the disk is gone")
}

// measured is a finished run as a network would have it.
func measured(t *testing.T, spec trace.Spec, n cost.Network) trace.Run {
	t.Helper()
	spec.Collective = schedule.AllReduce
	spec, err := spec.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	sched, err := schedule.Build(spec.Request())
	if err != nil {
		t.Fatal(err)
	}
	spec.Slices = spec.SlicesFor(sched)
	line, err := sim.Play(sched, sim.Setup{Elements: spec.Elements(), Width: 4, Network: n, Slices: spec.Slices})
	if err != nil {
		t.Fatal(err)
	}
	run := trace.NewRun("0001", spec, time.Now())
	run.Outcome, run.Verified, run.Slices = trace.Done, true, spec.Slices
	run.Measured([]time.Duration{line.Time.Duration()})
	return run
}

func planAfter(t *testing.T, runs sizing.EarlierRuns, spec trace.Spec) trace.Plan {
	t.Helper()
	spec.Collective = schedule.AllReduce
	spec, err := spec.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	p, err := sizing.NewPlanner(runs).Plan(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestARunIsPredictedFromEarlierOnes(t *testing.T) {
	quick := cost.Network{Latency: 70 * time.Microsecond, Bandwidth: 1.5e9} // two ranks have the processors to themselves
	busy := cost.Network{Latency: 100 * time.Microsecond, Bandwidth: 1e9}
	var runs earlier
	for _, size := range []unit.Bytes{4 << 10, 1 << 20, 64 << 20} {
		for range 2 {
			runs = append(runs,
				measured(t, trace.Spec{Algorithm: "ring", Ranks: 2, Size: size}, quick),
				measured(t, trace.Spec{Algorithm: "central", Ranks: 4, Size: size}, busy))
		}
	}
	for _, c := range []struct {
		ranks   int
		network cost.Network
		words   string
	}{{2, quick, "fitted to 6 earlier runs of 2 ranks here"}, {4, busy, "fitted to 6 earlier runs of 4 ranks here"}} {
		spec := trace.Spec{Algorithm: "ring", Ranks: c.ranks, Size: 16 << 20}
		want := measured(t, spec, c.network).Times.Median
		p := planAfter(t, runs, spec)
		if math.Abs(float64(p.Predicted)/want-1) > 0.01 || len(p.Rounds) != 2*(c.ranks-1) || codes(p) != "fitted" {
			t.Errorf("%d ranks: %+v; want %v", c.ranks, p, want)
		}
		if !strings.Contains(p.Warnings[0].Message, c.words) {
			t.Errorf("%q; want %q in it", p.Warnings[0].Message, c.words)
		}
	}
	if p := planAfter(t, runs, trace.Spec{Algorithm: "ring", Ranks: 2, Size: 128 << 20}); !strings.HasSuffix(p.Warnings[0].Message, "outside theirs, 4 KiB to 64 MiB") {
		t.Errorf("%+v", p)
	}
	// Three ranks were never seen: all runs together are some ground.
	p := planAfter(t, runs, trace.Spec{Algorithm: "ring", Ranks: 3, Size: 12 << 20})
	if p.Predicted <= 0 || !strings.Contains(p.Warnings[0].Message, "12 earlier runs of any number of ranks") {
		t.Errorf("%+v", p)
	}
}

// Where a message costs more than assumed, one latency with all the bytes
// stays ahead of four with half of them for longer: for four ranks 50 us and
// 1 GB/s have direct and halving-doubling meet at 100 kB, 1 ms at 20 times as
// much.
func TestAutoUsesTheFit(t *testing.T) {
	slow := cost.Network{Latency: time.Millisecond, Bandwidth: 1e9}
	var runs earlier
	for _, size := range []unit.Bytes{4 << 10, 1 << 20, 64 << 20} {
		runs = append(runs, measured(t, trace.Spec{Algorithm: "ring", Ranks: 4, Size: size}, slow))
	}
	spec := trace.Spec{Algorithm: "auto", Ranks: 4, Size: 400_000}
	if p := planAfter(t, runs, spec); p.Algorithm != "direct" || codes(p) != "fitted" || p.Predicted <= 0 {
		t.Errorf("%+v; want direct by the fit", p)
	}
	if p := planAfter(t, nil, spec); p.Algorithm != "halving-doubling" {
		t.Errorf("%+v; want halving-doubling by what is assumed", p)
	}
	spec.Pace.Rate = 1e6 // a pace needs no fit
	if p := planAfter(t, runs, spec); codes(p) != "assumed-latency" {
		t.Errorf("%+v", p)
	}
}

func TestRunsThatSayNothing(t *testing.T) {
	network := cost.Network{Latency: 20 * time.Microsecond, Bandwidth: 4e9}
	for name, spoil := range map[string]func(*trace.Run){
		"paced":        func(r *trace.Run) { r.Paced = true },
		"failed":       func(r *trace.Run) { r.Outcome = trace.Failed },
		"not verified": func(r *trace.Run) { r.Verified = false },
		"no times":     func(r *trace.Run) { r.Times = nil },
		"other link":   func(r *trace.Run) { r.Link = "another" },
		"other end":    func(r *trace.Run) { r.Backend = "mpi" },
		"slow rank":    func(r *trace.Run) { r.Warnings = append(r.Warnings, trace.Warning{Code: "slow-rank"}) },
	} {
		var runs earlier
		for _, size := range []unit.Bytes{4 << 10, 1 << 20, 64 << 20} {
			run := measured(t, trace.Spec{Algorithm: "ring", Ranks: 4, Size: size}, network)
			spoil(&run)
			runs = append(runs, run)
		}
		p := planAfter(t, runs, trace.Spec{Algorithm: "ring", Ranks: 4, Size: 1 << 20})
		if p.Predicted != 0 || codes(p) != "no-prediction" || !strings.Contains(p.Warnings[0].Message, "too few sizes were measured: 0; needed are 3") {
			t.Errorf("%s: %+v", name, p)
		}
	}
	p := planAfter(t, unreadable{}, trace.Spec{Algorithm: "ring", Ranks: 4, Size: 1 << 20})
	if codes(p) != "no-prediction" || !strings.Contains(p.Warnings[0].Message, "the disk is gone") {
		t.Errorf("%+v", p)
	}
	for why, spec := range map[string]trace.Spec{
		"held after each round":       {Algorithm: "ring", Ranks: 4, Size: 1 << 20, Pace: trace.Pace{Step: true}},
		"a single rank sends nothing": {Algorithm: "ring", Ranks: 1, Size: 1 << 20},
	} {
		if p := planAfter(t, nil, spec); codes(p) != "no-prediction" || !strings.Contains(p.Warnings[0].Message, why) {
			t.Errorf("%+v; want %q", p, why)
		}
	}
}
