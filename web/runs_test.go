package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// shelf is a journal and an archive of runs in memory.
type shelf struct {
	mu     sync.Mutex // owns what follows
	runs   []trace.Run
	events map[string][]trace.Event
}

func (s *shelf) Enqueue(_ context.Context, run trace.Run, _ trace.Kept) (trace.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	run.ID = fmt.Sprintf("%04d", len(s.runs)+1)
	s.runs = append(s.runs, run)
	return run, nil
}

func (s *shelf) Claim(_ context.Context, id string) (int, error) { return 0, nil }

func (s *shelf) Finish(_ context.Context, run trace.Run, events []trace.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.runs {
		if s.runs[i].ID == run.ID {
			s.runs[i] = run
		}
	}
	s.events[run.ID] = events
	return nil
}

func (s *shelf) Find(_ context.Context, id string) (trace.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, run := range s.runs {
		if run.ID == id {
			return run, nil
		}
	}
	return trace.Run{}, fmt.Errorf("%w: %s", trace.ErrNoRun, id)
}

func (s *shelf) Trace(_ context.Context, id string) ([]trace.Event, []unit.Seconds, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[id], nil, nil
}

func (s *shelf) Schedule(_ context.Context, run trace.Run) (*schedule.Schedule, error) {
	return run.Rebuild()
}

func (s *shelf) Before(_ context.Context, id string, limit int) (page []trace.Run, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.runs) - 1; i >= 0 && len(page) < limit; i-- {
		if id == "" || s.runs[i].ID < id {
			page = append(page, s.runs[i])
		}
	}
	return page, nil
}

// heldFleet begins a run and holds it until it is cancelled or let go.
type heldFleet struct {
	entered chan string
	let     chan struct{}
}

func (f heldFleet) Execute(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report {
	for _, step := range sched.Steps {
		for slice := range spec.Slices {
			e := trace.Event{Rank: step.Src, Step: step.ID, Slice: slice, At: time.Duration(step.Round) * time.Second}
			if step.Local() {
				log.Add([]trace.Event{e})
				continue
			}
			e.Side = trace.Sent
			got := e
			got.Rank, got.Side = step.Dst, trace.Received
			log.Add([]trace.Event{e, got})
		}
	}
	f.entered <- id
	select {
	case <-ctx.Done():
		return trace.Report{}
	case <-f.let:
		return trace.Report{Verified: true, Iterations: []time.Duration{6 * time.Second}}
	}
}

// fixedPlan predicts nothing.
type fixedPlan struct{}

func (fixedPlan) Plan(_ context.Context, spec trace.Spec) (trace.Plan, error) {
	if spec.Algorithm == engine.Auto {
		spec.Algorithm = "ring"
	}
	return trace.Plan{Algorithm: spec.Algorithm}, nil
}

// withRuns makes a console that carries out runs on a fleet in this process.
func withRuns(t *testing.T, change ...func(*Config)) (console, *engine.Engine, heldFleet, *shelf) {
	t.Helper()
	fleet := heldFleet{make(chan string, 10), make(chan struct{})}
	kept := &shelf{events: map[string][]trace.Event{}}
	e, err := engine.New(engine.Config{Fleet: fleet, Planner: fixedPlan{}, Journal: kept, Ranks: 4})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("engine ended with: %v", err)
		}
	})
	c := newConsole(t, append([]func(*Config){func(config *Config) {
		config.Runner, config.Archive, config.Planner, config.Live, config.Saved = e, kept, fixedPlan{}, e, kept
	}}, change...)...)
	return c, e, fleet, kept
}

func asked(change ...string) url.Values {
	form := url.Values{
		"pair": {"all-reduce/ring"}, "n": {"4"}, "size": {"64kB"}, "pace": {"rate"}, "rate": {"10MB/s"},
		"iterations": {""}, "chunks": {""}, "slices": {"2"},
	}
	for i := 0; i < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return form
}

func TestRunsNeedASession(t *testing.T) {
	c, _, _, _ := withRuns(t)
	for path, next := range map[string]string{
		"/zh/runs":              "/zh/login?next=%2Fzh%2Fruns",
		"/en/runs/new?n=3":      "/en/login?next=%2Fen%2Fruns%2Fnew%3Fn%3D3",
		"/en/runs/0001?step=2":  "/en/login?next=%2Fen%2Fruns%2F0001%3Fstep%3D2",
		"/zh/runs?before=00001": "/zh/login?next=%2Fzh%2Fruns%3Fbefore%3D00001",
	} {
		wantRedirect(t, path, c.get(path), http.StatusSeeOther, next)
	}
	wantRedirect(t, "start", c.post("/zh/runs", asked(), header("Referer", "http://"+host+"/zh/runs/new?n=4")), http.StatusSeeOther, "/zh/login?next=%2Fzh%2Fruns%2Fnew%3Fn%3D4")
	wantRedirect(t, "cancel", c.post("/zh/runs/0001/cancel", nil), http.StatusSeeOther, "/zh/login")
}

func TestRunFromFormToEnd(t *testing.T) {
	c, e, fleet, _ := withRuns(t)
	session := c.enter(t)
	wantRedirect(t, "start", c.post("/en/runs", asked(), session), http.StatusSeeOther, "/en/runs/0001")
	id := <-fleet.entered
	text := body(t, c.get("/en/runs/0001", session))
	for _, want := range []string{"Running: iteration 1 of 1, step 6 of 6", `action="/en/runs/0001/cancel"`, `data-socket="/api/v1/runs/0001/events"`, `id="run-table"`, `data-cell="3-3"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page of a running run lacks %s", want)
		}
	}
	close(fleet.let)
	if _, err := e.Wait(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	text = body(t, c.get("/zh/runs/0001?step=3", session))
	for _, want := range []string{"完成，结果逐位核对无误", "16 格里有 4 格已是最终值", `href="/zh/runs/0001?step=4#grid"`, `name="pace" value="rate"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page of an ended run lacks %s", want)
		}
	}
	if strings.Contains(text, "data-socket") {
		t.Error("an ended run is followed")
	}
	wantStatus(t, "list", c.get("/en/runs", session), http.StatusOK)
}

func TestCancelledRunSaysSo(t *testing.T) {
	c, e, fleet, _ := withRuns(t)
	session := c.enter(t)
	c.post("/en/runs", asked(), session)
	id := <-fleet.entered
	wantRedirect(t, "cancel", c.post("/en/runs/0001/cancel", nil, session), http.StatusSeeOther, "/en/runs/0001")
	if _, err := e.Wait(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if text := body(t, c.get("/en/runs/0001", session)); !strings.Contains(text, "Cancelled at iteration 1 of 1") {
		t.Error("the page does not say that the run was cancelled")
	}
	wantRedirect(t, "again", c.post("/en/runs/0001/cancel", nil, session), http.StatusSeeOther, "/en/runs/0001")
	wantStatus(t, "none", c.post("/en/runs/0099/cancel", nil, session), http.StatusNotFound)
	wantStatus(t, "signal without fleet", c.post("/en/runs/0001/signal", url.Values{"rank": {"0"}, "signal": {"kill"}}, session), http.StatusNotFound)
}

func TestWrongFieldsAreNamedAndNothingIsLost(t *testing.T) {
	c, _, _, kept := withRuns(t)
	session := c.enter(t)
	for _, w := range []struct{ field, given, says, fix string }{
		{"n", "9", "whole number from 1 to 4", "n=4"},
		{"n", "four", "whole number from 1 to 4", ""},
		{"size", "100M", "is no size", "size=100MB"},
		{"size", "64001", "elements of 4 bytes", "size=64kB"},
		{"rate", "20M", "is no rate", "rate=20MB%2Fs"},
		{"iterations", "0", "from 1 to 10000", "iterations=1"},
		{"slices", "5000", "from 1 to 4096", "slices=4096"},
		{"chunks", "-1", "from 1 to", "chunks=1"},
	} {
		answer := c.post("/en/runs", asked(w.field, w.given), session)
		wantStatus(t, w.field+" "+w.given, answer, http.StatusUnprocessableEntity)
		text := body(t, answer)
		for _, want := range []string{w.says, w.fix, `value="` + w.given + `"`, `aria-invalid="true"`, `aria-describedby="` + w.field + "-wrong ", `value="all-reduce/ring" selected`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s %q: the page lacks %s", w.field, w.given, want)
			}
		}
	}
	wantStatus(t, "pair", c.post("/en/runs", asked("pair", "all-reduce/magic"), session), http.StatusUnprocessableEntity)
	if len(kept.runs) != 0 {
		t.Errorf("%d runs were started", len(kept.runs))
	}
}

func TestLinksToTheFormNeverLeadToAnError(t *testing.T) {
	c, _, _, _ := withRuns(t)
	session := c.enter(t)
	for query, want := range map[string]string{
		"": `name="rate" type="text" value="6.7MB/s"`,
		"collective=all-reduce&algorithm=central&n=2": `value="all-reduce/central" selected`,
		"ranks=3&pace=20MB/s":                         `name="rate" type="text" value="20MB/s"`,
		"n=64":                                        "You asked for 64 ranks. This console runs 4 at most, so this run has 4.",
		"collective=juggle":                           `There is no collective &#34;juggle&#34; that can be run. Accepted: broadcast, reduce, `,
		"algorithm=sorcery":                           `&#34;sorcery&#34; cannot be run here. Accepted: auto, central, `,
		"size=1001":                                   `value="1004B"`,
		"size=many":                                   `&#34;many&#34; cannot be used`,
		"pace=none":                                   "No prediction at full speed",
		"pace=step&iterations=abc":                    "No prediction step by step",
		"n=1":                                         `id="pace-none" value="none" checked`,
	} {
		answer := c.get("/en/runs/new?"+query, session)
		wantStatus(t, query, answer, http.StatusOK)
		if text := body(t, answer); !strings.Contains(text, want) {
			t.Errorf("%q: the form lacks %s", query, want)
		}
	}
}

func TestListGoesOnBeyondAPage(t *testing.T) {
	c, _, _, kept := withRuns(t)
	session := c.enter(t)
	if text := body(t, c.get("/en/runs", session)); !strings.Contains(text, "Start with a ring all-reduce") {
		t.Error("the empty list does not say how to begin")
	}
	for range runsOnPage + 1 {
		spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 64}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		run := trace.NewRun("", spec, time.Now())
		run.Outcome = trace.Done
		_, _ = kept.Enqueue(t.Context(), run, trace.Kept{})
	}
	first := body(t, c.get("/en/runs", session))
	if strings.Count(first, `class="target"`) != runsOnPage || !strings.Contains(first, `href="/en/runs?before=0002"`) {
		t.Error("the first page is not the newest fifty")
	}
	second := body(t, c.get("/en/runs?before=0002", session))
	if strings.Count(second, `class="target"`) != 1 || strings.Contains(second, "Older") || !strings.Contains(second, "Newest") {
		t.Error("the second page is not the rest")
	}
	if third := body(t, c.get("/en/runs?before=0001", session)); !strings.Contains(third, "nothing before that") {
		t.Error("the end of the list does not say so")
	}
	wantStatus(t, "no such run", c.get("/en/runs/9999", session), http.StatusNotFound)
}
