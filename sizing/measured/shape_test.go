package measured

import (
	"slices"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

// TestShape: what oversubscription and rails do to each kind of collective on
// eight nodes of eight H100, as how many times as long the bytes take.
func TestShape(t *testing.T) {
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	h100 := hardware.Read(hardware.Words{GPU: "H100", InterLink: "IB NDR", Ranks: 64, Nodes: 8, PerNode: 8, InterGbpsPerNode: 3200})
	l40s := hardware.Read(hardware.Words{GPU: "L40S", InterLink: "RoCE", Ranks: 64, Nodes: 8, PerNode: 8, InterGbpsPerNode: 3200})
	for _, c := range []struct {
		name       string
		system     hardware.System
		collective schedule.Collective
		shape      Shape
		across     float64 // bandwidth across, of that without the shape
		grade      Grade
		warnings   int
	}{
		{"nothing told", h100, schedule.AllReduce, Shape{}, 1, Sibling, 0},
		{"1:1", h100, schedule.AllReduce, Shape{NICs: 8, Rails: 8, Oversubscription: 1}, 1, Sibling, 0},
		{"2:1", h100, schedule.AllReduce, Shape{NICs: 8, Oversubscription: 2}, 0.5, Physics, 1},
		{"4:1, all to all", h100, schedule.AllToAll, Shape{NICs: 8, Oversubscription: 4}, 0.25, Physics, 1},
		{"4:1, one flow", h100, schedule.SendRecv, Shape{NICs: 8, Oversubscription: 4}, 1, Physics, 1},
		{"16:1, one flow", h100, schedule.SendRecv, Shape{NICs: 8, Oversubscription: 16}, 0.5, Physics, 1},
		{"16:1, one root", h100, schedule.Gather, Shape{NICs: 8, Oversubscription: 16}, 0.5, Physics, 1},
		{"4:1, eight rails", h100, schedule.AllReduce, Shape{NICs: 8, Rails: 8, Oversubscription: 4}, 1, Physics, 1},
		{"4:1, two rails of 8 nodes", h100, schedule.AllReduce, Shape{NICs: 8, Rails: 2, Oversubscription: 4}, 1, Physics, 1},
		{"4:1, one rail of 4 nodes", h100, schedule.AllReduce, Shape{NICs: 8, Rails: 1, Oversubscription: 4}, 0.25, Physics, 1},
		{"4:1, eight rails, no switch within", l40s, schedule.AllToAll, Shape{NICs: 8, Rails: 8, Oversubscription: 4}, 0.25, Physics, 1},
		{"4:1, eight rails, ring, no switch within", l40s, schedule.AllReduce, Shape{NICs: 8, Rails: 8, Oversubscription: 4}, 1, Physics, 1},
		{"other NICs", h100, schedule.AllReduce, Shape{NICs: 8, Altered: true}, 1, Related, 1},
	} {
		bare := Case{Collective: c.collective, System: c.system, Size: unit.GiB}
		shaped := bare
		shaped.Shape = c.shape
		a, b := l.Predict(bare), l.Predict(shaped)
		if got := b.BusAcross / a.BusAcross; got < c.across*0.999 || got > c.across*1.001 {
			t.Errorf("%s: %.3f of the bandwidth across; want %.3f", c.name, got, c.across)
		}
		if b.Time < a.Time {
			t.Errorf("%s: %v us, less than %v", c.name, b.Time, a.Time)
		}
		want := c.grade
		if want == Sibling { // as good as without
			want = a.Grade
		}
		warnings := slices.DeleteFunc(l.Answer(shaped).Warnings, ofDoubts)
		if b.Grade != want || len(warnings) != c.warnings {
			t.Errorf("%s: grade %s, warnings %v; want %s, %d", c.name, b.Grade, warnings, want, c.warnings)
		}
	}
	alone := Case{Collective: schedule.AllReduce, Size: unit.GiB, System: hardware.Read(hardware.Words{GPU: "H100", Ranks: 8, Nodes: 1, PerNode: 8}), Shape: Shape{Oversubscription: 8, Altered: true}}
	if a := l.Answer(alone); a.Grade != Sibling || len(a.Warnings) != 0 {
		t.Errorf("one node: grade %s, %v; nothing leaves it", a.Grade, a.Warnings)
	}
}
