package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/calibrate"
)

func TestTheNewestCalibrationOfAMachineCounts(t *testing.T) {
	kept := open(t).Calibrations()
	here := calibrate.Fingerprint{CPU: "AMD EPYC", CPUs: 2, Arch: "amd64", Kernel: "6.8.0", Build: "1"}
	there := here
	there.Kernel = "6.9.0"
	if _, err := kept.Calibration(t.Context(), here); !errors.Is(err, calibrate.ErrNone) {
		t.Fatalf("of a machine that was never calibrated: %v", err)
	}
	var last calibrate.Calibration
	for i := range 3 {
		last = calibrate.Calibration{
			Version: 1, Machine: here, Made: time.Date(2026, 12, 1, 12, i, 0, 0, time.UTC), Took: 9.5,
			Measured: []calibrate.Measured{{Link: trace.TCP, Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2, Size: 8, Slices: 1, Time: 1e-6}},
			Found: []calibrate.Found{{Link: trace.TCP, Ranks: 2, Scatter: 0.1, Costs: calibrate.Costs{
				Hop: 1e-6, Piece: 5e-7, Bytes: []calibrate.ByteCost{{Span: 1 << 20, Move: 1e-10, Reduce: 1e-11}},
			}}},
		}
		if err := kept.Save(t.Context(), last); err != nil {
			t.Fatal(err)
		}
	}
	if err := kept.Save(t.Context(), calibrate.Calibration{Version: 1, Machine: there}); err != nil {
		t.Fatal(err)
	}
	got, err := kept.Calibration(t.Context(), here)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(last, got); diff != "" {
		t.Errorf("(-kept +read):\n%s", diff)
	}
}

// While the machine is occupied no run begins, of this process or another; and
// it is not given away while a run waits or runs.
func TestNoRunBeginsWhileTheMachineIsOccupied(t *testing.T) {
	s := open(t)
	mine, other := join(t, s), join(t, s)
	if ahead, err := mine.Occupy(t.Context()); ahead != 0 || err != nil {
		t.Fatalf("occupy: %d ahead, %v", ahead, err)
	}
	if ahead, err := other.Occupy(t.Context()); ahead != 1 || err != nil {
		t.Fatalf("occupy twice: %d ahead, %v", ahead, err)
	}
	for name, q := range map[string]*RunQueue{"own": mine, "another process's": other} {
		run, err := q.Enqueue(t.Context(), trace.Run{Version: 1, Created: time.Now()}, trace.Kept{})
		if err != nil {
			t.Fatal(err)
		}
		if ahead, err := q.Claim(t.Context(), run.ID); ahead < 1 || err != nil {
			t.Errorf("%s run: %d ahead, %v", name, ahead, err)
		}
		run.Outcome, run.Ended = trace.Cancelled, time.Now()
		if err := q.Finish(t.Context(), run, nil); err != nil {
			t.Fatal(err)
		}
	}
	run, err := other.Enqueue(t.Context(), trace.Run{Version: 1, Created: time.Now()}, trace.Kept{})
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.Vacate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ahead, err := mine.Occupy(t.Context()); ahead != 1 || err != nil {
		t.Errorf("occupy before a run that waits: %d ahead, %v", ahead, err)
	}
	if ahead, err := other.Claim(t.Context(), run.ID); ahead != 0 || err != nil {
		t.Errorf("claim: %d ahead, %v", ahead, err)
	}
	if ahead, err := mine.Occupy(t.Context()); ahead != 1 || err != nil {
		t.Errorf("occupy while a run is running: %d ahead, %v", ahead, err)
	}
}

// A process that dies while it measures leaves the machine free.
func TestADeadProcessOccupiesNothing(t *testing.T) {
	s := open(t)
	dead, alive := join(t, s), join(t, s)
	if _, err := dead.Occupy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := dead.lock.Close(); err != nil { // as the system does for it
		t.Fatal(err)
	}
	run, err := alive.Enqueue(t.Context(), trace.Run{Version: 1, Created: time.Now()}, trace.Kept{})
	if err != nil {
		t.Fatal(err)
	}
	if ahead, err := alive.Claim(t.Context(), run.ID); ahead != 0 || err != nil {
		t.Errorf("claim: %d ahead, %v", ahead, err)
	}
	run.Outcome, run.Ended = trace.Cancelled, time.Now()
	if err := alive.Finish(t.Context(), run, nil); err != nil {
		t.Fatal(err)
	}
	if ahead, err := alive.Occupy(t.Context()); ahead != 0 || err != nil {
		t.Errorf("occupy: %d ahead, %v", ahead, err)
	}
}
