package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"lockstep/engine/trace"
	"lockstep/static"
)

func TestRootFollowsTheBrowsersLanguage(t *testing.T) {
	c := newConsole(t)
	for language, want := range map[string]string{"": "/zh/", "zh-CN,zh;q=0.9": "/zh/", "en-US": "/en/", "de": "/en/"} {
		answer := c.get("/", header("Accept-Language", language))
		wantRedirect(t, language, answer, http.StatusFound, want)
		if !strings.Contains(strings.Join(answer.Header.Values("Vary"), ","), "Accept-Language") {
			t.Errorf("%s: Vary is %q", language, answer.Header.Values("Vary"))
		}
	}
}

func TestHomeWithoutItsSlash(t *testing.T) {
	c := newConsole(t)
	wantRedirect(t, "/en", c.get("/en"), http.StatusMovedPermanently, "/en/")
	wantStatus(t, "/fr/", c.get("/fr/"), http.StatusNotFound)
}

func TestHomeShowsWhatIsThere(t *testing.T) {
	c := newConsole(t, func(config *Config) {
		config.Article = articleFigures
		config.Runs = runs{{ID: "0007", Outcome: trace.Failed, Collective: "all-reduce", Algorithm: "ring", Ranks: 4, Size: 64 << 20}}
	})
	open, closed := body(t, c.get("/en/", c.enter(t))), body(t, c.get("/en/"))
	for _, want := range []string{"<html lang=\"en\"", "node-a", "32 GiB", "4 processes", "10.8 s", "21.6 s", "2.16 s", `href="/en/learn"`, `href="/en/size"`,
		"Reduce-Scatter", "规约发散", `href="/zh/"`, `action="/en/logout"`, "0007", "All-Reduce, ring, 4 ranks, 64 MiB", "failed"} {
		if !strings.Contains(open, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, secret := range []string{"0007", "/logout"} {
		if strings.Contains(closed, secret) {
			t.Errorf("without a session the page shows %q", secret)
		}
	}
	if !strings.Contains(closed, "console key") || !strings.Contains(closed, `href="/en/login"`) {
		t.Error("without a session the page does not say how to get one")
	}
	bare := body(t, newConsole(t).get("/en/"))
	if strings.Contains(bare, "10.8") || strings.Contains(bare, "Central collector") {
		t.Error("figures appear that nobody has computed")
	}
}

func TestHomeLinksOnlyToWhatExists(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	for _, path := range []string{"/zh/", "/en/", "/en/login", "/zh/nowhere"} {
		for _, link := range regexp.MustCompile(` (?:href|src)="([^"#]+)"`).FindAllStringSubmatch(body(t, c.get(path)), -1) {
			if path == "/zh/nowhere" && link[1] == "/en/nowhere" { // the same page in the other language is missing too
				continue
			}
			answer := c.get(link[1])
			if strings.Contains(answer.Header.Get("Location"), "/login?next=") { // it exists for those who have logged in
				answer = c.get(link[1], session)
			}
			wantStatus(t, path+" → "+link[1], answer, http.StatusOK)
		}
	}
}

func TestErrorsSpeakTheVisitorsLanguage(t *testing.T) {
	c := newConsole(t)
	for target, want := range map[string]string{"/zh/nowhere": "没有这一页", "/en/nowhere": "There is no such page", "/nowhere": "There is no such page"} {
		answer := c.get(target, header("Accept-Language", "en"))
		wantStatus(t, target, answer, http.StatusNotFound)
		if answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the error may be kept", target)
		}
		if text := body(t, answer); !strings.Contains(text, want) || !strings.Contains(text, "404") {
			t.Errorf("%s does not say %q", target, want)
		}
	}
}

func TestUnknownAPIPathIsAProblemDocument(t *testing.T) {
	c := newConsole(t)
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		answer := c.do(method, "/api/v1/nowhere", header("Accept-Language", "en"))
		wantStatus(t, method, answer, http.StatusNotFound)
		if got := answer.Header.Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("%s: content type %q", method, got)
		}
		var problem struct {
			Status int
			Title  string
		}
		if err := json.NewDecoder(answer.Body).Decode(&problem); err != nil || problem.Status != 404 || problem.Title != "There is no such page" {
			t.Errorf("%s: problem %+v, %v", method, problem, err)
		}
	}
}

func TestMethods(t *testing.T) {
	c := newConsole(t)
	for _, path := range []string{"/zh/", "/en/login", "/healthz", "/readyz"} {
		answer := c.do(http.MethodHead, path)
		wantStatus(t, "HEAD "+path, answer, http.StatusOK)
	}
	for path, allow := range map[string]string{"/zh/": "GET, HEAD", "/healthz": "GET, HEAD", "/zh/login": "GET, HEAD, POST", "/zh/logout": "POST", "/theme": "POST"} {
		answer := c.do(http.MethodPut, path)
		wantStatus(t, "PUT "+path, answer, http.StatusMethodNotAllowed)
		if got := answer.Header.Get("Allow"); got != allow {
			t.Errorf("PUT %s: Allow is %q, want %q", path, got, allow)
		}
	}
}

func TestHealth(t *testing.T) {
	cause := errors.New("disk is full")
	c := newConsole(t, func(config *Config) { config.Ready = func(context.Context) error { return cause } })
	if text := body(t, c.get("/healthz")); text != "ok\n" {
		t.Errorf("/healthz says %q", text)
	}
	answer := c.get("/readyz")
	wantStatus(t, "not ready", answer, http.StatusServiceUnavailable)
	if text := body(t, answer); text != "not ready\n" {
		t.Errorf("/readyz says %q", text)
	}
	wantStatus(t, "ready", newConsole(t).get("/readyz"), http.StatusOK)
}

func TestStaticFilesAreKeptForGood(t *testing.T) {
	c := newConsole(t)
	files, err := static.New()
	if err != nil {
		t.Fatal(err)
	}
	answer := c.get(files.URL("js/theme.js"))
	wantStatus(t, "file", answer, http.StatusOK)
	if got := answer.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("Cache-Control is %q", got)
	}
	if got := answer.Header.Get("Content-Type"); got != "text/javascript; charset=utf-8" {
		t.Errorf("Content-Type is %q", got)
	}
	for _, path := range []string{"/static/", "/static/js/theme.js", "/static/0123456789abcdef/js/theme.js", files.URL("js/none.js"), files.URL("../static.go"), files.URL("js")} {
		answer := c.get(path)
		wantStatus(t, path, answer, http.StatusNotFound)
		if got := answer.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: Cache-Control is %q", path, got)
		}
	}
}

func TestFailingRunsAreTheConsolesFault(t *testing.T) {
	c := newConsole(t, func(config *Config) { config.Runs = broken{} })
	answer := c.get("/en/", c.enter(t))
	wantStatus(t, "home", answer, http.StatusInternalServerError)
	id := regexp.MustCompile(`log under ([A-Z2-7]{8})\.`).FindStringSubmatch(body(t, answer))
	if id == nil || !strings.Contains(c.log.String(), "id="+id[1]) || !strings.Contains(c.log.String(), "table is gone") {
		t.Errorf("the page's number %v does not lead to the cause in the log:\n%s", id, c.log)
	}
}

type broken struct{}

func (broken) Recent(context.Context, int) ([]trace.Run, error) {
	return nil, errors.New("table is gone")
}

func TestServeLetsRequestsFinish(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	entered, leave := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(entered)
		<-leave
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served, answered := make(chan error, 1), make(chan error, 1)
	go func() { served <- Serve(ctx, listener, nil, handler, slog.New(slog.DiscardHandler)) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	go func() {
		answer, err := client.Get("http://" + listener.Addr().String())
		if err == nil {
			err = answer.Body.Close()
		}
		answered <- err
	}()
	<-entered
	stop()
	close(leave)
	if err := <-answered; err != nil {
		t.Errorf("the request under way was cut off: %v", err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve = %v", err)
	}
}

func TestServeReportsABrokenListener(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Serve(t.Context(), listener, nil, http.NotFoundHandler(), slog.New(slog.DiscardHandler)); err == nil {
		t.Error("serving a closed listener ended well")
	}
}
