package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/trace"
)

// obedient is a fleet that takes signals.
type obedient struct {
	memoryFleet
	took []trace.Signal
}

func (f *obedient) Signal(_ context.Context, _ string, rank int, s trace.Signal) error {
	f.took = append(f.took, s)
	return nil
}

func TestSignalsReachRunningRunsOnly(t *testing.T) {
	entered, end := make(chan struct{}, 1), make(chan trace.Report)
	fleet := &obedient{memoryFleet: memoryFleet{behave: hold(entered, end)}}
	journal := &memoryJournal{ledger: newLedger()}
	e, err := engine.New(engine.Config{Fleet: fleet, Planner: &planner{}, Journal: journal})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	first, err := e.Submit(t.Context(), ring(3))
	if err != nil {
		t.Fatal(err)
	}
	<-entered
	second, err := e.Submit(t.Context(), ring(3))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Signal(t.Context(), first.ID, 2, trace.Freeze); err != nil {
		t.Errorf("running: %v", err)
	}
	var unusable *trace.FieldError
	for _, rank := range []int{-1, 3} {
		if err := e.Signal(t.Context(), first.ID, rank, trace.Kill); !errors.As(err, &unusable) || unusable.Field != "rank" {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
	if err := e.Signal(t.Context(), first.ID, 0, "tickle"); !errors.As(err, &unusable) || unusable.Field != "signal" {
		t.Errorf("unknown: %v", err)
	}
	if err := e.Signal(t.Context(), second.ID, 0, trace.Kill); !errors.Is(err, trace.ErrNotRunning) {
		t.Errorf("queued: %v", err)
	}
	if err := e.Signal(t.Context(), "0099", 0, trace.Kill); !errors.Is(err, trace.ErrNoRun) {
		t.Errorf("no run: %v", err)
	}
	done := trace.Report{Verified: true, Iterations: make([]time.Duration, 3)}
	end <- done
	if _, err := e.Wait(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if err := e.Signal(t.Context(), first.ID, 0, trace.Kill); !errors.Is(err, engine.ErrEnded) {
		t.Errorf("ended: %v", err)
	}
	<-entered
	end <- done
	if _, err := e.Wait(t.Context(), second.ID); err != nil {
		t.Fatal(err)
	}
	if len(fleet.took) != 1 || fleet.took[0] != trace.Freeze {
		t.Errorf("the fleet took %v", fleet.took)
	}
}

func TestAFleetMayTakeNoSignals(t *testing.T) {
	entered, end := make(chan struct{}), make(chan trace.Report)
	b := start(t, &memoryFleet{behave: hold(entered, end)}, &memoryJournal{ledger: newLedger()})
	id := b.submit(t, ring(2)).ID
	<-entered
	if err := b.Signal(t.Context(), id, 0, trace.Kill); !errors.Is(err, engine.ErrNoSignals) {
		t.Errorf("%v", err)
	}
	end <- trace.Report{Verified: true, Iterations: make([]time.Duration, 3)}
	b.wait(t, id)
}

// What comes up while a run runs is part of it, and when it began and ended.
func TestWarningsAndTimesOfARun(t *testing.T) {
	entered, end := make(chan struct{}), make(chan trace.Report)
	b := start(t, &memoryFleet{behave: hold(entered, end)}, &memoryJournal{ledger: newLedger()})
	queued := b.submit(t, ring(2))
	if queued.Warnings == nil || !queued.Started.IsZero() {
		t.Errorf("queued: %+v", queued)
	}
	<-entered
	live, _ := b.Watch(queued.ID)
	live.Log().Warn(trace.Warning{Code: "slow-rank", Message: "rank 1 is slow"})
	if run := live.State().Run; len(run.Warnings) != 2 || run.Started.IsZero() || !run.Ended.IsZero() {
		t.Errorf("running: %+v", run)
	}
	end <- trace.Report{Verified: true, Iterations: make([]time.Duration, 3)}
	run := b.wait(t, queued.ID)
	if len(run.Warnings) != 2 || run.Warnings[1].Code != "slow-rank" || run.Ended.Before(run.Started) {
		t.Errorf("done: %+v", run)
	}
	if kept, err := b.journal.Find(t.Context(), run.ID); err != nil || len(kept.Warnings) != 2 || !kept.Ended.Equal(run.Ended) {
		t.Errorf("kept: %+v, %v", kept, err)
	}
}
