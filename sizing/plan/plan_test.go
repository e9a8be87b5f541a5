package plan

import (
	"errors"
	"math"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/sizing/catalog"
	"lockstep/sizing/trained"
)

func asked(t *testing.T, model, system string, nodes int) (Ask, *trained.Model) {
	t.Helper()
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	m, err := trained.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	a := Ask{Nodes: nodes, Strategy: Auto()}
	if a.Model, err = known.Model(model); err != nil {
		t.Fatal(err)
	}
	if a.System, err = known.System(system); err != nil {
		t.Fatal(err)
	}
	if a.Chip, err = known.Accelerator(a.System.Accelerator); err != nil {
		t.Fatal(err)
	}
	return a, m
}

// TestPartsAddUp holds for every decoder of the catalogue: terms and breakdown
// are the step, exposed is no more than all communication, memory is its parts,
// and nothing is said to fit that is larger than the accelerator.
func TestPartsAddUp(t *testing.T) {
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	priced := 0
	for _, model := range known.Models {
		if _, counted := model.Count(); !counted {
			continue
		}
		for _, nodes := range []int{1, 6, 64} {
			a, m := asked(t, model.ID, "dgx-h100", nodes)
			e, err := a.Estimate(m)
			if err != nil {
				t.Errorf("%s on %d nodes: %v", model.ID, nodes, err)
				continue
			}
			priced++
			var terms float64
			for _, term := range e.Terms {
				terms += term.Seconds
			}
			b := e.Breakdown
			for name, sum := range map[string]float64{"terms": terms, "breakdown": b.Compute + b.Exposed + b.Bubble + b.Other} {
				if math.Abs(sum/e.Step.Value-1) > 1e-9 {
					t.Errorf("%s on %d nodes: %s are %v of a step of %v", model.ID, nodes, name, sum, e.Step.Value)
				}
			}
			var exposed float64
			for _, c := range e.Communication {
				exposed += c.Exposed
				if c.Exposed > c.Time*(1+1e-9) {
					t.Errorf("%s on %d nodes: %s exposes %v of %v", model.ID, nodes, c.Purpose, c.Exposed, c.Time)
				}
			}
			if exposed > b.Exposed*(1+1e-6)+1e-9 {
				t.Errorf("%s on %d nodes: collectives expose %v, the step %v", model.ID, nodes, exposed, b.Exposed)
			}
			mem := e.Memory
			if sum := mem.Weights + mem.Gradients + mem.Optimizer + mem.Activations + mem.Buffers; math.Abs(sum/mem.Total-1) > 1e-9 {
				t.Errorf("%s: memory's parts are %v, not %v", model.ID, sum, mem.Total)
			}
			if mem.Fits && mem.Total > mem.Capacity {
				t.Errorf("%s on %d nodes: %v is said to fit %v", model.ID, nodes, mem.Total, mem.Capacity)
			}
			s := e.Strategy
			if s.TP*s.PP*s.CP*s.DP != e.Accelerators || !(e.Step.Low < e.Step.Value && e.Step.Value < e.Step.High) || !(e.MFU > 0 && e.MFU < 1) || !(e.Efficiency > 0 && e.Efficiency <= 1) {
				t.Errorf("%s on %d nodes: %+v, step %+v, MFU %v, efficiency %v", model.ID, nodes, s, e.Step, e.MFU, e.Efficiency)
			}
		}
	}
	if priced < 200 {
		t.Errorf("%d estimates were made", priced)
	}
}

// TestStrategiesAreKept asks for layouts and gets them.
func TestStrategiesAreKept(t *testing.T) {
	for text, want := range map[string]Layout{
		"tp=8,pp=4,dp=2,zero=1":                         {TP: 8, PP: 4, CP: 1, EP: 1, DP: 2, Zero: 1},
		"zero=3,tp=1,pp=1":                              {TP: 1, PP: 1, CP: 1, EP: 1, DP: 64, Zero: 3},
		"tp=4, pp=2 ,recompute=full,vpp=2,micro=1,cp=2": {TP: 4, PP: 2, CP: 2, EP: 1, DP: 4, Zero: 1, Virtual: 2, Micro: 1, Recompute: "full"},
	} {
		a, m := asked(t, "llama3-70b", "dgx-h100", 8)
		var err error
		if a.Strategy, err = ParseStrategy(text); err != nil {
			t.Fatal(err)
		}
		e, err := a.Estimate(m)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := e.Strategy
		if got.TP != want.TP || got.PP != want.PP || got.CP != want.CP || got.DP != want.DP || got.Zero != want.Zero ||
			want.Recompute != "" && (got.Recompute != want.Recompute || got.Virtual != want.Virtual || got.Micro != want.Micro) {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestWhatCannotBeIsRefused names the field, what was given and what is
// accepted.
func TestWhatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*Ask)
		field  string
	}{
		{func(a *Ask) { a.Nodes = 0 }, "nodes"},
		{func(a *Ask) { a.Precision = "fp4" }, "precision"},
		{func(a *Ask) { a.Precision = "nvfp4" }, "precision"},
		{func(a *Ask) { a.Sequence = -1 }, "seq_len"},
		{func(a *Ask) { a.Batch = -4 }, "global_batch"},
		{func(a *Ask) { a.Strategy.TP = 7 }, "strategy"},
		{func(a *Ask) { a.Strategy.PP = 128 }, "strategy"},
		{func(a *Ask) { a.Strategy.EP = 8 }, "strategy"},
		{func(a *Ask) { a.Strategy.DP = 5 }, "strategy"},
		{func(a *Ask) { a.Model.Kind = "cnn" }, "model"},
	} {
		a, m := asked(t, "llama3-70b", "dgx-h100", 8)
		c.change(&a)
		_, err := a.Estimate(m)
		var refused *schedule.RequestError
		if !errors.As(err, &refused) || refused.Field != c.field {
			t.Errorf("%+v: %v; expected a refusal of %s", a.Strategy, err, c.field)
		}
	}
	for _, text := range []string{"tp", "tp=", "tp=0", "tp=8.5", "tp=-1", "zero=4", "xp=2", "recompute=some", "tp=8;pp=2", "tp=08"} {
		if _, err := ParseStrategy(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestMoreOfEverythingHelps: faster fabrics, more nodes and a lower precision
// never make a token dearer, or a step longer.
func TestMoreOfEverythingHelps(t *testing.T) {
	a, m := asked(t, "llama3-70b", "dgx-h100", 16)
	a.Batch = 1024
	base, err := a.Estimate(m)
	if err != nil {
		t.Fatal(err)
	}
	slow := a
	slow.Fabric = &catalog.Fabric{ID: "slow", ByteRate: 1}
	slow.System.NICs = 1
	slower, err := slow.Estimate(m)
	if err != nil {
		t.Fatal(err)
	}
	if slower.Step.Value <= base.Step.Value {
		t.Errorf("%v on a slow fabric, %v on a fast one", slower.Step.Value, base.Step.Value)
	}
	more := a
	more.Nodes = 32
	quicker, err := more.Estimate(m)
	if err != nil {
		t.Fatal(err)
	}
	if quicker.Step.Value >= base.Step.Value {
		t.Errorf("%v on 32 nodes, %v on 16", quicker.Step.Value, base.Step.Value)
	}
}

// TestTenThousandLayouts bounds a failure, not a speed.
func TestTenThousandLayouts(t *testing.T) {
	a, m := asked(t, "deepseek-v3", "dgx-h100", 256)
	begun := time.Now()
	e, err := a.Estimate(m)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("%d layouts took %v", e.Tried, took)
	}
	t.Logf("%d layouts in %v", e.Tried, time.Since(begun))
}
