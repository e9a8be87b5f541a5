package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/calibrate"
	"lockstep/store"
)

// instantFleet says at once that a run took 1 us and a nanosecond for each
// byte, once it is let.
type instantFleet struct {
	let func(ctx context.Context) // nil to let all

	mu   sync.Mutex // owns runs
	runs int
}

func (f *instantFleet) Execute(ctx context.Context, _ string, spec trace.Spec, _ *schedule.Schedule, _ *trace.Log) trace.Report {
	if f.let != nil {
		f.let(ctx)
	}
	if ctx.Err() != nil {
		return trace.Report{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runs++
	took := time.Microsecond + time.Duration(spec.Size)
	return trace.Report{Iterations: slices.Repeat([]time.Duration{took}, spec.Iterations), Verified: true}
}

func (f *instantFleet) executed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runs
}

// withFleet puts a fleet into a fresh data folder.
func withFleet(t *testing.T, fleet *instantFleet) *runner {
	t.Helper()
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	queue, err := db.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(queue.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return &runner{store: db, queue: queue, fleet: fleet, machine: calibrate.Fingerprint{CPU: "a processor", CPUs: 2, Arch: "amd64", Build: "test"}}
}

// until polls until a condition holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited five minutes for %s", what)
		}
	}
}

func TestAConsoleCalibratesOnceAndWhenAsked(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
	fleet := &instantFleet{}
	c := newCalibrator(withFleet(t, fleet), 4, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var running sync.WaitGroup
	running.Go(func() { c.run(ctx, true) })
	idle := func() bool { _, under, _ := c.Calibrating(); return !under }
	made := func() time.Time {
		found, err := c.Calibration(t.Context())
		if err != nil && !errors.Is(err, calibrate.ErrNone) {
			t.Fatal(err)
		}
		return found.Made
	}
	until(t, "the first calibration", func() bool { return !made().IsZero() && idle() })
	first, runs := made(), fleet.executed()
	c.Recalibrate()
	until(t, "the second", func() bool { return made().After(first) && idle() })
	if again := fleet.executed() - runs; again < runs {
		t.Errorf("%d runs at first, %d when asked", runs, again)
	}
	stop()
	running.Wait()

	// The next console finds it.
	second := made()
	ctx, stop = context.WithCancel(t.Context())
	running.Go(func() { c.run(ctx, true) })
	runs = fleet.executed()
	c.Recalibrate()
	until(t, "the third", func() bool { return made().After(second) && idle() })
	stop()
	running.Wait()
	if third := fleet.executed() - runs; third > 2*runs {
		t.Errorf("%d runs though the machine was calibrated", third)
	}
	if saved, err := c.store.Runs().Recent(t.Context(), 10); err != nil || len(saved) > 0 {
		t.Errorf("runs of the calibration are kept: %v, %v", saved, err)
	}
}

// A run that is asked for meanwhile goes first.
func TestRunsGoBeforeACalibration(t *testing.T) {
	fleet := &instantFleet{}
	r := withFleet(t, fleet)
	run, err := r.queue.Enqueue(t.Context(), trace.Run{Version: 1, Created: time.Now()}, trace.Kept{})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2, Size: 8, Slices: 1}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	measured := make(chan error, 1)
	go func() {
		_, err := (&bench{fleet: r.fleet, queue: r.queue}).Measure(t.Context(), spec)
		measured <- err
	}()
	if ahead, err := r.queue.Claim(t.Context(), run.ID); ahead != 0 || err != nil {
		t.Fatalf("%d ahead of the run, %v", ahead, err)
	}
	if n := fleet.executed(); n != 0 {
		t.Errorf("%d measurements before the run", n)
	}
	run.Outcome, run.Ended = trace.Cancelled, time.Now()
	if err := r.queue.Finish(t.Context(), run, nil); err != nil {
		t.Fatal(err)
	}
	if err := <-measured; err != nil || fleet.executed() != 1 {
		t.Errorf("%d measurements after the run, %v", fleet.executed(), err)
	}
}

// A console that stops while it calibrates keeps nothing and blocks nobody.
func TestACalibrationThatIsCutShortLeavesNothing(t *testing.T) {
	under := make(chan struct{}, 1)
	fleet := &instantFleet{let: func(ctx context.Context) { under <- struct{}{}; <-ctx.Done() }}
	r := withFleet(t, fleet)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := r.calibrate(ctx, 4, time.Minute, nil)
		ended <- err
	}()
	<-under
	run, err := r.queue.Enqueue(t.Context(), trace.Run{Version: 1, Created: time.Now()}, trace.Kept{})
	if err != nil {
		t.Fatal(err)
	}
	if ahead, err := r.queue.Claim(t.Context(), run.ID); ahead != 1 || err != nil {
		t.Errorf("%d ahead of a run during a measurement, %v", ahead, err)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if ahead, err := r.queue.Claim(t.Context(), run.ID); ahead != 0 || err != nil {
		t.Errorf("%d ahead of a run after it, %v", ahead, err)
	}
	if _, err := r.store.Calibrations().Calibration(t.Context(), r.machine); !errors.Is(err, calibrate.ErrNone) {
		t.Errorf("kept: %v", err)
	}
}

func TestCheckComparesWhatWasPredicted(t *testing.T) {
	r := withFleet(t, &instantFleet{})
	found, err := r.calibrate(t.Context(), 4, time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := writeCalibration(&text, found); err != nil || !strings.Contains(text.String(), "tcp") {
		t.Errorf("%v:\n%s", err, &text)
	}
	var out bytes.Buffer
	if err := (calibrateCommand{LocalRanks: 4, JSON: true}).check(t.Context(), terminal{&out, &text}, r, found); err != nil {
		t.Fatal(err)
	}
	var document struct{ Checked []checked }
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if want := len(calibrateCommand{LocalRanks: 4}.checks()); len(document.Checked) != want {
		t.Errorf("%d rows, want %d", len(document.Checked), want)
	}
	for _, row := range document.Checked {
		if row.Predicted <= 0 || row.Measured <= 0 || row.Low >= row.High || row.Algorithm == "" || row.Algorithm == "auto" {
			t.Errorf("%+v", row)
		}
	}
	if text := verdictOf([]checked{{Predicted: 1, Measured: 1, Low: 1, High: 1}, {Predicted: 2, Measured: 1}}); !strings.HasPrefix(text, "1 of 2 within 15 %") {
		t.Error(text)
	}
}

func TestCalibrateRefusesWhatItCannotUse(t *testing.T) {
	for args, want := range map[string]int{
		"--local-ranks 1": 2, "--local-ranks 65": 2, "--for 0s": 2, "--for 2h": 2, "--show --check": 2, "--show": 1, "--check": 1, "--for soon": 2,
	} {
		var out, said bytes.Buffer
		line := append([]string{"calibrate", "--data", t.TempDir()}, strings.Fields(args)...)
		if got := execute(t.Context(), line, terminal{&out, &said}); got != want || said.Len() == 0 || out.Len() > 0 {
			t.Errorf("%s: exit status %d, %q; want %d", args, got, said.String(), want)
		}
	}
}
