package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing"
	"lockstep/store"
)

// gatedFleet plays a schedule in this process, one iteration for each value
// that comes through its gate.
type gatedFleet struct{ gate chan struct{} }

func (f gatedFleet) Execute(ctx context.Context, _ string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report {
	var report trace.Report
	for i := range spec.Warmups() + spec.Iterations {
		select {
		case <-f.gate:
		case <-ctx.Done():
			return report
		}
		for _, step := range sched.Steps {
			for slice := range spec.Slices {
				sent := trace.Event{Rank: step.Src, Iteration: i, Step: step.ID, Slice: slice, Side: trace.Sent}
				if step.Local() {
					sent.Side = trace.Local
					log.Add([]trace.Event{sent})
					continue
				}
				received := sent
				received.Rank, received.Side = step.Dst, trace.Received
				log.Add([]trace.Event{sent, received})
			}
		}
		if i >= spec.Warmups() {
			report.Iterations = append(report.Iterations, time.Millisecond)
		}
	}
	report.Verified = true
	return report
}

// withGate runs work beside an engine on a gated fleet.
func withGate(t *testing.T, work func(ctx context.Context, e *engine.Engine, gate chan<- struct{})) {
	t.Helper()
	withGateOn(t, func(ctx context.Context, e *engine.Engine, _ *store.Store, gate chan<- struct{}) { work(ctx, e, gate) })
}

// withGateOn is withGate with the store beside it.
func withGateOn(t *testing.T, work func(ctx context.Context, e *engine.Engine, db *store.Store, gate chan<- struct{})) {
	t.Helper()
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	queue, err := db.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Close()
	fleet := gatedFleet{make(chan struct{})}
	e, err := engine.New(engine.Config{Fleet: fleet, Planner: sizing.NewPlanner(nil), Journal: queue})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	work(ctx, e, db, fleet.gate)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func submitRing(t *testing.T, e *engine.Engine) *engine.Live {
	t.Helper()
	run, err := e.Submit(t.Context(), trace.Spec{
		Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 1024, Iterations: 2, Pace: trace.Pace{Step: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	live, ok := e.Watch(run.ID)
	if !ok {
		t.Fatal("run has ended before its fleet was let in")
	}
	return live
}

func TestFollowToTheEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	withGate(t, func(ctx context.Context, e *engine.Engine, gate chan<- struct{}) {
		live := submitRing(t, e)
		go func() { gate <- struct{}{}; gate <- struct{}{} }()
		var shown bytes.Buffer
		run, err := follow(ctx, e, live.ID(), newProgressLine(&shown))
		if err != nil || run.Outcome != trace.Done {
			t.Errorf("followed to %s, %v", run.Outcome, err)
		}
		for line := range strings.Lines(shown.String()) {
			if !strings.HasPrefix(line, "run 0001 ") || strings.Contains(line, "\x1b") {
				t.Errorf("not a plain line: %q", line)
			}
		}
	})
}

func TestInterruptionCancels(t *testing.T) {
	defer goleak.VerifyNone(t)
	withGate(t, func(ctx context.Context, e *engine.Engine, gate chan<- struct{}) {
		live := submitRing(t, e)
		gate <- struct{}{}
		ctx, interrupt := context.WithCancel(ctx)
		interrupt()
		run, err := follow(ctx, e, live.ID(), newProgressLine(new(bytes.Buffer)))
		if err != nil || run.Outcome != trace.Cancelled || run.Events == 0 {
			t.Errorf("interrupted run: %s with %d events, %v", run.Outcome, run.Events, err)
		}
	})
}

func TestProgressIsReadFromTheLog(t *testing.T) {
	withGate(t, func(ctx context.Context, e *engine.Engine, gate chan<- struct{}) {
		live := submitRing(t, e)
		p := newProgress(live)
		p.read()
		if p.share() != 0 || p.where() != "starting" {
			t.Errorf("before anything: %v, %s", p.share(), p.where())
		}
		gate <- struct{}{}
		for {
			changed := live.Log().Since(0).Changed
			if p.read(); p.done == p.parts {
				break
			}
			<-changed
		}
		if p.share() != 0.5 || p.where() != "iteration 1 of 2" || p.round != 6 || p.rounds != 6 {
			t.Errorf("after the first of two: %v, %s, round %d of %d", p.share(), p.where(), p.round, p.rounds)
		}
		p.read()
		if p.share() != 0.5 {
			t.Errorf("read again without news: %v", p.share())
		}
		gate <- struct{}{}
		if _, err := e.Wait(ctx, live.ID()); err != nil {
			t.Error(err)
		}
		p.read()
		if p.share() != 1 || p.where() != "iteration 2 of 2" {
			t.Errorf("at the end: %v, %s", p.share(), p.where())
		}
	})
}

func TestBar(t *testing.T) {
	for share, want := range map[float64]string{
		0: "[                        ]", 0.5: "[============            ]", 1: "[========================]",
	} {
		if got := bar(share); got != want {
			t.Errorf("bar(%v) = %q", share, got)
		}
	}
}
