package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/sizing"
	"lockstep/sizing/report"
)

// programmer asks an API and holds every answer against openapi.json.
type programmer struct {
	*testing.T
	console console
	api     *api
	session func(*http.Request)
	floor   *floor
}

func newProgrammer(t *testing.T) *programmer {
	t.Helper()
	f, c, a := fullAPI(t)
	for _, s := range a.OpenAPI().Components.Schemas.Map() { // an answer has no key that is not described
		s.AdditionalProperties = false
	}
	return &programmer{T: t, console: c, api: a, session: c.enter(t), floor: f}
}

// reply is the answer to a request.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends a request with a body, if it is not empty, as a program does, with
// the visitor's session unless the method says "stranger ".
func (p *programmer) ask(method, route, target, text string, with ...func(*http.Request)) reply {
	p.Helper()
	method, stranger := strings.CutPrefix(method, "stranger ")
	if !stranger {
		with = append(with, p.session)
	}
	if text != "" {
		with = append(with, func(r *http.Request) {
			posted := httptest.NewRequest(r.Method, target, strings.NewReader(text))
			r.Body, r.ContentLength = posted.Body, posted.ContentLength
			if r.Header.Get("Content-Type") == "" {
				r.Header.Set("Content-Type", "application/json")
			}
		})
	}
	answer := p.console.do(method, apiRoot+target, append([]func(*http.Request){header("Accept-Language", "en")}, with...)...)
	got := reply{answer.StatusCode, answer.Header, body(p.T, answer)}
	p.hold(method, route, got)
	return got
}

// hold fails the test unless the answer is one that openapi.json describes.
func (p *programmer) hold(method, route string, got reply) {
	p.Helper()
	for name, value := range securityHeaders {
		if got.header.Get(name) == "" {
			p.Errorf("%s %s lacks %s: %s", method, route, name, value)
		}
	}
	item := p.api.OpenAPI().Paths[apiRoot+route]
	if item == nil {
		p.Fatalf("openapi.json has no %s", route)
	}
	op := map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete}[method]
	described := op.Responses[strconv.Itoa(got.status)]
	if described == nil {
		p.Fatalf("%s %s: status %d is not described: %s", method, route, got.status, got.body)
	}
	kind := got.header.Get("Content-Type")
	media := described.Content[kind]
	if media == nil {
		p.Fatalf("%s %s: %d of %q is not described", method, route, got.status, kind)
	}
	if want := "application/json"; got.status >= 400 {
		if want = problemType; kind != want {
			p.Errorf("%s %s: %q, want %q", method, route, kind, want)
		}
	}
	var document any
	if err := json.Unmarshal([]byte(got.body), &document); err != nil {
		p.Fatalf("%s %s: %v: %s", method, route, err, got.body)
	}
	found := &huma.ValidateResult{}
	huma.Validate(p.api.OpenAPI().Components.Schemas, media.Schema, huma.NewPathBuffer(nil, 0), huma.ModeReadFromServer, document, found)
	for _, err := range found.Errors {
		p.Errorf("%s %s: %d does not meet its schema: %v", method, route, got.status, err)
	}
}

// want fails the test unless the answer has the status and its body holds the
// texts.
func (p *programmer) want(got reply, status int, texts ...string) {
	p.Helper()
	if got.status != status {
		p.Errorf("status %d, want %d: %s", got.status, status, got.body)
	}
	for _, text := range texts {
		if !strings.Contains(got.body, text) {
			p.Errorf("no %q in %s", text, got.body)
		}
	}
}

const ring = `{"collective":"all-reduce","algorithm":"ring","ranks":3,"size_bytes":1200,"iterations":2,"pace":{"rate_bytes_per_s":1e6}}`

func TestAPIRunsARun(t *testing.T) {
	p := newProgrammer(t)
	p.want(p.ask("GET", "/runs", "/runs", ""), 200, `{"version":1,"runs":[]}`)
	started := p.ask("POST", "/runs", "/runs", ring)
	p.want(started, 201, `"id":"0001"`, `"outcome":"queued"`, `"paced":true`)
	if at := started.header.Get("Location"); at != "/api/v1/runs/0001" {
		t.Errorf("location %q", at)
	}
	log := <-p.floor.log
	p.want(p.ask("GET", "/runs/{id}", "/runs/0001", ""), 200, `"type":"snapshot"`, `"outcome":"running"`)
	log.Add([]trace.Event{at(0, 0, 3, 0)})
	waiting := p.ask("POST", "/runs", "/runs", ring)
	p.want(waiting, 201, `"id":"0002"`)
	p.want(p.ask("DELETE", "/runs/{id}", "/runs/2", ""), 202, `"id":"0002"`, `"outcome":"cancelled"`)
	p.want(p.ask("DELETE", "/runs/{id}", "/runs/0002", ""), 409, "run has ended")
	p.floor.finish(t, "0001")
	p.want(p.ask("GET", "/runs/{id}", "/runs/0001", ""), 200, `"type":"end"`, `"outcome":"done"`, `"time_s"`)
	p.want(p.ask("GET", "/runs", "/runs?limit=1", ""), 200, `"id":"0002"`, `"next":"0002"`)
	p.want(p.ask("GET", "/runs", "/runs?limit=1&before=0002", ""), 200, `"id":"0001"`)
	third := p.ask("POST", "/runs", "/runs", ring)
	p.want(third, 201)
	<-p.floor.log
	p.want(p.ask("DELETE", "/runs/{id}", "/runs/0003", ""), 202)
	if run, err := p.floor.Wait(t.Context(), "0003"); err != nil || run.Outcome != trace.Cancelled {
		t.Errorf("run 0003: %s, %v", run.Outcome, err)
	}
}

func TestAPIRefusesRunsWithAReason(t *testing.T) {
	p := newProgrammer(t)
	for body, want := range map[string]string{
		`{}`: `collective: not given; accepted: a collective such as all-reduce, or a schedule; ranks: not given; accepted: a whole number of rank processes; size_bytes: not given;`,
		`{"collective":"all-recude","ranks":4,"size_bytes":8}`:                             `collective: \"all-recude\"; accepted: broadcast, `,
		`{"collective":"all-reduce","ranks":65,"size_bytes":8}`:                            `ranks: 65; accepted: a whole number from 1 to 64`,
		`{"collective":"all-reduce","ranks":2.5,"size_bytes":8}`:                           `ranks: 2.5; accepted: a whole number from 1 to 64`,
		`{"collective":"all-reduce","ranks":"4","size_bytes":8}`:                           `ranks: \"4\"; accepted: a whole number from 1 to 64`,
		`{"collective":"all-reduce","ranks":4,"size_bytes":-1}`:                            `size_bytes: -1; accepted: a whole number from 0 to 8589934592`,
		`{"collective":"all-reduce","ranks":4,"size":"64MiB"}`:                             `size: unknown key; accepted: algorithm, backend, chunks, collective, `,
		`{"collective":"all-gather","ranks":3,"size_bytes":1048576}`:                       `size_bytes: 1048576 bytes cannot be cut into 3 equal blocks`,
		`{"collective":"all-reduce","algorithm":"rings","ranks":3,"size_bytes":8}`:         `algorithm: unknown algorithm \"rings\" for all-reduce; accepted: `,
		`{"collective":"all-reduce","ranks":3,"size_bytes":8,"pace":{"rate":1}}`:           `pace.rate: unknown key; accepted: rate_bytes_per_s, step`,
		`{"collective":"all-reduce","ranks":3,"size_bytes":8,"pace":1}`:                    `pace: 1; accepted: an object`,
		`{"collective":"all-reduce","algorithm":"ring","ranks":3,"size_bytes":8,"root":1}`: `root: root 1: all-reduce has no root`,
		`{"collective":"all-reduce","ranks":3,"size_bytes":8,"nodes":["a","a"]}`:           `nodes: node a is named twice`,
		`{"collective":"all-reduce","ranks":3,"size_bytes":8,"nodes":[1]}`:                 `nodes[0]: 1; accepted: a text`,
		`{"size_bytes":8,"schedule":{"version":1}}`:                                        `schedule: `,
		`[]`: `accepted: an object`,
	} {
		got := p.ask("POST", "/runs", "/runs", body)
		p.want(got, 422, want, `"errors":[{`)
	}
	p.want(p.ask("POST", "/runs", "/runs", `{"ranks":`), 400, "no JSON: unexpected end of JSON input after 9 bytes")
	p.want(p.ask("POST", "/runs", "/runs", `{} {}`), 400, "no JSON: ")
	p.want(p.ask("POST", "/runs", "/runs", ""), 400, "no body; accepted: one JSON object")
	p.want(p.ask("POST", "/runs", "/runs", ring, header("Content-Type", "text/plain")), 415, `the body is \"text/plain\"; accepted: application/json`)
	p.want(p.ask("POST", "/runs", "/runs", `{"algorithm":"`+strings.Repeat("x", maxRunBody)+`"}`), 413, "accepted: less than 16777216 bytes")
	p.want(p.ask("GET", "/runs", "/runs?limit=0", ""), 422, "limit: 0; accepted: a whole number from 1 to 200")
	p.want(p.ask("GET", "/runs", "/runs?limit=many", ""), 422, `limit: \"many\"; accepted: a whole number from 1 to 200`)
	p.want(p.ask("GET", "/runs", "/runs?before=x", ""), 422, `before: \"x\"; accepted: the ID of a run`)
	p.want(p.ask("GET", "/runs", "/runs?after=1", ""), 422, "after: no parameter of this address; accepted: before, limit")
	p.want(p.ask("GET", "/runs/{id}", "/runs/7", ""), 404)
	p.want(p.ask("GET", "/runs/{id}", "/runs/7?since=x", ""), 400)
	p.want(p.ask("DELETE", "/runs/{id}", "/runs/7", ""), 404, "no such run: 0007")
	p.want(p.ask("DELETE", "/runs/{id}", "/runs/seven", ""), 404, "no such run")
	p.want(p.ask("GET", "/runs/{id}/events", "/runs/7/events", ""), 404)
}

func TestAPIPrices(t *testing.T) {
	p := newProgrammer(t)
	const article = `{"collective":"all-reduce","algorithm":"central","ranks":10,"size_bytes":1200000000,"bandwidth_bytes_per_s":1e9,"latency_s":0}`
	p.want(p.ask("stranger POST", "/predictions", "/predictions", article), 200, `"time_s":21.6`, `"name":"collect","seconds":10.8`)
	p.want(p.ask("stranger POST", "/predictions", "/predictions", strings.Replace(article, "central", "auto", 1)), 200, `"collective":"all-reduce"`)
	for body, want := range map[string]string{
		`{"collective":"all-reduce"}`:                           `bandwidth_bytes_per_s: not given; accepted: a number from 1 to `,
		strings.Replace(article, "1e9", "0", 1):                 `bandwidth_bytes_per_s: 0; accepted: a number from 1 to`,
		strings.Replace(article, "10,", "1025,", 1):             `ranks: 1025; accepted: a whole number from 1 to 1024`,
		strings.Replace(article, "central", "sun", 1):           `algorithm: unknown algorithm \"sun\"`,
		strings.Replace(article, `"latency_s"`, `"latency"`, 1): `latency: unknown key`,
	} {
		p.want(p.ask("stranger POST", "/predictions", "/predictions", body), 422, want)
	}
	got := p.ask("stranger POST", "/predictions", "/predictions", `{"algorithm":"`+strings.Repeat("x", maxBody)+`"}`)
	p.want(got, 413, "accepted: less than 65536 bytes")
	p.want(p.ask("stranger GET", "/schedules", "/schedules", ""), 200, `{"version":1,"pairs":[{"collective":"broadcast"`)
}

func TestAPIPricesTrainingSteps(t *testing.T) {
	p := newProgrammer(t)
	const steps = `{"model":"llama3-70b","system":"dgx-h100","nodes":16}`
	p.want(p.ask("stranger POST", "/estimates", "/estimates", steps), 401)
	p.want(p.ask("POST", "/estimates", "/estimates", steps), 200, `{"version":1,"model":"llama3-70b","system":"dgx-h100","nodes":16,"accelerators":128,`, `"fits":true`)
	p.want(p.ask("POST", "/estimates", "/estimates", strings.Replace(steps, "16}", `16,"strategy":"tp=8,pp=4"}`, 1)), 200, `"strategy":{"tp":8,"pp":4,`)
	for body, want := range map[string]string{
		strings.Replace(steps, "70b", "71b", 1):                           `model: unknown model`,
		strings.Replace(steps, "dgx-h100", "dgx-h99", 1):                  `system: unknown system`,
		strings.Replace(steps, "16}", "0}", 1):                            `nodes: 0; accepted: a whole number from 1 to 100000`,
		strings.Replace(steps, "16}", `16,"strategy":"tp=7"}`, 1):         `strategy: tp=7 does not divide`,
		strings.Replace(steps, "16}", `16,"precision":"int3"}`, 1):        `precision:`,
		strings.Replace(steps, "16}", `16,"fabric":"string and tin"}`, 1): `fabric: unknown fabric`,
	} {
		p.want(p.ask("POST", "/estimates", "/estimates", body), 422, want)
	}
}

// fixedNodes is a cluster that stands still.
type fixedNodes struct {
	Nodes
	members []inventory.Member
}

func (f fixedNodes) List() []inventory.Member { return f.members }

func TestAPIListsNodes(t *testing.T) {
	p := newProgrammer(t)
	p.want(p.ask("GET", "/nodes", "/nodes", ""), 200, `{"version":1,"nodes":[]}`)
	joined := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	members := []inventory.Member{
		{Name: "node-a", Standing: inventory.Ready, Joined: joined, Seen: joined, Node: inventory.Node{OS: "linux", Arch: "amd64", CPUs: 2}},
		{Name: "node-b", Standing: inventory.Offline, Joined: joined, Seen: joined},
	}
	p.console = newConsole(t, p.floor.config, p.floor.everything, func(c *Config) { c.Nodes = fixedNodes{members: members} })
	p.session = p.console.enter(t)
	p.want(p.ask("GET", "/nodes", "/nodes", ""), 200, `"name":"node-a","standing":"ready"`, `"standing":"offline"`)
}

func TestAPIReadsReports(t *testing.T) {
	p := newProgrammer(t)
	p.want(p.ask("GET", "/reports", "/reports", ""), 200, `{"version":1,"reports":[]}`)
	p.want(p.ask("GET", "/reports/{id}", "/reports/1", ""), 404)
	fabric, _ := sizing.FindFabric("article")
	estimate, err := sizing.Step{Parameters: 300_000_000, Width: 4, Nodes: 10, PerNode: 1, Fabric: fabric, Compute: 10}.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	draft := report.Report{Cover: report.Cover{Title: "first"}, Content: report.NewDocument("test", estimate, map[string]report.Words{"en": {Headline: "so it is"}})}
	for range 2 {
		saved, err := p.floor.db.Reports().Save(t.Context(), draft, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		draft.ID, draft.Cover.Title = saved.ID, "second"
	}
	p.want(p.ask("GET", "/reports", "/reports", ""), 200, `"id":"0001","report_version":2,"latest_version":2`, `"title":"second"`)
	p.want(p.ask("GET", "/reports/{id}", "/reports/1", ""), 200, `"report_version":2`, `"headline":"so it is"`)
	p.want(p.ask("GET", "/reports/{id}", "/reports/1?report_version=1", ""), 200, `"report_version":1`, `"title":"first"`)
	p.want(p.ask("GET", "/reports/{id}", "/reports/1?report_version=3", ""), 404)

	draft.Content.Estimate.Times.Ring *= 1.5
	if _, err := p.floor.db.Reports().Save(t.Context(), draft, time.Now()); err != nil {
		t.Fatal(err)
	}
	const compare = "/reports/compare"
	p.want(p.ask("GET", compare, compare+"?a=1/2&b=1", ""), 200, `"lang":"en","a":{"id":"0001","report_version":2`, `"b":{"id":"0001","report_version":3`, `"ratio":1.5`, `"inputs":[]`)
	p.want(p.ask("GET", compare, compare+"?a=1/1&b=0001/2&lang=zh", ""), 200, `"lang":"zh"`, `"figures":[]`)
	p.want(p.ask("GET", compare, compare+"?a=1/9&b=1", ""), 404)
	for _, query := range []string{"?a=1", "", "?a=x&b=1", "?a=1/0&b=1/-1", "?a=1&b=1/2/3", "?a=1&b=1&lang=fr"} {
		p.want(p.ask("GET", compare, compare+query, ""), 422, "accepted")
	}
}
