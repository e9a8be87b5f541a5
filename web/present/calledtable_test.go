package present

import (
	"testing"

	"lockstep/engine/schedule"
)

// When a library's call has returned, every rank shows all it must have.
func TestCalledTableEndsComplete(t *testing.T) {
	for _, c := range []schedule.Collective{schedule.AllReduce, schedule.AllGather, schedule.ReduceScatter, schedule.Broadcast} {
		s, err := schedule.Called(c, 4, 0)
		if err != nil {
			t.Fatal(err)
		}
		table, ok := newBlockTable(s)
		if !ok || len(table.steps) != len(s.Steps) {
			t.Fatalf("%s: no table of %d marks", c, len(s.Steps))
		}
		shown := append([]blockHeld(nil), table.start...)
		for _, step := range table.steps {
			for _, change := range step.changes {
				shown[change.cell] = change.to
			}
		}
		final := 0
		for _, cell := range shown {
			if cell.final {
				final++
			}
		}
		if final != table.wanted {
			t.Errorf("%s: %d blocks are final, want %d", c, final, table.wanted)
		}
	}
}
