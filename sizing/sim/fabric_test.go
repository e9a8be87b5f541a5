package sim_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// Four ranks on two nodes with one NIC each; two bytes to everybody, in three
// rounds. Within a node a byte takes 0.1 s and a message 0.5 s to arrive,
// across 1 s and 2 s.
func TestPairwiseOnTwoNodesByHand(t *testing.T) {
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllToAll, Algorithm: "pairwise", Ranks: 4})
	if err != nil {
		t.Fatal(err)
	}
	line := play(t, s, sim.Setup{Elements: 4, Width: 2, Fabric: &sim.Fabric{
		PerNode: 2, NICs: 1,
		Inside: cost.Network{Latency: 500 * time.Millisecond, Bandwidth: 10},
		Across: cost.Network{Latency: 2 * time.Second, Bandwidth: 1},
	}})
	// No block waits for another. 0 > 1 and 2 > 3 stay inside and are through
	// at 0.2. Until then 1 > 2 and 3 > 0 have the NICs to themselves; then 0 > 3
	// and 2 > 1, whose receivers are free, take half of them, until 3.8, when
	// the first two are through, and the last 0.2 bytes are alone again. From 4
	// on the rest crosses, two to a NIC: 8 bytes each way in 8 s, without a gap.
	want := map[[2]int][2]unit.Seconds{
		{0, 1}: {0, 0.2}, {2, 3}: {0, 0.2}, {1, 2}: {0, 3.8}, {3, 0}: {0, 3.8}, {0, 3}: {0.2, 4}, {2, 1}: {0.2, 4},
		{1, 0}: {3.8, 4}, {3, 2}: {3.8, 4}, {0, 2}: {4, 8}, {1, 3}: {4, 8}, {2, 0}: {4, 8}, {3, 1}: {4, 8},
	}
	if len(line.Transfers) != len(want) {
		t.Fatalf("%d transfers", len(line.Transfers))
	}
	for _, x := range line.Transfers {
		w := want[[2]int{x.Src, x.Dst}]
		if math.Abs(float64(x.Start-w[0])) > 1e-9 || math.Abs(float64(x.End-w[1])) > 1e-9 {
			t.Errorf("%d > %d from %v to %v, want %v", x.Src, x.Dst, x.Start, x.End, w)
		}
	}
	if !near(line.Time, 10, 1e-9) {
		t.Errorf("ends at %v, want 10", line.Time)
	}
}

// One node, or one rank a node with a NIC of its own, is the flat network.
func TestFabricWithoutTiersIsFlat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(schedule.Catalog()).Draw(t, "pair")
		n := rapid.IntRange(1, 9).Draw(t, "ranks")
		s, err := schedule.Build(schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n})
		if err != nil {
			t.Fatal(err)
		}
		net := cost.Network{Latency: time.Duration(rapid.IntRange(0, 1000).Draw(t, "latency")), Bandwidth: 1e9}
		setup := sim.Setup{Elements: s.Chunks * 100, Width: 4, Network: net, Slices: rapid.IntRange(1, 3).Draw(t, "slices")}
		flat, err := sim.Play(s, setup)
		if err != nil {
			t.Fatal(err)
		}
		other := cost.Network{Latency: time.Second, Bandwidth: 1}
		setup.Fabric = &sim.Fabric{PerNode: n, NICs: 1, Inside: net, Across: other}
		if rapid.Bool().Draw(t, "one rank a node") {
			setup.Fabric = &sim.Fabric{PerNode: 1, NICs: 1, Inside: other, Across: net, Oversubscription: 1}
		}
		tiered, err := sim.Play(s, setup)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(flat, tiered); diff != "" {
			t.Fatalf("(-flat +fabric):\n%s", diff)
		}
	})
}

// Whatever is played, no link carries more than it can while it is in use, and
// no message is faster than its port.
func TestFabricsKeepTheirLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(schedule.Catalog()).Draw(t, "pair")
		n := rapid.IntRange(2, 12).Draw(t, "ranks")
		r := schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n, RanksPerNode: rapid.IntRange(1, n).Draw(t, "G")}
		s, err := schedule.Build(r)
		if err != nil {
			t.Fatal(err)
		}
		f := &sim.Fabric{
			PerNode: r.RanksPerNode, NICs: rapid.IntRange(1, 4).Draw(t, "NICs"),
			Inside:           cost.Network{Latency: time.Microsecond, Bandwidth: 1e9},
			Across:           cost.Network{Latency: 5 * time.Microsecond, Bandwidth: 1e8},
			Oversubscription: rapid.SampledFrom([]float64{0, 1, 2, 3.5}).Draw(t, "oversubscription"),
		}
		line, err := sim.Play(s, sim.Setup{Elements: s.Chunks * 1000, Width: 4, Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		uplink := float64(f.Across.Bandwidth) * float64(f.NICs) / max(f.Oversubscription, 1)
		type link struct{ node, nic, direction int }
		bytes, first, last := map[link]float64{}, map[link]float64{}, map[link]float64{}
		for _, x := range line.Transfers {
			inside := true
			for _, ranks := range [][]int{x.Srcs, x.Dsts} {
				for _, rank := range ranks {
					inside = inside && rank/f.PerNode == x.Srcs[0]/f.PerNode
				}
			}
			rate := float64(f.Across.Bandwidth)
			if inside {
				rate = float64(f.Inside.Bandwidth)
			}
			if took := float64(x.End - x.Start); took < float64(x.Bytes)/rate*(1-1e-9) {
				t.Fatalf("%+v is faster than its port", x)
			}
			if inside || x.Bytes == 0 {
				continue
			}
			for direction, ranks := range [][]int{x.Srcs, x.Dsts} {
				seen := map[int]bool{}
				for _, rank := range ranks {
					node := rank / f.PerNode
					through := []link{{node, rank % f.PerNode % f.NICs, direction}}
					if !seen[node] {
						seen[node] = true
						through = append(through, link{node, -1, direction})
					}
					for _, l := range through {
						if bytes[l] == 0 {
							first[l] = math.Inf(1)
						}
						bytes[l] += float64(x.Bytes)
						first[l], last[l] = min(first[l], float64(x.Start)), max(last[l], float64(x.End))
					}
				}
			}
		}
		for l, carried := range bytes {
			capacity := float64(f.Across.Bandwidth)
			if l.nic < 0 {
				capacity = uplink
			}
			if (last[l]-first[l])*capacity < carried*(1-1e-9) {
				t.Fatalf("%+v carries %v bytes in %v s at %v bytes/s", l, carried, last[l]-first[l], capacity)
			}
		}
	})
}

func TestUnusableFabrics(t *testing.T) {
	s := build(t, "ring", 4, 1)
	good := sim.Fabric{PerNode: 2, NICs: 2, Inside: cost.Network{Bandwidth: 1}, Across: cost.Network{Bandwidth: 1}}
	for field, change := range map[string]func(f *sim.Fabric){
		"ranks_per_node":   func(f *sim.Fabric) { f.PerNode = 0 },
		"nics":             func(f *sim.Fabric) { f.NICs = 0 },
		"oversubscription": func(f *sim.Fabric) { f.Oversubscription = 0.5 },
		"bandwidth":        func(f *sim.Fabric) { f.Across.Bandwidth = 0 },
		"latency":          func(f *sim.Fabric) { f.Inside.Latency = -1 },
	} {
		f := good
		change(&f)
		_, err := sim.Play(s, sim.Setup{Elements: 4, Width: 4, Fabric: &f})
		var unusable *schedule.RequestError
		if !errors.As(err, &unusable) || unusable.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
