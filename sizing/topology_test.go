package sizing_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
)

// fourByFour is 1.2 GB on four nodes of four ranks with two NICs.
func fourByFour() sizing.Topology {
	return sizing.Topology{Nodes: 4, PerNode: 4, NICs: 2, Size: 1200 * unit.MB,
		Inside: cost.Network{Latency: 3 * time.Microsecond, Bandwidth: 450e9},
		Across: cost.Network{Latency: 5 * time.Microsecond, Bandwidth: 50e9}}
}

func compare(t testing.TB, topology sizing.Topology) []sizing.Crossing {
	t.Helper()
	all, err := topology.Compare()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWaysAcrossNodes(t *testing.T) {
	topology := fourByFour()
	all := compare(t, topology)
	vector := topology.Size
	for i, want := range []struct {
		algorithm     string
		interleaved   bool
		sent, busiest unit.Bytes // of a node; of a NIC
		hops, across  int
	}{
		{"hierarchical", false, vector * 3 / 2, vector * 3 / 4, 32, 16},
		{"ring", false, vector * 15 / 8, vector * 15 / 8, 16, 4},
		{"ring", true, vector * 15 / 2, vector * 15 / 4, 16, 16},
	} {
		got := all[i]
		across := 0
		for _, hop := range got.Hops {
			if hop.Across {
				across++
			}
		}
		if got.Algorithm != want.algorithm || got.Interleaved != want.interleaved || got.MostSent() != want.sent || got.Busiest() != want.busiest ||
			len(got.Hops) != want.hops || across != want.across {
			t.Errorf("%s, interleaved %v: a node sends %d, a NIC carries %d, %d hops, %d across; want %+v",
				got.Algorithm, got.Interleaved, got.MostSent(), got.Busiest(), len(got.Hops), across, want)
		}
		if bound := got.Busiest().Over(topology.Across.Bandwidth); got.Time < bound {
			t.Errorf("%s takes %v, less than its busiest NIC's %v", got.Algorithm, got.Time, bound)
		}
	}
	if tree := all[3]; tree.Algorithm != "double-binary-tree" || tree.Time <= all[0].Time {
		t.Errorf("the double tree: %s in %v", tree.Algorithm, tree.Time)
	}
}

// Nothing is faster than what the nodes' NICs allow, and the hierarchical one
// comes near it where the ranks of a node are close.
func TestLeastAcrossNodes(t *testing.T) {
	for _, change := range []func(*sizing.Topology){
		func(*sizing.Topology) {},
		func(t *sizing.Topology) { t.NICs = 1 },
		func(t *sizing.Topology) { t.NICs = 4 },
		func(t *sizing.Topology) { t.NICs = 8 }, // more than ranks
		func(t *sizing.Topology) { t.Oversubscription = 4 },
		func(t *sizing.Topology) { t.Nodes = 2 },
	} {
		topology := fourByFour()
		topology.Inside = cost.Network{Bandwidth: 1e15}
		topology.Across.Latency = 0
		change(&topology)
		least := topology.Least()
		for _, c := range compare(t, topology) {
			if c.Time < least*(1-1e-9) {
				t.Errorf("%+v: %s takes %v, less than %v", topology, c.Algorithm, c.Time, least)
			}
			if c.Algorithm == "hierarchical" && c.Time > least*1.001 {
				t.Errorf("%+v: the hierarchical one takes %v, not %v", topology, c.Time, least)
			}
		}
		if rings := topology.Rings(); rings <= least {
			t.Errorf("%+v: rings take %v, no longer than %v", topology, rings, least)
		}
	}
	topology := fourByFour()
	if got, want := float64(topology.Least()), 1.5*1.2/100; math.Abs(got-want) > 1e-12 {
		t.Errorf("least is %v, want %v", got, want)
	}
	topology.Oversubscription = 4
	if got := topology.NodeRate(); got != 25e9 {
		t.Errorf("behind an uplink a node sends %v", got)
	}
	topology.Nodes = 1
	if topology.Least() != 0 || topology.Rings() != 0 {
		t.Error("something crosses where there is one node")
	}
}

func TestUnusableTopologies(t *testing.T) {
	for field, change := range map[string]func(*sizing.Topology){
		"ranks":     func(t *sizing.Topology) { t.Nodes = 17 },
		"nics":      func(t *sizing.Topology) { t.NICs = 0 },
		"bandwidth": func(t *sizing.Topology) { t.Inside.Bandwidth = 0 },
	} {
		topology := fourByFour()
		change(&topology)
		_, err := topology.Compare()
		var unusable *schedule.RequestError
		if !errors.As(err, &unusable) || unusable.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func BenchmarkCompareTopologies(b *testing.B) {
	topology := fourByFour()
	topology.Nodes, topology.PerNode, topology.NICs = 8, 8, 4
	for b.Loop() {
		compare(b, topology)
	}
}
