package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

func TestRunIsDone(t *testing.T) {
	b := start(t, &memoryFleet{}, &memoryJournal{ledger: newLedger()})
	queued := b.submit(t, ring(4))
	if queued.ID != "0001" || queued.Outcome != trace.Queued || len(queued.ScheduleHash) != 64 || queued.Predicted != 0.5 {
		t.Errorf("submitted: %+v", queued)
	}
	run := b.wait(t, queued.ID)
	if run.Outcome != trace.Done || !run.Verified || run.Failure != nil {
		t.Fatalf("run ended: %+v", run)
	}
	// A ring of 4: 13 local steps, 24 between ranks, which both sides report.
	sched, err := schedule.Build(ring(4).Request())
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, step := range sched.Steps {
		if parts++; !step.Local() {
			parts++
		}
	}
	if run.Events != parts || run.Slices != 1 {
		t.Errorf("%d events, %d slices; want %d, 1", run.Events, run.Slices, parts)
	}
	if run.Times == nil || run.Times.Min != 0.001 || run.Times.Median != 0.002 || run.Times.P95 != 0.003 {
		t.Errorf("times %+v of 1, 2 and 3 ms", run.Times)
	}
	if len(run.Iterated) != 3 || slices.Max(run.Iterated) != 0.003 {
		t.Errorf("times of iterations: %v", run.Iterated)
	}
	if run.ScheduleHash != sched.Hash() {
		t.Errorf("hash %s is not that of the schedule", run.ScheduleHash)
	}
	if len(run.Warnings) != 1 || run.Warnings[0].Code != "assumed" {
		t.Errorf("warnings %v; want the plan's", run.Warnings)
	}
	kept, err := b.journal.Find(t.Context(), run.ID)
	if err != nil || kept.Outcome != trace.Done || len(b.journal.traces[run.ID]) != parts || len(b.journal.rounds[run.ID]) != 2 {
		t.Errorf("journal kept %+v, %v, %d events", kept, err, len(b.journal.traces[run.ID]))
	}
	if again := b.wait(t, run.ID); again.Outcome != trace.Done {
		t.Errorf("waiting for an ended run: %+v", again)
	}
}

func TestAutoIsThePlanners(t *testing.T) {
	b := start(t, &memoryFleet{}, &memoryJournal{ledger: newLedger()})
	for _, asked := range []string{"auto", ""} {
		spec := ring(2)
		spec.Algorithm = asked
		if run := b.submit(t, spec); run.Algorithm != "ring" {
			t.Errorf("algorithm %q became %q", asked, run.Algorithm)
		}
		if last := b.planner.last(); last.Algorithm != engine.Auto || last.Iterations != 3 || last.DType == "" {
			t.Errorf("planner was asked for %+v; want a resolved spec with auto", last)
		}
	}
}

func TestHowRunsEnd(t *testing.T) {
	died := &trace.Failure{Kind: trace.ProcessDied, Step: 3, Round: 2, Message: "rank 1 died"}
	three := []time.Duration{1, 2, 3}
	for name, c := range map[string]struct {
		report trace.Report
		want   trace.Outcome
		kind   trace.FailureKind
	}{
		"verified":          {trace.Report{Iterations: three, Verified: true}, trace.Done, ""},
		"wrong":             {trace.Report{Iterations: three}, trace.Failed, trace.WrongResult},
		"blamed":            {trace.Report{Iterations: three[:1], Failure: died}, trace.Failed, trace.ProcessDied},
		"blamed, verified":  {trace.Report{Iterations: three, Verified: true, Failure: died}, trace.Failed, trace.ProcessDied},
		"short of its work": {trace.Report{Iterations: three[:2], Verified: true}, trace.Failed, trace.Internal},
		"nothing at all":    {trace.Report{}, trace.Failed, trace.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			fleet := &memoryFleet{behave: func(context.Context, trace.Spec, *trace.Log) trace.Report { return c.report }}
			b := start(t, fleet, &memoryJournal{ledger: newLedger()})
			run := b.wait(t, b.submit(t, ring(2)).ID)
			if run.Outcome != c.want || run.Verified != (c.want == trace.Done) || (run.Times != nil) != (c.want == trace.Done) {
				t.Errorf("ended %s, verified %v, times %v", run.Outcome, run.Verified, run.Times)
			}
			if (run.Failure == nil) != (c.kind == "") || run.Failure != nil && (run.Failure.Kind != c.kind || run.Failure.Message == "") {
				t.Errorf("failure %+v; want kind %q", run.Failure, c.kind)
			}
			if run.Events == 0 || len(b.journal.traces[run.ID]) != run.Events {
				t.Errorf("%d events, %d kept; the partial trace is lost", run.Events, len(b.journal.traces[run.ID]))
			}
		})
	}
}

func TestPanicEndsTheRunOnly(t *testing.T) {
	fleet := &memoryFleet{behave: func(_ context.Context, spec trace.Spec, _ *trace.Log) trace.Report {
		if spec.Ranks == 3 {
			panic("three is too many")
		}
		return trace.Report{Verified: true, Iterations: make([]time.Duration, spec.Iterations)}
	}}
	b := start(t, fleet, &memoryJournal{ledger: newLedger()})
	bad, good := b.submit(t, ring(3)), b.submit(t, ring(2))
	if run := b.wait(t, bad.ID); run.Outcome != trace.Failed || run.Failure.Kind != trace.Internal || !strings.Contains(run.Failure.Message, "three is too many") {
		t.Errorf("panicking run: %+v, %+v", run, run.Failure)
	}
	if run := b.wait(t, good.ID); run.Outcome != trace.Done {
		t.Errorf("the next run: %+v", run)
	}
}

func TestCancelRunning(t *testing.T) {
	entered, end := make(chan struct{}), make(chan trace.Report)
	b := start(t, &memoryFleet{behave: hold(entered, end)}, &memoryJournal{ledger: newLedger()})
	id := b.submit(t, ring(2)).ID
	<-entered
	live, ok := b.Watch(id)
	if !ok || live.State().Run.Outcome != trace.Running {
		t.Fatalf("running run: %v, %+v", ok, live.State())
	}
	if err := b.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	run := b.wait(t, id)
	if run.Outcome != trace.Cancelled || run.Failure != nil || run.Events == 0 || run.Times != nil {
		t.Errorf("cancelled run: %+v", run)
	}
	if delta := live.Log().Since(0); !delta.Ended || len(delta.Events) == 0 {
		t.Error("log of an ended run is open or empty")
	}
	if err := b.Cancel(t.Context(), id); !errors.Is(err, engine.ErrEnded) {
		t.Errorf("cancelling again: %v; want ErrEnded", err)
	}
	if err := b.Cancel(t.Context(), "0099"); !errors.Is(err, trace.ErrNoRun) {
		t.Errorf("cancelling nothing: %v; want ErrNoRun", err)
	}
}

// A run that finishes, or fails, before its cancellation reaches it has
// finished or failed.
func TestCancelTooLate(t *testing.T) {
	for _, report := range []trace.Report{
		{Verified: true, Iterations: make([]time.Duration, 3)},
		{Failure: &trace.Failure{Kind: trace.ProcessFrozen, Message: "rank 1 is frozen"}},
	} {
		entered := make(chan struct{})
		b := start(t, &memoryFleet{behave: func(ctx context.Context, _ trace.Spec, _ *trace.Log) trace.Report {
			entered <- struct{}{}
			<-ctx.Done()
			return report
		}}, &memoryJournal{ledger: newLedger()})
		id := b.submit(t, ring(2)).ID
		<-entered
		if err := b.Cancel(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		want := trace.Done
		if report.Failure != nil {
			want = trace.Failed
		}
		if run := b.wait(t, id); run.Outcome != want {
			t.Errorf("outcome %s; want %s", run.Outcome, want)
		}
	}
}

func TestCancelQueued(t *testing.T) {
	entered, end := make(chan struct{}, 1), make(chan trace.Report)
	b := start(t, &memoryFleet{behave: hold(entered, end)}, &memoryJournal{ledger: newLedger()})
	first, second, third := b.submit(t, ring(2)).ID, b.submit(t, ring(2)).ID, b.submit(t, ring(2)).ID
	<-entered
	live, _ := b.Watch(third)
	if ahead := live.State().Ahead; ahead != 2 {
		t.Errorf("third run has %d ahead; want 2", ahead)
	}
	changed := live.State().Changed
	if err := b.Cancel(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if run := b.wait(t, second); run.Outcome != trace.Cancelled || run.Events != 0 {
		t.Errorf("cancelled while queued: %+v", run)
	}
	<-changed
	if ahead := live.State().Ahead; ahead != 1 {
		t.Errorf("third run has %d ahead; want 1", ahead)
	}
	end <- trace.Report{Verified: true, Iterations: make([]time.Duration, 3)}
	<-entered
	end <- trace.Report{Verified: true, Iterations: make([]time.Duration, 3)}
	for _, id := range []string{first, third} {
		if run := b.wait(t, id); run.Outcome != trace.Done {
			t.Errorf("run %s: %+v", id, run)
		}
	}
	if got := strings.Join(b.fleet.order, " "); got != first+" "+third {
		t.Errorf("executed %s; the cancelled one must not be", got)
	}
}

func TestStopEndsEveryRun(t *testing.T) {
	entered := make(chan struct{}, 1)
	b := start(t, &memoryFleet{behave: hold(entered, nil)}, &memoryJournal{ledger: newLedger()})
	running, queued := b.submit(t, ring(2)).ID, b.submit(t, ring(2)).ID
	<-entered
	if err := b.stop(); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{running, queued} {
		run := b.wait(t, id)
		if run.Outcome != trace.Failed || run.Failure.Kind != trace.ConsoleStopped {
			t.Errorf("run %s: %+v, %+v", id, run, run.Failure)
		}
	}
	if _, err := b.Submit(t.Context(), ring(2)); !errors.Is(err, engine.ErrStopped) {
		t.Errorf("submit to a stopped engine: %v; want ErrStopped", err)
	}
}

func TestOneRunAtATimeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared, fleet := newLedger(), &memoryFleet{}
		engines := []*bench{
			start(t, fleet, &memoryJournal{ledger: shared}),
			start(t, fleet, &memoryJournal{ledger: shared}),
		}
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				b := engines[i%2]
				run, err := b.Submit(t.Context(), ring(2))
				if err == nil {
					run, err = b.Wait(t.Context(), run.ID)
				}
				if err != nil || run.Outcome != trace.Done {
					t.Errorf("run: %+v, %v", run, err)
				}
			})
		}
		group.Wait()
		if fleet.together != 1 {
			t.Errorf("%d runs at once", fleet.together)
		}
		for i, id := range fleet.order {
			if shared.runs[i].ID != id {
				t.Fatalf("executed in the order %v", fleet.order)
			}
		}
		if len(fleet.order) != 20 {
			t.Errorf("%d runs were executed", len(fleet.order))
		}
	})
}

func TestRunsOfOtherProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newLedger()
		entered, end := make(chan struct{}), make(chan trace.Report)
		here := start(t, &memoryFleet{behave: hold(entered, end)}, &memoryJournal{ledger: shared})
		there := start(t, &memoryFleet{}, &memoryJournal{ledger: shared})
		id := here.submit(t, ring(2)).ID
		<-entered
		if _, ok := there.Watch(id); ok {
			t.Error("another process's run is watched as one's own")
		}
		if _, err := there.Wait(t.Context(), id); !errors.Is(err, engine.ErrElsewhere) {
			t.Errorf("wait: %v; want ErrElsewhere", err)
		}
		if err := there.Cancel(t.Context(), id); !errors.Is(err, engine.ErrElsewhere) {
			t.Errorf("cancel: %v; want ErrElsewhere", err)
		}
		waiting := there.submit(t, ring(2)).ID
		live, _ := there.Watch(waiting)
		for st := live.State(); st.Ahead != 1; st = live.State() {
			<-st.Changed
		}
		end <- trace.Report{Verified: true, Iterations: make([]time.Duration, 3)}
		if run := there.wait(t, waiting); run.Outcome != trace.Done {
			t.Errorf("run after the other process's: %+v", run)
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	entered := make(chan struct{})
	b := start(t, &memoryFleet{behave: hold(entered, nil)}, &memoryJournal{ledger: newLedger()})
	id := b.submit(t, ring(2)).ID
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if run, err := b.Wait(ctx, id); !errors.Is(err, context.Canceled) || run.Outcome != trace.Running {
		t.Errorf("wait under an ended context: %s, %v", run.Outcome, err)
	}
}
