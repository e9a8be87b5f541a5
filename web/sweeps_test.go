package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// sweepTwin stands in for what carries comparisons out and for the store.
type sweepTwin struct {
	kept    []sweep.Comparison
	under   *sweep.Comparison // nil for none
	stopped string
}

func (s *sweepTwin) Start(_ context.Context, r sweep.Request) (sweep.Comparison, error) {
	if s.under != nil {
		return sweep.Comparison{}, sweep.ErrBusy
	}
	r, err := r.Resolve()
	if err != nil {
		return sweep.Comparison{}, err
	}
	c := sweep.Comparison{ID: fmt.Sprintf("%04d", len(s.kept)+1), State: sweep.Running, Request: r}
	s.kept = append(s.kept, c)
	return c, nil
}

func (s *sweepTwin) Watch(id string) (sweep.Comparison, <-chan struct{}, bool) {
	if s.under == nil || s.under.ID != id {
		return sweep.Comparison{}, nil, false
	}
	changed := make(chan struct{})
	close(changed)
	return *s.under, changed, true
}

func (s *sweepTwin) Current() string {
	if s.under == nil {
		return ""
	}
	return s.under.ID
}

func (s *sweepTwin) Stop(_ context.Context, id string) { s.stopped = id }

func (s *sweepTwin) Find(_ context.Context, id string) (sweep.Comparison, error) {
	for _, c := range s.kept {
		if c.ID == id {
			return c, nil
		}
	}
	return sweep.Comparison{}, sweep.ErrNone
}

func (s *sweepTwin) Recent(context.Context, int) ([]sweep.Comparison, error) { return s.kept, nil }

// twoWays is a comparison that is done but for its last run.
func twoWays() sweep.Comparison {
	c := sweep.Comparison{ID: "0001", State: sweep.Stopped, Request: sweep.Request{
		Base:  trace.Spec{Collective: schedule.AllReduce, Ranks: 4},
		Range: sweep.Range{First: unit.KiB, Last: 4 * unit.KiB, Factor: 4},
		Ways:  []sweep.Way{{Backend: trace.Host, Algorithm: "auto"}, {Backend: trace.MPI, Algorithm: "library"}},
	}}
	add := func(size unit.Bytes, id string, seconds float64, library *trace.Library) {
		c.Points = append(c.Points, sweep.Point{Run: trace.Run{
			ID: id, Outcome: trace.Done, Algorithm: "ring", Collective: schedule.AllReduce, Ranks: 4, Size: size, Library: library, Times: &trace.Times{Median: seconds}, BusBW: float64(size) * 1.5 / seconds / 1e9,
		}})
	}
	mpi := &trace.Library{Name: "MPICH", Version: "4.0.2"}
	add(unit.KiB, "0011", 2e-6, nil)
	add(unit.KiB, "0012", 8e-6, mpi)
	add(4*unit.KiB, "0013", 4e-6, nil)
	return c
}

func withSweeps(t *testing.T, twin *sweepTwin) (console, func(*http.Request)) {
	t.Helper()
	c, _, _, _ := withRuns(t, func(config *Config) { config.Sweeper, config.Sweeps, config.Backends = twin, twin, withMPI() })
	return c, c.enter(t)
}

func TestAComparisonIsAskedFor(t *testing.T) {
	twin := &sweepTwin{}
	c, session := withSweeps(t, twin)
	form := url.Values{"pair": {"all-reduce/auto"}, "n": {"4"}, "from": {"6"}, "to": {"1MiB"}, "factor": {"8"}, "way": {"host", "library", "ours"}}
	change := func(name string, values ...string) url.Values {
		changed := url.Values{}
		for key, value := range form {
			changed[key] = value
		}
		changed[name] = values
		return changed
	}
	for _, bad := range []struct {
		name, value, says string
	}{
		{"from", "64K", "64K"},
		{"from", "0", "accepted: 1 byte or more"},
		{"to", "5", "less than the smallest size, 6"},
		{"to", "1TiB", "8 GiB"},
		{"factor", "1", "accepted: a whole number from 2 on"},
		{"n", "9", "9"},
		{"pair", "barrier/central", "no sizes to compare"},
		{"way", "none", "accepted: at least one"},
		{"dtype", "float8", "float8"},
	} {
		answer := c.post("/en/runs/compare", change(bad.name, bad.value), session)
		said := body(t, answer)
		if answer.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(said, bad.says) {
			t.Errorf("%s=%s: status %d, wants to say %q", bad.name, bad.value, answer.StatusCode, bad.says)
		}
	}
	answer := c.post("/en/runs/compare", form, session)
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != "/en/runs/compare/0001" {
		t.Fatalf("status %d to %q", answer.StatusCode, answer.Header.Get("Location"))
	}
	asked := twin.kept[0].Request
	if asked.Range != (sweep.Range{First: 6, Last: unit.MiB, Factor: 8}) || len(asked.Ways) != 3 || asked.Ways[2] != (sweep.Way{Backend: trace.MPI, Algorithm: "ring"}) {
		t.Errorf("asked for %+v", asked)
	}
	twin.under = &twin.kept[0]
	if answer := c.post("/en/runs/compare", form, session); answer.StatusCode != http.StatusConflict {
		t.Errorf("a second one: status %d", answer.StatusCode)
	}
	c.post("/en/runs/compare/0001/stop", url.Values{}, session)
	if twin.stopped != "0001" {
		t.Errorf("stopped %q", twin.stopped)
	}
}

func TestAComparisonIsShownAndTakenAway(t *testing.T) {
	c, session := withSweeps(t, &sweepTwin{kept: []sweep.Comparison{twoWays()}})
	page := body(t, c.do(http.MethodGet, "/en/runs/compare/0001", session))
	for _, part := range []string{"MPICH 4.0.2", "stopped after 3 of 4 runs", "At 1 KiB Lockstep takes 0.25 times as long as MPICH 4.0.2.", "4×", `href="/en/runs/0012"`, "points.csv", "bandwidth.png"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page does not say %q", part)
		}
	}
	if strings.Contains(page, "data-poll") {
		t.Error("a page follows what has ended")
	}
	csv := body(t, c.do(http.MethodGet, "/en/runs/compare/0001/points.csv", session))
	if lines := strings.Split(strings.TrimSpace(csv), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[2], "1024,all-reduce,4,float32,sum,mpi,ring,MPICH 4.0.2,") {
		t.Errorf("CSV:\n%s", csv)
	}
	var d sweep.Document
	if err := json.Unmarshal([]byte(body(t, c.do(http.MethodGet, "/en/runs/compare/0001/points.json", session))), &d); err != nil || len(d.Points) != 3 || d.ID != "0001" {
		t.Errorf("JSON: %v, %+v", err, d)
	}
	for _, chart := range []string{"time", "bandwidth"} {
		answer := c.do(http.MethodGet, "/zh/runs/compare/0001/"+chart+".png?theme=dark", session)
		if file := body(t, answer); answer.StatusCode != http.StatusOK || !strings.HasPrefix(file, "\x89PNG") {
			t.Errorf("%s: status %d, %d bytes", chart, answer.StatusCode, len(file))
		}
	}
	for _, gone := range []string{"0002", "x", "0001/size.png"} {
		if answer := c.do(http.MethodGet, "/en/runs/compare/"+gone, session); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", gone, answer.StatusCode)
		}
	}
	list := body(t, c.do(http.MethodGet, "/zh/runs/compare", session))
	if !strings.Contains(list, `href="/zh/runs/compare/0001"`) {
		t.Error("the list does not lead to it")
	}
}
