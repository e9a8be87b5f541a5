package plan

import (
	"errors"
	"math"
	"slices"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/sizing/catalog"
)

// TestScalingIsEstimates at every number of nodes, against the smallest that
// fits.
func TestScalingIsEstimates(t *testing.T) {
	a, m := asked(t, "llama3-70b", "dgx-h100", 6)
	s, err := a.Scaling(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	var nodes []int
	var least Point
	for _, p := range s.Points {
		nodes = append(nodes, p.Nodes)
		a.Nodes = p.Nodes
		e, err := a.Estimate(m)
		if err != nil || e.Step != p.Step || e.Bottleneck != p.Bottleneck || e.Memory.Fits != p.Fits {
			t.Errorf("%+v is not the estimate (%v)", p, err)
		}
		if p.Fits && least.Nodes == 0 {
			least = p
		}
		if !p.Fits && p.Efficiency != 0 || p.Fits && math.Abs(p.Efficiency-p.each()/least.each()) > 1e-12 {
			t.Errorf("%d nodes: efficiency %v", p.Nodes, p.Efficiency)
		}
	}
	if !slices.Equal(nodes, []int{1, 2, 4, 6, 8, 16}) || least.Efficiency != 1 || s.Held {
		t.Errorf("%v, %+v", nodes, s)
	}
	a.Nodes, a.Batch, a.Strategy.TP, a.Strategy.PP = 6, 768, 8, 3
	if s, err = a.Scaling(m, nil); err != nil || !s.Held || !slices.Equal(s.Without, []int{1, 2, 4, 8, 16}) || len(s.Points) != 1 {
		t.Errorf("three stages: %+v, %v", s, err)
	}
	var refused *schedule.RequestError
	if _, err = a.Scaling(m, []int{1, 2}); !errors.As(err, &refused) {
		t.Errorf("no number of nodes that divides: %v", err)
	}
	if _, err = a.Scaling(m, []int{0}); !errors.As(err, &refused) || refused.Field != "nodes" {
		t.Errorf("no nodes: %v", err)
	}
}

// TestSensitivityIsSorted, every change is of one thing, and what can only help
// does no harm.
func TestSensitivityIsSorted(t *testing.T) {
	for _, model := range []string{"llama3-70b", "mixtral-8x7b"} {
		a, m := asked(t, model, "dgx-h100", 8)
		s, err := a.Sensitivity(m)
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for i, c := range s.Changes {
			codes = append(codes, c.Code)
			if i > 0 && s.Changes[i-1].Fits == c.Fits && s.Changes[i-1].Gain < c.Gain {
				t.Errorf("%s: %s comes too late", model, c.Code)
			}
			if math.Abs(c.Tokens/s.Base.rate()-1-c.Gain) > 1e-12 {
				t.Errorf("%s: %+v does not add up", model, c)
			}
			if slices.Contains([]string{"nic-rate", "scale-up-rate", "accelerator-peak", "memory-capacity"}, c.Code) && (c.Gain < -1e-9 || c.Batch != s.Base.Batch) {
				t.Errorf("%s: %s makes it slower: %+v", model, c.Code, c)
			}
		}
		slices.Sort(codes)
		if want := []string{"accelerator-peak", "global-batch", "memory-capacity", "nic-rate", "nodes", "precision", "scale-up-rate", "sequence"}; !slices.Equal(codes, want) {
			t.Errorf("%s: %v", model, codes)
		}
	}
	a, m := asked(t, "llama3-8b", "dgx-a100-80", 1)
	s, err := a.Sensitivity(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Changes {
		if c.Code == "nic-rate" || c.Code == "precision" {
			t.Errorf("%s on one node of A100", c.Code)
		}
	}
	a.Nodes = 6
	if n := a.nodesMore(Layout{TP: 8, PP: 3, CP: 1}); n != 9 {
		t.Errorf("three stages on more than 6 nodes: %d", n)
	}
}

// TestFailedIsSlower and keeps the layout where it can.
func TestFailedIsSlower(t *testing.T) {
	a, m := asked(t, "llama3-70b", "dgx-h100", 16)
	for _, fabric := range []*catalog.Fabric{nil, {ID: "slow", ByteRate: 5}} {
		a.Fabric = fabric
		f, err := a.Failed(m)
		if err != nil {
			t.Fatal(err)
		}
		if f.NIC == nil || f.Node == nil {
			t.Fatalf("%+v", f)
		}
		if f.NIC.Strategy != f.Base.Strategy || math.Abs(f.NIC.NIC/a.nic()-7./8) > 1e-12 || f.NIC.Change > 0 || f.NIC.Step.Value < f.Base.Step.Value {
			t.Errorf("a NIC less: %+v", f.NIC)
		}
		if f.Node.Nodes > 15 || f.Node.Nodes < 8 || f.Node.Change >= 0 || f.Node.NIC != a.nic() {
			t.Errorf("a node less: %+v", f.Node)
		}
		s := f.Base.Strategy
		if divides := f.Node.Nodes*8%(s.TP*s.PP*s.CP) == 0; f.Node.Kept && (!divides || f.Node.Strategy.TP != s.TP || f.Node.Strategy.PP != s.PP) {
			t.Errorf("kept: %+v of %+v", f.Node.Strategy, s)
		}
	}
	a.Fabric, a.Nodes, a.Strategy.TP, a.Strategy.PP = nil, 4, 8, 4
	if f, err := a.Failed(m); err != nil || f.Node == nil || f.Node.Kept {
		t.Errorf("three nodes are left for four stages: %+v, %v", f.Node, err)
	}
	one, _ := asked(t, "llama3-8b", "dgx-h100", 1)
	if f, err := one.Failed(m); err != nil || f.NIC != nil || f.Node != nil {
		t.Errorf("one node: %+v, %v", f, err)
	}
}

// TestNodeFabricsJoinNodes at a known rate.
func TestNodeFabricsJoinNodes(t *testing.T) {
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, f := range NodeFabrics(known) {
		ids = append(ids, f.ID)
	}
	for id, there := range map[string]bool{"ib-ndr": true, "eth-tcp-10g": true, "roce-400g": true, "nvlink4-h100": false, "pcie-gen5-x16": false, "ib-generic-astrasim": false, "ring-nccl-net-constant": false, "cray-aries": false} {
		if slices.Contains(ids, id) != there {
			t.Errorf("%s is there: %v", id, !there)
		}
	}
}
