package plan

import (
	"testing"

	"lockstep/sizing/catalog"
)

// TestSmallestMeetsItsDeadline and the cluster tried before it does not.
func TestSmallestMeetsItsDeadline(t *testing.T) {
	a, m := asked(t, "llama3-8b", "dgx-h100", 1)
	d := Deadline{Tokens: 1e12, Days: 20}
	found, err := a.Smallest(m, d)
	if err != nil {
		t.Fatal(err)
	}
	if found.Likely == nil || found.Sure == nil || found.Likely.Nodes > found.Sure.Nodes {
		t.Fatalf("%+v", found)
	}
	if days := found.Likely.days(d.Tokens, found.Likely.Step.Value); days > d.Days {
		t.Errorf("likely in %v days", days)
	}
	if days := found.Sure.days(d.Tokens, found.Sure.Step.High); days > d.Days {
		t.Errorf("surely in %v days", days)
	}
	for n := 1; n < found.Likely.Nodes; n = nodesAfter(n) {
		a.Nodes = n
		e, err := a.Estimate(m)
		if err != nil {
			t.Fatal(err)
		}
		if e.Memory.Fits && e.days(d.Tokens, e.Step.Value) <= d.Days {
			t.Errorf("%d nodes do, %d were found", n, found.Likely.Nodes)
		}
	}
	if found, err = a.Smallest(m, Deadline{Tokens: 1e18, Days: 1e-3}); err != nil || found.Likely != nil || found.Sure != nil {
		t.Errorf("what no cluster can do: %+v, %v", found, err)
	}
	for _, d := range []Deadline{{}, {Tokens: 1}, {Tokens: -1, Days: 1}} {
		if _, err := a.Smallest(m, d); err == nil {
			t.Errorf("%+v is taken", d)
		}
	}
}

// TestCheapestIsTheSlowestWithin what was asked.
func TestCheapestIsTheSlowestWithin(t *testing.T) {
	a, m := asked(t, "llama3-70b", "dgx-h100", 16)
	fabrics := []catalog.Fabric{{ID: "fast", Rate: 800}, {ID: "slow", Rate: 10}, {ID: "middle", ByteRate: 50}}
	all, _, err := a.Cheapest(m, fabrics, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 || all[0].Fabric.ID != "slow" || all[2].Fabric.ID != "fast" || all[0].Behind <= 0 {
		t.Fatalf("%+v", all)
	}
	for _, within := range []float64{0, 0.02, 0.1, 1} {
		_, chosen, err := a.Cheapest(m, fabrics, within)
		if err != nil {
			t.Fatal(err)
		}
		for i, on := range all[:chosen+1] {
			if near := on.Behind <= within; near != (i == chosen) {
				t.Errorf("within %v: %s, %v behind, is passed over: %v", within, on.Fabric.ID, on.Behind, i != chosen)
			}
		}
	}
	if _, chosen, err := a.Cheapest(m, nil, 0); err != nil || chosen != -1 {
		t.Errorf("no fabrics: %d, %v", chosen, err)
	}
	if _, _, err = a.Cheapest(m, fabrics, -1); err == nil {
		t.Error("a share below 0 is taken")
	}
}
