package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/store"
)

// floor is an engine on a real store whose one fleet does what the test says.
type floor struct {
	*engine.Engine
	db      *store.Store
	log     chan *trace.Log // of the run that has begun
	report  chan trace.Report
	config  func(*Config)
	stopped func()
}

func newFloor(t *testing.T) *floor {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	queue, err := db.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f := &floor{db: db, log: make(chan *trace.Log, 1), report: make(chan trace.Report)}
	if f.Engine, err = engine.New(engine.Config{Fleet: f, Planner: f, Journal: queue}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	f.stopped = sync.OnceFunc(func() {
		stop()
		if err := errors.Join(<-ended, queue.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(f.stopped)
	f.config = func(c *Config) { c.Live, c.Saved = f.Engine, db.Runs() }
	return f
}

// Execute is the fleet: it hands the log to the test and waits for its report.
func (f *floor) Execute(ctx context.Context, _ string, _ trace.Spec, _ *schedule.Schedule, log *trace.Log) trace.Report {
	f.log <- log
	select {
	case report := <-f.report:
		return report
	case <-ctx.Done():
		return trace.Report{}
	}
}

// Plan is the planner.
func (f *floor) Plan(_ context.Context, spec trace.Spec) (trace.Plan, error) {
	return trace.Plan{Algorithm: spec.Algorithm}, nil
}

// submit asks for a ring of three ranks.
func (f *floor) submit(t *testing.T) string {
	t.Helper()
	run, err := f.Submit(t.Context(), trace.Spec{
		Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 3, Size: 1200, Iterations: 2, Slices: 2, Pace: trace.Pace{Rate: 1e6},
	})
	if err != nil {
		t.Fatal(err)
	}
	return run.ID
}

func (f *floor) finish(t *testing.T, id string) {
	t.Helper()
	f.report <- trace.Report{Verified: true, Iterations: make([]time.Duration, 2)}
	if _, err := f.Wait(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func at(rank, iteration, step, slice int) trace.Event {
	return trace.Event{Rank: rank, Iteration: iteration, Step: step, Slice: slice, Side: trace.Sent, Bytes: 200, At: 5}
}

func message(t *testing.T, text []byte) Message {
	t.Helper()
	var m Message
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return m
}

// ask polls a run and requires a message.
func ask(t *testing.T, c console, session func(*http.Request), target string) Message {
	t.Helper()
	answer := c.get(target, session)
	wantStatus(t, target, answer, http.StatusOK)
	if kind := answer.Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("%s: content type %q", target, kind)
	}
	return message(t, []byte(body(t, answer)))
}

func TestPollingARun(t *testing.T) {
	f := newFloor(t)
	c := newConsole(t, f.config)
	session := c.enter(t)
	id := f.submit(t)
	log := <-f.log
	target := "/api/v1/runs/" + id

	m := ask(t, c, session, target)
	if m.Type != Snapshot || m.Run.Outcome != trace.Running || len(m.Events) != 0 || m.Iteration != -1 || m.Run.ID != id {
		t.Errorf("before anything happened: %+v", m)
	}
	log.Add([]trace.Event{at(0, 0, 3, 0), at(0, 0, 3, 1), at(1, 0, 4, 0), at(2, 0, 5, 0)})
	m = ask(t, c, session, target)
	if m.Type != Snapshot || len(m.Events) != 3 || m.Iteration != 0 {
		t.Fatalf("all: %+v", m)
	}
	if want := (Row{0, 3, 1, 1, 5, 0}); m.Events[0] != want {
		t.Errorf("first row %v; want %v: the furthest slice", m.Events[0], want)
	}
	here := target + "?since=" + strconv.Itoa(m.Seq)
	if m = ask(t, c, session, here); m.Type != Delta || len(m.Events) != 0 {
		t.Errorf("nothing new: %+v", m)
	}
	log.Add([]trace.Event{at(1, 1, 4, 0)})
	log.Warn(trace.Warning{Code: "slow-rank", Message: "rank 1 is slow"})
	if m = ask(t, c, session, here); len(m.Events) != 1 || m.Events[0][5] != 1 || len(m.Run.Warnings) != 1 {
		t.Errorf("what is new: %+v", m)
	}
	if m = ask(t, c, session, target+"?since=99999"); m.Type != Snapshot || len(m.Events) != 3 {
		t.Errorf("a place that never was: %+v", m)
	}
	f.finish(t, id)
	m = ask(t, c, session, here)
	if m.Type != End || m.Run.Outcome != trace.Done || len(m.Run.Warnings) != 1 || m.Run.Ended.IsZero() || m.Elapsed <= 0 {
		t.Errorf("ended: %+v", m)
	}
	if len(m.Events) != 3 { // of rank 1 only its latest iteration is kept
		t.Errorf("events of the ended run: %v", m.Events)
	}
	if m = ask(t, c, session, "/api/v1/runs/1"); m.Type != End {
		t.Errorf("an ID without its zeros: %+v", m)
	}
}

func TestTheAPIRefuses(t *testing.T) {
	f := newFloor(t)
	c := newConsole(t, f.config)
	session := c.enter(t)
	id := f.submit(t)
	<-f.log
	socket := func(r *http.Request) {
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", "websocket")
		r.Header.Set("Sec-WebSocket-Version", "13")
		r.Header.Set("Sec-WebSocket-Key", "MDEyMzQ1Njc4OWFiY2RlZg==")
	}
	nobody := func(*http.Request) {}
	for what, c2 := range map[string]struct {
		target string
		with   []func(*http.Request)
		status int
	}{
		"no session":          {"/api/v1/runs/" + id, []func(*http.Request){nobody}, 401},
		"socket, no session":  {"/api/v1/runs/" + id + "/events", []func(*http.Request){socket}, 401},
		"no such run":         {"/api/v1/runs/0099", []func(*http.Request){session}, 404},
		"no ID":               {"/api/v1/runs/ring", []func(*http.Request){session}, 404},
		"socket, no such run": {"/api/v1/runs/0099/events", []func(*http.Request){session, socket}, 404},
		"since a word":        {"/api/v1/runs/" + id + "?since=now", []func(*http.Request){session}, 400},
		"since negative":      {"/api/v1/runs/" + id + "/events?since=-1", []func(*http.Request){session, socket}, 400},
		"no socket":           {"/api/v1/runs/" + id + "/events", []func(*http.Request){session}, 426},
		"foreign origin":      {"/api/v1/runs/" + id + "/events", []func(*http.Request){session, socket, header("Origin", "https://evil.example")}, 403},
		"foreign site":        {"/api/v1/runs/" + id + "/events", []func(*http.Request){session, socket, header("Sec-Fetch-Site", "cross-site")}, 403},
		"neighbouring port":   {"/api/v1/runs/" + id + "/events", []func(*http.Request){session, socket, header("Origin", "http://127.0.0.1:9999")}, 403},
	} {
		answer := c.get(c2.target, c2.with...)
		wantStatus(t, what, answer, c2.status)
		if kind := answer.Header.Get("Content-Type"); kind != "application/problem+json" {
			t.Errorf("%s: content type %q", what, kind)
		}
		if c2.status == 401 && answer.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: no word of how to come in", what)
		}
	}
}

func TestTheCatalogueIsOpen(t *testing.T) {
	answer := newConsole(t).get("/api/v1/schedules")
	wantStatus(t, "schedules", answer, http.StatusOK)
	var list schedule.Listing
	if err := json.Unmarshal([]byte(body(t, answer)), &list); err != nil {
		t.Fatal(err)
	}
	if list.Version != 1 || len(list.Pairs) != len(schedule.Catalog()) || list.Pairs[0].Rounds == "" {
		t.Errorf("%+v", list)
	}
}
