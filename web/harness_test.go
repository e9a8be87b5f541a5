package web

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/store"
	"lockstep/web/account"
	"lockstep/web/present"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const host = "127.0.0.1:8080"

// console is the handler of all pages on a real store.
type console struct {
	handler http.Handler
	keys    store.Keys
	db      *store.Store
	used    *int // how many keys have opened a session
	log     *lockedBuffer
}

// newConsole makes one; change, if any, sees the configuration first.
func newConsole(t *testing.T, change ...func(*Config)) console {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	c := console{db: db, keys: db.Keys(), used: new(int), log: new(lockedBuffer)}
	config := Config{
		Port:       8080,
		Hosts:      LoopbackHosts("127.0.0.1", 8080),
		Keys:       db.Keys(),
		Sessions:   db.Sessions(time.Now),
		Access:     Access{Users: db.Users(), Passwords: testPasswords(), Tokens: db.Tokens(), Audit: db.Audit()},
		KeyUsed:    func(context.Context) { *c.used++ },
		Ready:      db.Ready,
		Reports:    db.Reports(),
		Entries:    db.Entries(),
		Machines:   db.Machines(),
		Machine:    inventory.Node{Host: "node-a", OS: "linux", Arch: "amd64", CPUs: 8, Memory: 32 * unit.GiB},
		LocalRanks: 4,
		Version:    "test",
		Program:    "console",
		Now:        time.Now,
		Log:        slog.New(slog.NewTextHandler(c.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range change {
		f(&config)
	}
	if c.handler, err = New(config); err != nil {
		t.Fatal(err)
	}
	return c
}

// key keeps a fresh key and returns its text.
func (c console) key(t *testing.T) string {
	t.Helper()
	text, key := account.NewOpeningKey(time.Now())
	if err := c.keys.Add(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	return text
}

// do sends a request to the console's own host.
func (c console) do(method, target string, with ...func(*http.Request)) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	r.Host = host
	for _, f := range with {
		f(r)
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w.Result()
}

func (c console) get(target string, with ...func(*http.Request)) *http.Response {
	return c.do(http.MethodGet, target, with...)
}

func (c console) post(target string, form url.Values, with ...func(*http.Request)) *http.Response {
	body := func(r *http.Request) {
		posted := httptest.NewRequest(r.Method, target, strings.NewReader(form.Encode()))
		r.Body, r.ContentLength = posted.Body, posted.ContentLength
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return c.do(http.MethodPost, target, append([]func(*http.Request){body}, with...)...)
}

// enter logs in and returns the session.
func (c console) enter(t *testing.T) func(*http.Request) {
	t.Helper()
	answer := c.get("/zh/?key=" + c.key(t))
	for _, cookie := range answer.Cookies() {
		return func(r *http.Request) { r.AddCookie(cookie) }
	}
	t.Fatalf("no session: status %d", answer.StatusCode)
	return nil
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func body(t *testing.T, answer *http.Response) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := b.ReadFrom(answer.Body); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wantStatus fails the test unless the answer has the status.
func wantStatus(t *testing.T, what string, answer *http.Response, status int) {
	t.Helper()
	if answer.StatusCode != status {
		t.Errorf("%s: status %d, want %d", what, answer.StatusCode, status)
	}
}

// wantRedirect fails the test unless the answer leads to the place.
func wantRedirect(t *testing.T, what string, answer *http.Response, status int, place string) {
	t.Helper()
	if answer.StatusCode != status || answer.Header.Get("Location") != place {
		t.Errorf("%s: status %d to %q, want %d to %q", what, answer.StatusCode, answer.Header.Get("Location"), status, place)
	}
}

// lockedBuffer collects a log.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// runs is a fixed list of saved runs.
type runs []trace.Run

func (r runs) Recent(_ context.Context, limit int) ([]trace.Run, error) {
	return r[:min(len(r), limit)], nil
}

func articleFigures() (present.Article, error) {
	return present.Article{Ranks: 10, Size: 1_200_000_000, Rate: 1e9, Collect: 10.8, Return: 10.8, Ring: 2.16}, nil
}
