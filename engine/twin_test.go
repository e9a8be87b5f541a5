package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memoryFleet is a fleet in this process: it plays the schedule, or does what
// behave says instead.
type memoryFleet struct {
	behave func(ctx context.Context, spec trace.Spec, log *trace.Log) trace.Report

	mu       sync.Mutex // owns what follows
	inside   int
	together int // most runs that were inside at once
	order    []string
}

func (f *memoryFleet) Execute(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report {
	f.mu.Lock()
	f.inside++
	f.together = max(f.together, f.inside)
	f.order = append(f.order, id)
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.inside--
		f.mu.Unlock()
	}()
	report := trace.Report{Verified: true}
	for i := range spec.Warmups() + spec.Iterations {
		if ctx.Err() != nil {
			return trace.Report{Iterations: report.Iterations}
		}
		play(log, spec, sched, i)
		if i >= spec.Warmups() {
			report.Iterations = append(report.Iterations, time.Duration(len(report.Iterations)+1)*time.Millisecond)
		}
	}
	if f.behave != nil {
		return f.behave(ctx, spec, log)
	}
	return report
}

// play enters what the ranks say of one iteration.
func play(log *trace.Log, spec trace.Spec, sched *schedule.Schedule, iteration int) {
	for _, step := range sched.Steps {
		for slice := range spec.Slices {
			e := trace.Event{Rank: step.Src, Iteration: iteration, Step: step.ID, Slice: slice, At: time.Duration(step.Round)}
			if step.Local() {
				log.Add([]trace.Event{e})
				continue
			}
			e.Side = trace.Sent
			received := e
			received.Rank, received.Side = step.Dst, trace.Received
			log.Add([]trace.Event{e, received})
		}
	}
}

// planner holds ring fastest.
type planner struct {
	mu    sync.Mutex // owns what follows
	asked []trace.Spec
}

// last returns the spec that was asked for last.
func (p *planner) last() trace.Spec {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[len(p.asked)-1]
}

func (p *planner) Plan(_ context.Context, spec trace.Spec) (trace.Plan, error) {
	p.mu.Lock()
	p.asked = append(p.asked, spec)
	p.mu.Unlock()
	plan := trace.Plan{Algorithm: spec.Algorithm, Predicted: 0.5, Rounds: []unit.Seconds{0.25, 0.5}, Warnings: []trace.Warning{{Code: "assumed", Message: "a guess"}}}
	if plan.Algorithm == engine.Auto {
		plan.Algorithm = "ring"
	}
	return plan, nil
}

// ledger is what the processes on one data folder share; a memoryJournal is
// one process's hand in it.
type ledger struct {
	mu     sync.Mutex // owns what follows
	runs   []trace.Run
	owners []*memoryJournal
	traces map[string][]trace.Event
	rounds map[string][]unit.Seconds
}

func newLedger() *ledger {
	return &ledger{traces: map[string][]trace.Event{}, rounds: map[string][]unit.Seconds{}}
}

type memoryJournal struct {
	*ledger
	refuse func(method string) error // may be nil
}

func (j *memoryJournal) enter(method string) (unlock func(), err error) {
	j.mu.Lock()
	if j.refuse != nil {
		err = j.refuse(method)
	}
	return j.mu.Unlock, err
}

func (j *memoryJournal) Enqueue(_ context.Context, run trace.Run, kept trace.Kept) (trace.Run, error) {
	unlock, err := j.enter("enqueue")
	defer unlock()
	if err != nil {
		return run, err
	}
	run.ID = fmt.Sprintf("%04d", len(j.runs)+1)
	j.runs, j.owners = append(j.runs, run), append(j.owners, j)
	j.rounds[run.ID] = kept.Rounds
	return run, nil
}

func (j *memoryJournal) Claim(_ context.Context, id string) (ahead int, err error) {
	unlock, err := j.enter("claim")
	defer unlock()
	if err != nil {
		return 0, err
	}
	at := j.index(id)
	for i, run := range j.runs {
		if run.Outcome == trace.Running || run.Outcome == trace.Queued && i < at {
			ahead++
		}
	}
	if ahead == 0 {
		j.runs[at].Outcome = trace.Running
	}
	return ahead, nil
}

func (j *memoryJournal) Finish(_ context.Context, run trace.Run, events []trace.Event) error {
	unlock, err := j.enter("finish")
	defer unlock()
	if err != nil {
		return err
	}
	at := j.index(run.ID)
	if j.owners[at] != j || j.runs[at].Outcome.Final() || !run.Outcome.Final() {
		return errors.New("not to be finished")
	}
	j.runs[at], j.traces[run.ID] = run, events
	return nil
}

func (j *memoryJournal) Find(_ context.Context, id string) (trace.Run, error) {
	unlock, err := j.enter("find")
	defer unlock()
	if err != nil {
		return trace.Run{}, err
	}
	if at := j.index(id); at >= 0 {
		return j.runs[at], nil
	}
	return trace.Run{}, fmt.Errorf("%w: %s", trace.ErrNoRun, id)
}

// index returns the place of a run, -1 for none. The caller holds mu.
func (j *memoryJournal) index(id string) int {
	for i, run := range j.runs {
		if run.ID == id {
			return i
		}
	}
	return -1
}

// bench is an engine with what it works on.
type bench struct {
	*engine.Engine
	fleet   *memoryFleet
	planner *planner
	journal *memoryJournal
	stop    func() error // ends Run and waits for it
}

// start runs an engine until the test ends or stop is called.
func start(t *testing.T, fleet *memoryFleet, journal *memoryJournal) *bench {
	t.Helper()
	b := prepare(t, fleet, journal, engine.Config{})
	b.begin(t)
	return b
}

// prepare makes an engine whose Run has not been called.
func prepare(t *testing.T, fleet *memoryFleet, journal *memoryJournal, config engine.Config) *bench {
	t.Helper()
	b := &bench{fleet: fleet, planner: &planner{}, journal: journal}
	config.Fleet, config.Planner, config.Journal = fleet, b.planner, journal
	var err error
	if b.Engine, err = engine.New(config); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) begin(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	b.stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := b.stop(); err != nil {
			t.Errorf("engine ended with: %v", err)
		}
	})
}

func ring(ranks int) trace.Spec {
	return trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: ranks, Size: 1024, Iterations: 3}
}

func (b *bench) submit(t *testing.T, spec trace.Spec) trace.Run {
	t.Helper()
	run, err := b.Submit(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func (b *bench) wait(t *testing.T, id string) trace.Run {
	t.Helper()
	run, err := b.Wait(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// hold is a behaviour that ends with its context, or with what is sent to it.
func hold(entered chan<- struct{}, end <-chan trace.Report) func(context.Context, trace.Spec, *trace.Log) trace.Report {
	return func(ctx context.Context, _ trace.Spec, _ *trace.Log) trace.Report {
		entered <- struct{}{}
		select {
		case <-ctx.Done():
			return trace.Report{}
		case report := <-end:
			return report
		}
	}
}
