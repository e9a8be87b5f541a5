package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/web/account"
)

// measured makes a console with metrics.
func measured(t *testing.T, f *floor) (console, *Metrics) {
	t.Helper()
	m := NewMetrics("v1.2.3")
	members := []inventory.Member{{Name: "node-a", Standing: inventory.Ready}, {Name: "node-b", Standing: inventory.Ready}}
	return newConsole(t, f.config, f.everything, func(c *Config) {
		c.Metrics, c.Unfinished, c.Nodes = m, f.db.Runs(), fixedNodes{members: members}
	}), m
}

// ours are the lines that are not the runtime's.
var ours = regexp.MustCompile(`(?m)^lockstep_.*$`)

// wantMetrics fails the test unless /metrics has the lines.
func wantMetrics(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("no %q in\n%s", line, strings.Join(ours.FindAllString(text, -1), "\n"))
		}
	}
}

func TestMetricsTakePermission(t *testing.T) {
	c, _ := measured(t, newFloor(t))
	wantStatus(t, "stranger", c.get("/metrics"), http.StatusUnauthorized)
	wantStatus(t, "bad token", c.get("/metrics", header("Authorization", "Bearer nonsense")), http.StatusUnauthorized)
	bearer, _ := c.token(t, account.Viewer)
	for who, with := range map[string]func(*http.Request){"token": bearer, "session": c.enter(t)} {
		answer := c.get("/metrics", with)
		wantStatus(t, who, answer, http.StatusOK)
		if kind := answer.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
			t.Errorf("%s: content type %q", who, kind)
		}
		if answer.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: no security headers", who)
		}
	}
	without := newConsole(t)
	wantStatus(t, "a console without metrics", without.get("/metrics", without.enter(t)), http.StatusNotFound)
}

func TestMetricsSayHowTheConsoleStands(t *testing.T) {
	f := newFloor(t)
	c, m := measured(t, f)
	session := c.enter(t)
	id := f.submit(t)
	log := <-f.log
	f.submit(t)
	text := body(t, c.get("/metrics", session))
	wantMetrics(t, text, "lockstep_runs_running 1", "lockstep_runs_queued 1", "lockstep_watchers 0",
		`lockstep_nodes{standing="ready"} 2`, `lockstep_nodes{standing="offline"} 0`, `lockstep_build_info{version="v1.2.3"} 1`,
		`lockstep_runs_total{outcome="failed"} 0`, `lockstep_http_requests_total{method="GET",route="/{lang:zh|en}",status="303"} 1`)
	if !strings.Contains(text, "\ngo_goroutines ") {
		t.Error("nothing of the Go runtime")
	}

	live, _ := f.Watch(id)
	log.Add(steps(live, 0))
	started := time.Now().Add(-2 * time.Second)
	// A paced run has no warm-ups: two iterations in which eight steps
	// sent 100 bytes each.
	m.RunEnded(trace.Run{Outcome: trace.Done, Started: started, Ended: started.Add(time.Second), Paced: true, Pace: &trace.Pace{Rate: 1e6}, Iterated: make([]unit.Seconds, 2)}, sent(8, 100))
	m.RunEnded(trace.Run{Outcome: trace.Cancelled}, nil)
	c.get("/api/v1/runs/"+id, session)
	c.get("/api/v1/runs/77", session)
	c.get("/nowhere/at/all", session)
	c.do("BREW", "/healthz")
	text = body(t, c.get("/metrics", session))
	wantMetrics(t, text, `lockstep_runs_total{outcome="done"} 1`, `lockstep_runs_total{outcome="cancelled"} 1`,
		"lockstep_run_sent_bytes_total 1600", `lockstep_run_duration_seconds_sum{outcome="done"} 1`,
		`lockstep_http_requests_total{method="GET",route="/api/v1/runs/{id}",status="200"} 1`,
		`lockstep_http_requests_total{method="GET",route="/api/v1/runs/{id}",status="404"} 1`,
		`lockstep_http_requests_total{method="GET",route="none",status="404"} 1`)
	if !strings.Contains(text, `method="other"`) || strings.Contains(text, "BREW") || strings.Contains(text, "nowhere") {
		t.Error("what visitors make up has its own series")
	}
	f.finish(t, id)
}

// sent are events of one iteration that sent so many bytes each.
func sent(n, bytes int) []trace.Event {
	var events []trace.Event
	for i := range n {
		events = append(events, trace.Event{Step: i, Side: trace.Sent, Bytes: bytes}, trace.Event{Step: i, Side: trace.Received, Bytes: bytes}, trace.Event{Step: i, Side: trace.Local, Bytes: bytes})
	}
	return events
}
