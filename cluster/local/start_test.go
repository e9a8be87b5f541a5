//go:build linux

package local_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/local"
	"lockstep/cluster/worker"
	"lockstep/engine/trace"
)

func TestStartFailuresAreExplained(t *testing.T) {
	for _, c := range []struct {
		role    string
		message string
	}{
		{"gives up", "rank 0's process ended before it said hello (exit status 1; cannot find my shoes)"},
		{"old", fmt.Sprintf("speaks protocol 99, this console %d", worker.Protocol)},
		{"babbles", "says something that no worker of this version says"},
		{"silent", "did not say hello within 300ms"},
	} {
		f, err := local.New(local.Config{Env: play(c.role), Patience: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		spec := trace.Spec{Ranks: 1, Size: 4096}
		report := begin(t, f, spec).end(t, 3*time.Second)
		fail := report.Failure
		if fail == nil || fail.Kind != trace.StartFailed || !strings.Contains(fail.Message, c.message) || fail.Step != -1 {
			t.Errorf("%s: %+v", c.role, fail)
		}
	}
}

func TestMissingExecutableIsExplained(t *testing.T) {
	f, err := local.New(local.Config{Executable: "/nowhere/console"})
	if err != nil {
		t.Fatal(err)
	}
	spec, sched := ask(t, trace.Spec{Ranks: 3, Size: 4096})
	fail := f.Execute(t.Context(), "r1", spec, sched, trace.NewLog()).Failure
	if fail == nil || fail.Kind != trace.StartFailed || !strings.Contains(fail.Message, "/nowhere/console") {
		t.Errorf("%+v", fail)
	}
}

func TestScheduleOfAnotherShapeIsRefused(t *testing.T) {
	spec, _ := ask(t, trace.Spec{Ranks: 3, Size: 4096})
	_, sched := ask(t, trace.Spec{Ranks: 4, Size: 4096})
	fail := fleet(t, "worker").Execute(t.Context(), "r1", spec, sched, trace.NewLog()).Failure
	if fail == nil || fail.Kind != trace.StartFailed {
		t.Errorf("%+v", fail)
	}
}

func TestRunThatExceedsTheMachineIsRefused(t *testing.T) {
	spec, sched := ask(t, trace.Spec{Ranks: 64, Size: trace.MaxSize}) // a TiB
	fail := fleet(t, "worker").Execute(t.Context(), "r1", spec, sched, trace.NewLog()).Failure
	if fail == nil || fail.Kind != trace.StartFailed || !strings.Contains(fail.Message, "memory") {
		t.Errorf("%+v", fail)
	}
}

func TestFlippedBitIsReported(t *testing.T) {
	report := begin(t, fleet(t, "flips"), trace.Spec{Ranks: 3, Size: 40_000, Iterations: 1}).end(t, 10*time.Second)
	fail := report.Failure
	if fail == nil || fail.Kind != trace.WrongResult || fail.Culprit.Rank == nil || report.Verified {
		t.Fatalf("%+v", report)
	}
	if fail.Step < 0 || fail.Round < 1 || !strings.Contains(fail.Message, "expected") {
		t.Errorf("%+v", fail)
	}
	t.Log(fail.Message)
}

func TestPanicIsQuoted(t *testing.T) {
	report := begin(t, fleet(t, "panics"), trace.Spec{Ranks: 2, Size: 40_000}).end(t, 10*time.Second)
	fail := report.Failure
	if fail == nil || fail.Kind != trace.ProcessDied || !strings.Contains(fail.Message, "panic: no such thing as addition") {
		t.Fatalf("%+v", fail)
	}
}

func TestStandstillIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes more than three seconds")
	}
	report := begin(t, fleet(t, "sticks"), trace.Spec{Ranks: 3, Size: 40_000}).end(t, 8*time.Second)
	fail := report.Failure
	if fail == nil || fail.Kind != trace.LinkStalled || fail.Culprit.Link == "" || fail.DetectedAfter < 3 {
		t.Fatalf("%+v", fail)
	}
	t.Log(fail.Message)
}
