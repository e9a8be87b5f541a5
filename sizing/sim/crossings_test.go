package sim_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// Four ranks on two nodes with one NIC each go round a ring, 100 bytes a hop
// and six hops, at 100 bytes a second across and in no time within.
func TestOrderOfARingByHand(t *testing.T) {
	s := build(t, "ring", 4, 1)
	for _, c := range []struct {
		name  string
		order []int
		time  unit.Seconds
		sent  unit.Bytes // by each node
	}{
		{"as they are numbered", nil, 6, 600},                     // 1 > 2 and 3 > 0 cross, each with a NIC of its own
		{"node by node", []int{0, 1, 2, 3}, 6, 600},               // the same, said
		{"round the nodes", sim.Interleaved(2, 2), 12, 1200},      // every hop crosses, two share a NIC
		{"round the nodes, by hand", []int{0, 2, 1, 3}, 12, 1200}, // ranks 0 and 2 on node 0
		{"nodes the other way round", []int{2, 3, 0, 1}, 6, 600},  // which node is first is of no matter
		{"back and forth within", []int{1, 0, 3, 2}, 6, 600},      // nor is where in a node a rank sits
	} {
		f := &sim.Fabric{PerNode: 2, NICs: 1, Inside: cost.Network{Bandwidth: 1e15}, Across: cost.Network{Bandwidth: 100}, Order: c.order}
		line := play(t, s, sim.Setup{Elements: 100, Width: 4, Fabric: f})
		if !near(line.Time, c.time, 1e-9) {
			t.Errorf("%s: %v, want %v", c.name, line.Time, c.time)
		}
		for node, got := range f.Crossings(line, 4) {
			want := sim.Crossing{Sent: c.sent, Received: c.sent, NICs: []sim.Passage{{Sent: c.sent, Received: c.sent}}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: node %d (-want +got):\n%s", c.name, node, diff)
			}
		}
	}
}

// A node of a hierarchical all-reduce sends 2(m-1)/m of the vector, its NICs
// in equal shares; one of a ring in order 2(n-1)/n through the NIC of its last
// rank alone; one of a ring round the nodes G times that, through all.
func TestCrossingsOfAllReduces(t *testing.T) {
	for _, shape := range []struct{ nodes, perNode, nics int }{{2, 4, 4}, {3, 4, 2}, {4, 3, 1}, {4, 8, 8}} {
		m, g, n := shape.nodes, shape.perNode, shape.nodes*shape.perNode
		elements := 1024 * m * g
		vector := unit.Bytes(4 * elements)
		f := sim.Fabric{PerNode: g, NICs: shape.nics,
			Inside: cost.Network{Latency: time.Microsecond, Bandwidth: 1e10}, Across: cost.Network{Latency: 5 * time.Microsecond, Bandwidth: 1e9}}
		crossings := func(algorithm string, order []int) []sim.Crossing {
			f.Order = order
			s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: algorithm, Ranks: n, RanksPerNode: g})
			if err != nil {
				t.Fatal(err)
			}
			return f.Crossings(play(t, s, sim.Setup{Elements: elements, Width: 4, Fabric: &f}), n)
		}
		rails := vector * 2 * unit.Bytes(m-1) / unit.Bytes(m)
		ring := vector * 2 * unit.Bytes(n-1) / unit.Bytes(n)
		hierarchical, inOrder, round := crossings("hierarchical", nil), crossings("ring", nil), crossings("ring", sim.Interleaved(m, g))
		for node := range m {
			if got := hierarchical[node]; got.Sent != rails || got.NICs[0].Sent != rails/unit.Bytes(shape.nics) || got.Received != rails {
				t.Errorf("%+v: node %d of the hierarchical one carries %+v, want %d", shape, node, got, rails)
			}
			// The first rank receives, the last sends.
			if got := inOrder[node]; got.Sent != ring || got.Received != ring || got.NICs[0].Received != ring || got.NICs[(g-1)%shape.nics].Sent != ring {
				t.Errorf("%+v: node %d of the ring in order carries %+v, want %d", shape, node, got, ring)
			}
			if got := round[node]; got.Sent != ring*unit.Bytes(g) || got.NICs[0].Sent != ring*unit.Bytes(g/shape.nics) {
				t.Errorf("%+v: node %d of the ring round the nodes carries %+v, want %d", shape, node, got, ring*unit.Bytes(g))
			}
		}
	}
}

// Seating ranks otherwise moves bytes between NICs; it neither makes nor loses
// any, and the order by number is the one that nobody has to give.
func TestOrdersOfAnyPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(schedule.Catalog()).Draw(t, "pair")
		n := rapid.IntRange(2, 9).Draw(t, "ranks")
		s, err := schedule.Build(schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n})
		if err != nil {
			t.Fatal(err)
		}
		f := sim.Fabric{PerNode: rapid.IntRange(1, n).Draw(t, "G"), NICs: rapid.IntRange(1, 3).Draw(t, "NICs"),
			Inside: cost.Network{Bandwidth: 1e9}, Across: cost.Network{Latency: time.Microsecond, Bandwidth: 1e8}}
		run := func(order []int) *sim.Timeline {
			f.Order = order
			line, err := sim.Play(s, sim.Setup{Elements: s.Chunks * 100, Width: 4, Fabric: &f})
			if err != nil {
				t.Fatal(err)
			}
			return line
		}
		byNumber := make([]int, n)
		for i := range byNumber {
			byNumber[i] = i
		}
		if diff := cmp.Diff(run(nil), run(byNumber)); diff != "" {
			t.Fatalf("(-nil +by number):\n%s", diff)
		}
		line := run(rapid.Permutation(byNumber).Draw(t, "order"))
		var want, got sim.Passage
		for _, x := range line.Transfers {
			if nodes := nodesOf(&f, slices.Concat(x.Srcs, x.Dsts)); len(nodes) > 1 {
				want.Sent += unit.Bytes(x.Bytes * len(x.Srcs))
				want.Received += unit.Bytes(x.Bytes * len(x.Dsts))
			}
		}
		for _, c := range f.Crossings(line, n) {
			var nics sim.Passage
			for _, p := range c.NICs {
				nics.Sent, nics.Received = nics.Sent+p.Sent, nics.Received+p.Received
			}
			if nics.Sent != c.Sent || nics.Received != c.Received {
				t.Fatalf("NICs carry %+v of %+v", nics, c)
			}
			got.Sent, got.Received = got.Sent+c.Sent, got.Received+c.Received
		}
		if got != want {
			t.Fatalf("%+v cross, want %+v", got, want)
		}
	})
}

// nodesOf lists the nodes of ranks, each once.
func nodesOf(f *sim.Fabric, ranks []int) []int {
	var nodes []int
	for _, rank := range ranks {
		if node, _ := f.Seat(rank); !slices.Contains(nodes, node) {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

func TestUnusableOrders(t *testing.T) {
	s := build(t, "ring", 4, 1)
	for _, order := range [][]int{{}, {0, 1, 2}, {0, 1, 2, 2}, {0, 1, 2, 4}, {-1, 0, 1, 2}, {0, 1, 2, 3, 4}} {
		f := &sim.Fabric{PerNode: 2, NICs: 1, Inside: cost.Network{Bandwidth: 1}, Across: cost.Network{Bandwidth: 1}, Order: order}
		_, err := sim.Play(s, sim.Setup{Elements: 4, Width: 4, Fabric: f})
		var unusable *schedule.RequestError
		if !errors.As(err, &unusable) || unusable.Field != "order" {
			t.Errorf("%v: %v", order, err)
		}
	}
}
