package store

import (
	"errors"
	"slices"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

func compared() sweep.Comparison {
	return sweep.Comparison{State: sweep.Running, Created: time.UnixMilli(1_700_000_000_000).UTC(), Request: sweep.Request{
		Base:  trace.Spec{Collective: schedule.AllReduce, Ranks: 4, DType: schedule.Float32, Op: schedule.Max, Link: trace.TCP, Iterations: 3},
		Range: sweep.Range{First: 8, Last: unit.MiB, Factor: 4},
		Ways:  []sweep.Way{{Backend: trace.Host, Algorithm: "auto"}, {Backend: trace.MPI, Algorithm: schedule.LibraryCall}},
	}}
}

func TestComparisonsLast(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	queue, err := s.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kept := queue.Comparisons()
	made, err := kept.Begin(t.Context(), compared())
	if err != nil || made.ID != "0001" {
		t.Fatalf("began %q, %v", made.ID, err)
	}
	run, err := queue.Enqueue(t.Context(), trace.Run{Version: 1, Size: 8, Created: time.Now()}, trace.Kept{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range []sweep.Point{{Run: run}, {Left: sweep.Refused, Says: "there is no mpirun"}} {
		if err := kept.Place(t.Context(), made.ID, i, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := kept.Place(t.Context(), made.ID, 0, sweep.Point{Run: run}); err == nil {
		t.Error("a point was kept twice")
	}

	found, err := s.Comparisons().Find(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	if found.State != sweep.Running || !found.Created.Equal(made.Created) || found.Request.Base.Link != trace.TCP || found.Request.Base.Iterations != 3 ||
		found.Request.Range != made.Request.Range || !slices.Equal(found.Request.Ways, made.Request.Ways) {
		t.Errorf("found %+v, want %+v", found, made)
	}
	if len(found.Points) != 2 || found.Points[0].Run.ID != run.ID || found.Points[0].Run.Size != 8 || found.Points[1].Left != sweep.Refused || found.Points[1].Says != "there is no mpirun" {
		t.Errorf("points %+v", found.Points)
	}

	if err := kept.End(t.Context(), made.ID, sweep.Done); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Begin(t.Context(), compared()); err != nil {
		t.Fatal(err)
	}
	if err := queue.Close(); err != nil { // and leaves the second one behind
		t.Fatal(err)
	}
	all, err := s.Comparisons().Recent(t.Context(), 5)
	if err != nil || len(all) != 2 || all[0].ID != "0002" || all[0].State != sweep.Stopped || all[1].State != sweep.Done || all[1].Ended.IsZero() {
		t.Errorf("recent: %+v, %v", all, err)
	}
	for _, id := range []string{"7", "x", ""} {
		if _, err := s.Comparisons().Find(t.Context(), id); !errors.Is(err, sweep.ErrNone) {
			t.Errorf("find %q: %v", id, err)
		}
	}
}
