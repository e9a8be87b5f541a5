package local

import (
	"testing"

	"lockstep/cluster/conduct"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// Ranks of one machine take turns on its caches and keep to their processors;
// a rank alone on its host does neither, or its link would stand empty.
func TestPlaceFollowsWhoIsHere(t *testing.T) {
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 4096, Link: trace.TCP}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	sched, err := schedule.Build(spec.Request())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := conduct.NewPlan(conduct.Task{Run: "r1", Spec: spec, Schedule: sched})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		share  Share
		burst  int
		pinned bool
	}{
		{Share{First: 0, End: 4}, 1, true},
		{Share{First: 0, End: 2}, 0, true},
		{Share{First: 2, End: 3}, 0, false},
	} {
		h := &Host{plan: plan, share: c.share}
		if err := h.settle(); err != nil {
			t.Fatal(err)
		}
		if h.place.Burst != c.burst || h.place.Pinned != c.pinned {
			t.Errorf("ranks %d to %d of 4: burst %d, pinned %v; want %d, %v", c.share.First, c.share.End-1, h.place.Burst, h.place.Pinned, c.burst, c.pinned)
		}
	}
}
