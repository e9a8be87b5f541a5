package measured

import (
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

// on is a collective on nodes of eight H100.
func on(c schedule.Collective, nodes int, size unit.Bytes) Case {
	return Case{Collective: c, Size: size, System: hardware.Read(hardware.Words{GPU: "H100", InterLink: "IB NDR", Ranks: 8 * nodes, Nodes: nodes, PerNode: 8, InterGbpsPerNode: 3200})}
}

// TestBorrowedTimesSayFromWhom: what hardly anybody has measured is no B, and
// names its relative; what has been measured needs no such word.
func TestBorrowedTimesSayFromWhom(t *testing.T) {
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		collective schedule.Collective
		nodes      int
		grades     string
		from       schedule.Collective
	}{
		{schedule.Gather, 1, "C", schedule.AllGather}, {schedule.Gather, 2, "D", schedule.AllGather},
		{schedule.Scatter, 1, "C", schedule.AllGather}, {schedule.Scatter, 4, "D", schedule.AllGather},
		{schedule.ReduceTo, 1, "C", schedule.ReduceScatter}, {schedule.ReduceTo, 2, "C", schedule.ReduceScatter},
		{schedule.Broadcast, 1, "C", schedule.AllGather}, {schedule.Barrier, 1, "C", schedule.AllReduce}, {schedule.Barrier, 2, "C", schedule.AllReduce},
		{schedule.SendRecv, 1, "C", schedule.AllGather}, {schedule.SendRecv, 2, "C", schedule.AllGather},
		{schedule.AllReduce, 1, "B", ""}, {schedule.AllReduce, 2, "BC", ""}, {schedule.AllGather, 1, "BC", ""},
	} {
		a := l.Answer(on(c.collective, c.nodes, unit.GiB))
		from := ""
		for _, w := range a.Warnings {
			if w.Code == "borrowed" {
				from = w.Values["relative"]
				if !strings.Contains(w.Message, "relative, "+from) {
					t.Errorf("%s: %s", c.collective, w.Message)
				}
			}
		}
		if !strings.Contains(c.grades, string(a.Grade)) || from != string(c.from) {
			t.Errorf("%s on %d nodes: grade %s, borrowed from %q; want %s, %q", c.collective, c.nodes, a.Grade, from, c.grades, c.from)
		}
	}
	if a := l.Answer(on(schedule.Gather, 0, 8)); len(a.Warnings) != 0 {
		t.Errorf("a rank alone borrows: %v", a.Warnings)
	}
}

// TestFarIsSaid: far beyond what was measured a prediction is physics, says so,
// and is the less sure the farther it is.
func TestFarIsSaid(t *testing.T) {
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		near Case
		far  []Case
		code string
	}{
		{"accelerators", on(schedule.AllReduce, 12, unit.GiB), []Case{on(schedule.AllReduce, 100, unit.GiB), on(schedule.AllReduce, 1000, unit.GiB), on(schedule.AllReduce, 100_000, unit.GiB)}, "beyond-ranks"},
		{"bytes", on(schedule.AllReduce, 1, unit.GiB), []Case{on(schedule.AllReduce, 1, 256*unit.GiB), on(schedule.AllReduce, 1, 1024*unit.GiB)}, "beyond-size"},
	} {
		has := func(a Answer) bool {
			for _, w := range a.Warnings {
				if w.Code == c.code {
					return true
				}
			}
			return false
		}
		a := l.Answer(c.near)
		if has(a) || a.Grade == Physics {
			t.Errorf("%s: near is far: grade %s, %v", c.name, a.Grade, a.Warnings)
		}
		sure := a.High / a.Low
		for _, at := range c.far {
			b := l.Answer(at)
			if !has(b) || b.Grade != Physics || b.High/b.Low <= sure {
				t.Errorf("%s, %d ranks, %s: grade %s, ×%.3g, %v; want D, more than ×%.3g", c.name, at.System.Ranks, at.Size, b.Grade, float64(b.High/b.Low), b.Warnings, float64(sure))
			}
			sure = b.High / b.Low
		}
	}
}
