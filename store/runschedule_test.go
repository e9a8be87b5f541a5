package store

import (
	"errors"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// imported is a run of a schedule that came from a file, as it is asked for.
func imported(t *testing.T) (trace.Run, *schedule.Schedule) {
	t.Helper()
	s, err := schedule.Build(schedule.Request{Collective: schedule.Broadcast, Algorithm: "chain", Ranks: 3, Root: 1})
	if err != nil {
		t.Fatal(err)
	}
	own := *s
	own.Algorithm = "my-own"
	spec, err := trace.Spec{Imported: &own, Size: 1024}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	run := trace.NewRun("", spec, noon)
	run.ScheduleHash = own.Hash()
	return run, &own
}

// The schedule of an imported run is there after the process that asked for it,
// and is the one that ran.
func TestAnImportedScheduleSurvives(t *testing.T) {
	dir := t.TempDir()
	first, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	queue, err := first.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run, sched := imported(t)
	queued, err := queue.Enqueue(t.Context(), run, trace.Kept{Schedule: sched})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(queue.Close(), first.Close()); err != nil {
		t.Fatal(err)
	}
	runs := openIn(t, dir).Runs()
	found, err := runs.Find(t.Context(), queued.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !found.Imported || found.Algorithm != "my-own" || found.Root == nil || *found.Root != 1 {
		t.Errorf("found %+v", found)
	}
	got, err := runs.Schedule(t.Context(), found)
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != run.ScheduleHash || got.Algorithm != "my-own" || len(got.Steps) != len(sched.Steps) {
		t.Errorf("%s with hash %s; want %s", got.Algorithm, got.Hash(), run.ScheduleHash)
	}
}

func TestAScheduleThatIsNotThere(t *testing.T) {
	s := open(t)
	q := join(t, s)
	run, sched := imported(t)
	without, err := q.Enqueue(t.Context(), run, trace.Kept{})
	if err != nil {
		t.Fatal(err)
	}
	run.ScheduleHash = "00"
	another, err := q.Enqueue(t.Context(), run, trace.Kept{Schedule: sched})
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]trace.Run{"none kept": without, "another one": another} {
		if _, err := s.Runs().Schedule(t.Context(), run); !errors.Is(err, trace.ErrNoSchedule) {
			t.Errorf("%s: %v; want ErrNoSchedule", name, err)
		}
	}
	// One of the catalogue is built again, and needs no place.
	own := asked()
	if got, err := s.Runs().Schedule(t.Context(), own); err != nil || got.Algorithm != "ring" || got.Ranks != 4 {
		t.Errorf("the catalogue's: %v", err)
	}
}
