package sizing_test

import (
	"math"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing"
)

// probed are links of some figures between all pairs of nodes, one of them
// narrower than the others.
type probed []inventory.Link

func (p probed) Links() []inventory.Link { return p }

func mesh(latency unit.Seconds, rate unit.Rate, nodes ...string) probed {
	var all probed
	for i, a := range nodes {
		for j, b := range nodes {
			if i != j {
				all = append(all, inventory.Link{From: a, To: b, Latency: latency, Rate: rate, Time: time.Date(2026, 5, 1, 12, i, j, 0, time.UTC)})
			}
		}
	}
	return all
}

func planAcross(t *testing.T, links sizing.Links, spec trace.Spec) trace.Plan {
	t.Helper()
	spec.Collective = schedule.AllReduce
	spec, err := spec.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	p, err := sizing.NewPlanner(nil).Across(links).Plan(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// One rank a node: the closed forms with the probed figures.
func TestARunOnNodesIsPredictedByTheirLinks(t *testing.T) {
	links := mesh(200e-6, 100e6, "a", "b", "c", "d")
	spec := trace.Spec{Algorithm: "ring", Ranks: 4, Size: 4 * unit.MB, Nodes: []string{"a", "b", "c", "d"}, Slices: 1}
	p := planAcross(t, links, spec)
	if want := 6 * (200e-6 + 1e6/100e6); math.Abs(float64(p.Predicted)-want) > 1e-12 || codes(p) != "probed" {
		t.Errorf("ring: %+v; want %v", p, want)
	}
	spec.Algorithm = "central"
	if p, want := planAcross(t, links, spec), 2*200e-6+2*3*4e6/100e6; math.Abs(float64(p.Predicted)-want) > 1e-12 {
		t.Errorf("central: %v; want %v", p.Predicted, want)
	}
	// The narrowest link counts, and is named.
	links[4].Rate = 25e6
	spec.Algorithm = "ring"
	p = planAcross(t, links, spec)
	if want := 6 * (200e-6 + 1e6/25e6); math.Abs(float64(p.Predicted)-want) > 1e-12 || p.Warnings[0].Values["from"] != links[4].From || p.Warnings[0].Values["to"] != links[4].To {
		t.Errorf("with a narrow link: %+v; want %v", p, want)
	}
	spec.Nodes = []string{"a", "b"} // which it is not between
	if p := planAcross(t, links, spec); p.Predicted <= 0 || p.Warnings[0].Values["bandwidth"] != unit.Rate(100e6).String() {
		t.Errorf("on two nodes: %+v", p)
	}
}

// Ranks that share a node share what leads out of it, so that a schedule that
// sends little between nodes is chosen.
func TestTheChoiceOnNodesKnowsTheTiers(t *testing.T) {
	spec := trace.Spec{Algorithm: "auto", Ranks: 8, PerNode: 4, Size: 64 * unit.MB, Nodes: []string{"a", "b"}}
	p := planAcross(t, mesh(50e-6, 25e6, "a", "b"), spec)
	chosen := p.Predicted
	if chosen <= 0 || codes(p) != "probed" {
		t.Fatalf("%+v", p)
	}
	for _, algorithm := range []string{"ring", "central", "binomial-tree", "halving-doubling", "hierarchical"} {
		spec.Algorithm = algorithm
		if one := planAcross(t, mesh(50e-6, 25e6, "a", "b"), spec); one.Predicted < chosen*0.999 {
			t.Errorf("%s takes %v, the chosen %s %v", algorithm, one.Predicted, p.Algorithm, chosen)
		}
	}
}

func TestWhatIsNotKnownOfNodesIsNotPredicted(t *testing.T) {
	links := mesh(200e-6, 100e6, "a", "b", "c")
	failed := links[0]
	failed.Rate, failed.Latency, failed.Fault = 0, 0, "no answer"
	for name, c := range map[string]struct {
		links sizing.Links
		spec  trace.Spec
		why   string
	}{
		"no links":    {nil, trace.Spec{Algorithm: "ring", Ranks: 2, Nodes: []string{"a", "b"}}, "unprobed"},
		"one missing": {links, trace.Spec{Algorithm: "auto", Ranks: 4, Nodes: []string{"a", "b", "c", "d"}}, "unprobed"},
		"one failed":  {append(probed{failed}, links[1:]...), trace.Spec{Algorithm: "ring", Ranks: 3, Nodes: []string{"a", "b", "c"}}, "unprobed"},
		"one node":    {links, trace.Spec{Algorithm: "auto", Ranks: 4, Nodes: []string{"a"}}, "uncalibrated"},
		"held":        {links, trace.Spec{Algorithm: "ring", Ranks: 2, Nodes: []string{"a", "b"}, Pace: trace.Pace{Step: true}}, "step"},
	} {
		c.spec.Size = unit.MB
		p := planAcross(t, c.links, c.spec)
		if p.Predicted != 0 || p.Rounds != nil || codes(p) != "no-prediction" || p.Warnings[0].Values["why"] != c.why || p.Algorithm == "auto" {
			t.Errorf("%s: %+v; want no prediction, %s", name, p, c.why)
		}
	}
}
