package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

func TestNewRefuses(t *testing.T) {
	whole := engine.Config{Fleet: &memoryFleet{}, Planner: &planner{}, Journal: &memoryJournal{ledger: newLedger()}}
	for want, spoil := range map[string]func(*engine.Config){
		"fleet":   func(c *engine.Config) { c.Fleet = nil },
		"planner": func(c *engine.Config) { c.Planner = nil },
		"journal": func(c *engine.Config) { c.Journal = nil },
		"ranks":   func(c *engine.Config) { c.Ranks = trace.MaxRanks + 1 },
		"memory":  func(c *engine.Config) { c.Memory = -1 },
		"room":    func(c *engine.Config) { c.MaxQueue = -1 },
	} {
		config := whole
		spoil(&config)
		if _, err := engine.New(config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New without good %s: %v", want, err)
		}
	}
}

func TestSubmitRefusesBadInput(t *testing.T) {
	b := prepare(t, &memoryFleet{}, &memoryJournal{ledger: newLedger()}, engine.Config{Ranks: 8, Memory: 64 * unit.MiB})
	for name, c := range map[string]struct {
		spoil func(*trace.Spec)
		field string
		says  string
	}{
		"collective":         {func(s *trace.Spec) { s.Collective = "all-recudes" }, "collective", "accepted: broadcast, reduce, scatter, gather, all-gather, reduce-scatter, all-reduce, all-to-all, barrier, send-recv"},
		"collective of auto": {func(s *trace.Spec) { s.Collective, s.Algorithm = "all-recudes", "auto" }, "collective", "accepted: broadcast, reduce, scatter, gather, all-gather, reduce-scatter, all-reduce, all-to-all, barrier, send-recv"},
		"algorithm":          {func(s *trace.Spec) { s.Algorithm = "rings" }, "algorithm", "accepted: central, direct, ring, recursive-doubling, halving-doubling, binomial-tree, double-binary-tree, hierarchical, in-network, auto"},
		"the network's own":  {func(s *trace.Spec) { s.Algorithm = "in-network" }, "algorithm", "cannot be run on hosts"},
		"root":               {func(s *trace.Spec) { s.Root = 1 }, "root", "all-reduce has no root"},
		"far root":           {func(s *trace.Spec) { s.Collective, s.Algorithm, s.Root = schedule.Broadcast, "chain", 4 }, "root", "accepted: 0 to 3"},
		"nodes":              {func(s *trace.Spec) { s.Algorithm, s.PerNode = "hierarchical", -1 }, "ranks_per_node", "1 or more"},
		"no ranks":           {func(s *trace.Spec) { s.Ranks = 0 }, "ranks", "1 to 64"},
		"more than the node": {func(s *trace.Spec) { s.Ranks = 9 }, "ranks", "1 to 8"},
		"chunks":             {func(s *trace.Spec) { s.Chunks = 1<<15 + 1 }, "chunks", "accepted: 1 to 32768"},
		"size":               {func(s *trace.Spec) { s.Size = 1023 }, "size", "1020 or 1024"},
		"memory":             {func(s *trace.Spec) { s.Size = 64 * unit.MiB }, "size", "64 MiB of memory"},
		"slices":             {func(s *trace.Spec) { s.Ranks, s.Chunks, s.Slices = 8, 64, 4096 }, "slices", "auto or 1 to"},
		"dtype":              {func(s *trace.Spec) { s.DType = "float33" }, "dtype", "float32"},
		"iterations":         {func(s *trace.Spec) { s.Iterations = -1 }, "iterations", "1 to 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			spec := ring(4)
			c.spoil(&spec)
			_, err := b.Submit(t.Context(), spec)
			var field *trace.FieldError
			var request *schedule.RequestError
			got := ""
			switch {
			case errors.As(err, &field):
				got = field.Field
			case errors.As(err, &request):
				got = request.Field
			}
			if got != c.field || !strings.Contains(err.Error(), c.says) {
				t.Errorf("refused %q with: %v; want field %q and %q", got, err, c.field, c.says)
			}
		})
	}
	if len(b.journal.runs) != 0 {
		t.Errorf("%d refused runs were stored", len(b.journal.runs))
	}
}

// Left to us, slices are as many as a trace can hold, and the prediction is of
// the run as it will be.
func TestSlicesAreBounded(t *testing.T) {
	b := prepare(t, &memoryFleet{}, &memoryJournal{ledger: newLedger()}, engine.Config{})
	spec := ring(64)
	spec.Size = trace.MaxSize
	run := b.submit(t, spec)
	resolved, err := spec.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	sched, err := schedule.Build(resolved.Request())
	if err != nil {
		t.Fatal(err)
	}
	if automatic := resolved.SlicesFor(sched); run.Slices < 1 || run.Slices >= automatic {
		t.Errorf("%d slices; want fewer than the usual %d", run.Slices, automatic)
	}
	if last := b.planner.last(); last.Slices != run.Slices {
		t.Errorf("priced with %d slices, runs with %d", last.Slices, run.Slices)
	}
}

func TestQueueHasAnEnd(t *testing.T) {
	b := prepare(t, &memoryFleet{}, &memoryJournal{ledger: newLedger()}, engine.Config{MaxQueue: 2})
	b.submit(t, ring(2))
	b.submit(t, ring(2))
	if _, err := b.Submit(t.Context(), ring(2)); !errors.Is(err, engine.ErrQueueFull) {
		t.Errorf("third of two: %v; want ErrQueueFull", err)
	}
}

func TestPlannersRefusalIsPassedOn(t *testing.T) {
	journal := &memoryJournal{ledger: newLedger()}
	e, err := engine.New(engine.Config{Fleet: &memoryFleet{}, Planner: noPlan{}, Journal: journal})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Submit(t.Context(), ring(2)); !errors.Is(err, errNoPlan) || len(journal.runs) != 0 {
		t.Errorf("submit without a plan: %v", err)
	}
}

var errNoPlan = errors.New("no ground for a plan")

type noPlan struct{}

func (noPlan) Plan(context.Context, trace.Spec) (trace.Plan, error) { return trace.Plan{}, errNoPlan }

// failing refuses a method the first n times.
func failing(method string, n int) func(string) error {
	return func(called string) error {
		if called != method || n == 0 {
			return nil
		}
		n--
		return errors.New("disk full")
	}
}

func TestJournalRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, method := range []string{"claim", "finish"} {
			b := start(t, &memoryFleet{}, &memoryJournal{ledger: newLedger(), refuse: failing(method, 2)})
			if run := b.wait(t, b.submit(t, ring(2)).ID); run.Outcome != trace.Done || b.journal.runs[0].Outcome != trace.Done {
				t.Errorf("%s fails twice: %+v", method, run)
			}
		}
	})
}

func TestJournalIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, method := range []string{"claim", "finish"} {
			b := prepare(t, &memoryFleet{}, &memoryJournal{ledger: newLedger(), refuse: failing(method, 1000)}, engine.Config{})
			id := b.submit(t, ring(2)).ID
			live, _ := b.Watch(id)
			if err := b.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "disk full") {
				t.Errorf("%s fails for good: Run returned %v", method, err)
			}
			run := live.State().Run
			if !run.Outcome.Final() {
				t.Errorf("%s fails for good: run is %s", method, run.Outcome)
			}
			saved := run.Warnings[len(run.Warnings)-1].Code != "not-saved"
			if saved != (method == "claim") {
				t.Errorf("%s fails for good: warnings %v", method, run.Warnings)
			}
			if _, err := b.Submit(t.Context(), ring(2)); !errors.Is(err, engine.ErrStopped) {
				t.Errorf("submit afterwards: %v; want ErrStopped", err)
			}
		}
	})
}

// A cancellation that cannot be kept leaves the run queued: it must not hold up
// those behind it with nobody to run it.
func TestCancelCannotBeKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered, end := make(chan struct{}, 2), make(chan trace.Report, 2)
		b := start(t, &memoryFleet{behave: hold(entered, end)}, &memoryJournal{ledger: newLedger(), refuse: failing("finish", 5)})
		first, second := b.submit(t, ring(2)).ID, b.submit(t, ring(2)).ID
		<-entered
		if err := b.Cancel(t.Context(), second); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("cancel: %v", err)
		}
		for _, id := range []string{first, second} {
			end <- trace.Report{Verified: true, Iterations: make([]time.Duration, 3)}
			if run := b.wait(t, id); run.Outcome != trace.Done {
				t.Errorf("run %s: %+v", id, run)
			}
		}
	})
}

func TestEnqueueFails(t *testing.T) {
	b := start(t, &memoryFleet{}, &memoryJournal{ledger: newLedger(), refuse: failing("enqueue", 1)})
	if _, err := b.Submit(t.Context(), ring(2)); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("submit: %v", err)
	}
	if run := b.wait(t, b.submit(t, ring(2)).ID); run.Outcome != trace.Done {
		t.Errorf("the next: %+v", run)
	}
}
