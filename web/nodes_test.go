package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

func TestNodesPageShowsTheCluster(t *testing.T) {
	nodes := newNodesTwin(member("alpha", inventory.Ready), member("beta", inventory.Draining), member("gamma", inventory.Offline), member("a b/c", inventory.Revoked))
	nodes.members[0].Build = "v0.0.1"
	slow := inventory.Link{From: "alpha", To: "beta", Latency: 412e-6, Rate: 1.25e8, Time: time.Now(), Slow: true}
	nodes.links = []inventory.Link{slow, {From: "beta", To: "alpha", Fault: "connection refused", Time: time.Now()}}
	c := newConsole(t, withNodes(nodes))
	session := c.enter(t)
	for lang, want := range map[string][]string{
		"zh": {"本机", "版本不同", "排空中", "离线", "已吊销", "1 Gb/s", "125 MB/s", "412 us", "偏慢", "connection refused", "添加节点", `href="/zh/nodes/a%20b%2Fc/forget"`},
		"en": {"This machine", "Another version", "Draining", "Offline", "Revoked", "1 Gb/s", "125 MB/s", "412 us", "slow", "connection refused", "Add a node", `href="/en/nodes/gamma/revoke"`},
	} {
		answer := c.get("/"+lang+"/nodes", session)
		wantStatus(t, lang, answer, http.StatusOK)
		text := body(t, answer)
		for _, words := range want {
			if !strings.Contains(text, words) {
				t.Errorf("%s: the page lacks %q", lang, words)
			}
		}
		for _, id := range regexp.MustCompile(`>\s*(nodes\.[a-z.-]+)\s*<`).FindAllString(text, -1) {
			t.Errorf("%s: the page shows the id of a message: %s", lang, id)
		}
	}
}

func TestNodesPageWithoutAgents(t *testing.T) {
	c := newConsole(t)
	text := body(t, c.get("/en/nodes", c.enter(t)))
	for _, words := range []string{"node-a", "8 CPUs", "--agent-listen"} {
		if !strings.Contains(text, words) {
			t.Errorf("the page lacks %q", words)
		}
	}
	if strings.Contains(text, "data-poll") || strings.Contains(text, "nodes/invite") {
		t.Error("the page offers what there is not")
	}
}

func TestNodesNeedASession(t *testing.T) {
	c := newConsole(t, withNodes(newNodesTwin(member("alpha", inventory.Ready))))
	for _, path := range []string{"/en/nodes", "/en/nodes/changes", "/en/nodes/alpha/revoke"} {
		if answer := c.get(path); answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(answer.Header.Get("Location"), "/en/login") {
			t.Errorf("%s: status %d to %q without a session", path, answer.StatusCode, answer.Header.Get("Location"))
		}
	}
}

func TestNodesAreChanged(t *testing.T) {
	nodes := newNodesTwin(member("alpha", inventory.Ready), member("a b/c", inventory.Ready))
	c := newConsole(t, withNodes(nodes))
	session := c.enter(t)
	standing := func(name string) inventory.Standing {
		for _, m := range nodes.List() {
			if m.Name == name {
				return m.Standing
			}
		}
		return "gone"
	}
	for _, step := range []struct {
		path, name string
		want       inventory.Standing
	}{
		{"/zh/nodes/alpha/drain", "alpha", inventory.Draining},
		{"/zh/nodes/alpha/resume", "alpha", inventory.Ready},
		{"/zh/nodes/a%20b%2Fc/drain", "a b/c", inventory.Draining},
		{"/zh/nodes/alpha/revoke", "alpha", inventory.Revoked},
		{"/zh/nodes/alpha/forget", "alpha", "gone"},
	} {
		wantRedirect(t, step.path, c.post(step.path, nil, session), http.StatusSeeOther, "/zh/nodes")
		if got := standing(step.name); got != step.want {
			t.Errorf("%s: the node is %s, want %s", step.path, got, step.want)
		}
	}
	answer := c.post("/zh/nodes/alpha/drain", nil, session)
	wantStatus(t, "a node that is gone", answer, http.StatusNotFound)
	if text := body(t, answer); !strings.Contains(text, "已经不在列表里") {
		t.Error("the page does not say that the node is gone")
	}
	answer = c.post("/en/nodes/a%20b%2Fc/forget", nil, session)
	wantStatus(t, "a node that is connected", answer, http.StatusConflict)
	if text := body(t, answer); !strings.Contains(text, "still connected") {
		t.Error("the page does not say that the node is connected")
	}
	wantStatus(t, "an unknown change", c.post("/zh/nodes/alpha/destroy", nil, session), http.StatusNotFound)
	wantStatus(t, "a change by a link", c.get("/zh/nodes/alpha/drain", session), http.StatusMethodNotAllowed)
}

func TestRevokingAsksFirst(t *testing.T) {
	nodes := newNodesTwin(member("alpha", inventory.Ready))
	c := newConsole(t, withNodes(nodes))
	session := c.enter(t)
	answer := c.get("/en/nodes/alpha/revoke", session)
	wantStatus(t, "question", answer, http.StatusOK)
	text := body(t, answer)
	for _, words := range []string{"Revoke node alpha?", `action="/en/nodes/alpha/revoke"`, "within two seconds"} {
		if !strings.Contains(text, words) {
			t.Errorf("the question lacks %q", words)
		}
	}
	if nodes.List()[0].Standing != inventory.Ready {
		t.Error("asking has changed the node")
	}
	wantStatus(t, "a node that is gone", c.get("/en/nodes/omega/revoke", session), http.StatusNotFound)
}

func TestInvitationIsShownOnce(t *testing.T) {
	nodes := newNodesTwin()
	c := newConsole(t, withNodes(nodes))
	session := c.enter(t)
	answer := c.post("/en/nodes/invite", nil, session)
	wantStatus(t, "invitation", answer, http.StatusOK)
	if got := answer.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a page with a secret may be kept: Cache-Control %q", got)
	}
	text := body(t, answer)
	for _, words := range []string{"join_secret.pin", "--join 192.0.2.7:7443", "--token-file -"} {
		if !strings.Contains(text, words) {
			t.Errorf("the page lacks %q", words)
		}
	}
	// The secret stands in no line that a shell would keep or ps would show.
	for _, line := range regexp.MustCompile(`(?s)<code>.*?</code>`).FindAllString(text, -1) {
		if strings.Contains(line, "join_secret") && strings.Contains(line, "console") {
			t.Errorf("the secret stands in a command: %s", line)
		}
	}
	wantStatus(t, "reading the address", c.get("/en/nodes/invite", session), http.StatusMethodNotAllowed)
	if nodes.invited != 1 {
		t.Errorf("%d tokens were made", nodes.invited)
	}
	if strings.Contains(body(t, c.get("/en/nodes", session)), "join_secret") {
		t.Error("the page of the nodes shows the secret")
	}
}

func TestProbing(t *testing.T) {
	nodes := newNodesTwin(member("alpha", inventory.Ready), member("beta", inventory.Ready))
	c := newConsole(t, withNodes(nodes))
	session := c.enter(t)
	if text := body(t, c.get("/en/nodes", session)); !strings.Contains(text, "Not measured yet") || !strings.Contains(text, "Probe now") {
		t.Error("the page does not offer to probe")
	}
	wantRedirect(t, "probe", c.post("/en/nodes/probe", nil, session), http.StatusSeeOther, "/en/nodes")
	if text := body(t, c.get("/en/nodes", session)); !strings.Contains(text, "1 of 3 pairs") || strings.Contains(text, "Probe now") {
		t.Error("the page does not say how far the probe is")
	}
}

// A page that follows is answered at once when it is behind, and otherwise
// when something changes.
func TestNodesAreFollowed(t *testing.T) {
	nodes := newNodesTwin(member("alpha", inventory.Ready))
	c := newConsole(t, withNodes(nodes))
	session := c.enter(t)
	seq := func() string {
		found := regexp.MustCompile(`data-seq="([0-9a-f]+)"`).FindStringSubmatch(body(t, c.get("/en/nodes", session)))
		if found == nil {
			t.Fatal("the page has no data-seq")
		}
		return found[1]
	}
	first := seq()
	answer := c.get("/en/nodes/changes?since=other", session)
	wantStatus(t, "behind", answer, http.StatusOK)
	if got := body(t, answer); got != first {
		t.Errorf("the state is %q, on the page %q", got, first)
	}
	answered := make(chan *http.Response, 1)
	go func() { answered <- c.get("/en/nodes/changes?since="+first, session) }()
	if err := nodes.Drain(t.Context(), "alpha", true); err != nil {
		t.Fatal(err)
	}
	answer = <-answered
	wantStatus(t, "after a change", answer, http.StatusOK)
	if got := body(t, answer); got == first || got != seq() {
		t.Errorf("the state is %q after a change, was %q, is %q", got, first, seq())
	}
	// A visitor who leaves is not waited for.
	ctx, leave := context.WithCancel(t.Context())
	leave()
	c.get("/en/nodes/changes?since="+seq(), session, func(r *http.Request) { *r = *r.WithContext(ctx) })
}

// A heartbeat alone is no change.
func TestBeingHeardIsNoChange(t *testing.T) {
	nodes := newNodesTwin(member("alpha", inventory.Ready))
	s := &server{Config: Config{Nodes: nodes, Now: time.Now}}
	before, err := s.cluster(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := nodes.change("alpha", func(i int) { nodes.members[i].Seen = time.Now().Add(time.Second) }); err != nil {
		t.Fatal(err)
	}
	if after, err := s.cluster(t.Context()); err != nil || after.Seq != before.Seq {
		t.Errorf("%v; the state was %s and is %s", err, before.Seq, after.Seq)
	}
}

// oneRun is an archive of one run under way.
type oneRun struct{ run trace.Run }

func (o oneRun) Before(context.Context, string, int) ([]trace.Run, error) {
	return []trace.Run{o.run}, nil
}

func TestNodesShowTheRunUnderWay(t *testing.T) {
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: unit.MiB, Nodes: []string{"alpha", "beta"}}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	run := trace.NewRun("0042", spec, time.Now())
	run.Outcome = trace.Running
	nodes := newNodesTwin(member("alpha", inventory.Ready), member("gamma", inventory.Ready))
	c := newConsole(t, withNodes(nodes), func(c *Config) { c.Archive = oneRun{run} })
	text := body(t, c.get("/en/nodes", c.enter(t)))
	if got := strings.Count(text, `href="/en/runs/0042"`); got != 1 {
		t.Errorf("%d cards lead to the run; one of the nodes carries it", got)
	}
}

// The largest node that an agent may report makes a page all the same.
func TestAnyMachineHasACard(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "node-eight-gpus.json"))
	if err != nil {
		t.Fatal(err)
	}
	big := member("big", inventory.Ready)
	if err := json.Unmarshal(content, &big.Node); err != nil {
		t.Fatal(err)
	}
	blank := inventory.Member{Name: "blank", Standing: inventory.Ready}
	c := newConsole(t, withNodes(newNodesTwin(big, blank)))
	text := body(t, c.get("/en/nodes", c.enter(t)))
	for _, words := range []string{"8 × NVIDIA H100 80GB HBM3, 80 GiB.", "NVLink × 18", "18 NVLinks, 478 GB/s each way in all", "400 Gb/s", "not connected", "CUDA"} {
		if !strings.Contains(text, words) {
			t.Errorf("the page lacks %q", words)
		}
	}
}

// taker takes runs and carries none out.
type taker struct{ spec trace.Spec }

func (t *taker) Submit(_ context.Context, spec trace.Spec) (trace.Run, error) {
	t.spec = spec
	return trace.Run{ID: "0001"}, nil
}

func (*taker) Cancel(context.Context, string) error { return nil }

func TestRunIsAskedForOnNodes(t *testing.T) {
	var runner taker
	nodes := newNodesTwin(member("alpha", inventory.Ready), member("beta", inventory.Offline))
	c := newConsole(t, withNodes(nodes), func(c *Config) { c.Runner = &runner })
	session := c.enter(t)
	form := url.Values{
		"pair": {"all-reduce/ring"}, "n": {"16"}, "size": {"64MiB"}, "pace": {"none"},
		"where": {"nodes"}, "node": {"alpha", "beta"}, "ranks-per-node": {"8"}, "encryption": {"off"},
	}
	wantRedirect(t, "run on nodes", c.post("/en/runs", form, session), http.StatusSeeOther, "/en/runs/0001")
	if got := runner.spec; !slices.Equal(got.Nodes, []string{"alpha", "beta"}) || got.Encryption != trace.Plain || got.PerNode != 8 || got.Ranks != 16 {
		t.Errorf("asked for is %+v", got)
	}
	form.Del("node")
	answer := c.post("/en/runs", form, session)
	wantStatus(t, "no node", answer, http.StatusUnprocessableEntity)
	text := body(t, answer)
	for _, words := range []string{"No node is chosen", `value="16"`, `value="alpha"`, "Plain, authenticated"} {
		if !strings.Contains(text, words) {
			t.Errorf("the form lacks %q", words)
		}
	}
	if !regexp.MustCompile(`value="beta"[^>]*disabled`).MatchString(text) {
		t.Error("a node that is offline can be chosen")
	}
}
