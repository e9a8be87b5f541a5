package auth_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/store"
	"lockstep/web/account"
	"lockstep/web/auth"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// door is a handler that opens, closes and shows sessions, with a gate on a
// real store behind it.
type door struct {
	gate    *auth.Gate
	keys    store.Keys
	handler http.Handler
}

func newDoor(t *testing.T, tls bool) door {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	d := door{keys: db.Keys()}
	d.gate = auth.New(auth.Config{Port: 8080,
		Keys: db.Keys(), Sessions: db.Sessions(time.Now), Now: time.Now, TLS: tls,
		Fail: func(_ http.ResponseWriter, _ *http.Request, err error) { t.Error(err) },
	})
	d.handler = d.gate.Sessions(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		switch r.URL.Path {
		case "/open":
			err = d.gate.Open(r.Context(), r.URL.Query().Get("key"))
		case "/close":
			err = d.gate.Close(r.Context())
		}
		switch {
		case errors.Is(err, account.ErrKeyRefused):
			w.WriteHeader(http.StatusForbidden)
		case err != nil:
			t.Error(err)
		case !d.gate.Has(r.Context()):
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	return d
}

func (d door) key(t *testing.T) string {
	t.Helper()
	text, key := account.NewOpeningKey(time.Now())
	if err := d.keys.Add(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	return text
}

// visit asks for target with the given cookies.
func (d door) visit(target string, cookies ...*http.Cookie) *http.Response {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Result()
}

func TestKeyOpensASession(t *testing.T) {
	d := newDoor(t, false)
	key := d.key(t)
	opened := d.visit("/open?key=" + key)
	if opened.StatusCode != http.StatusOK || len(opened.Cookies()) != 1 {
		t.Fatalf("status %d, cookies %v", opened.StatusCode, opened.Cookies())
	}
	cookie := opened.Cookies()[0]
	if cookie.Name != "lockstep_session_8080" || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Secure || cookie.Path != "/" {
		t.Errorf("cookie is %v", cookie)
	}
	if left := time.Until(cookie.Expires); left > account.SessionLifetime+time.Minute || left < account.SessionLifetime-time.Minute {
		t.Errorf("cookie lasts %v, want %v", left, account.SessionLifetime)
	}
	if status := d.visit("/", cookie).StatusCode; status != http.StatusOK {
		t.Errorf("the session is not found: status %d", status)
	}
	if status := d.visit("/open?key=" + key).StatusCode; status != http.StatusForbidden {
		t.Errorf("the key opens twice: status %d", status)
	}
}

func TestCookieUnderTLS(t *testing.T) {
	d := newDoor(t, true)
	cookie := d.visit("/open?key=" + d.key(t)).Cookies()[0]
	if cookie.Name != "__Host-lockstep_session_8080" || !cookie.Secure || cookie.Path != "/" || cookie.Domain != "" {
		t.Errorf("cookie is %v", cookie)
	}
}

func TestWithoutSession(t *testing.T) {
	d := newDoor(t, false)
	for name, cookie := range map[string]*http.Cookie{
		"no cookie":      {Name: "other", Value: "x"},
		"invented token": {Name: "lockstep_session_8080", Value: strings.Repeat("A", 43)},
	} {
		answer := d.visit("/", cookie)
		if answer.StatusCode != http.StatusUnauthorized || len(answer.Cookies()) != 0 {
			t.Errorf("%s: status %d, cookies %v; want 401 and none", name, answer.StatusCode, answer.Cookies())
		}
	}
	if status := d.visit("/open?key=nonsense").StatusCode; status != http.StatusForbidden {
		t.Errorf("nonsense opens: status %d", status)
	}
}

func TestCloseEndsTheSessionOnTheServer(t *testing.T) {
	d := newDoor(t, false)
	cookie := d.visit("/open?key=" + d.key(t)).Cookies()[0]
	d.visit("/close", cookie)
	if status := d.visit("/", cookie).StatusCode; status != http.StatusUnauthorized {
		t.Errorf("the old token still opens: status %d", status)
	}
}

// A token that an attacker has put into the browser does not become a session
// by the victim's login.
func TestOpenDoesNotAdoptAToken(t *testing.T) {
	d := newDoor(t, false)
	planted := &http.Cookie{Name: "lockstep_session_8080", Value: strings.Repeat("A", 43)}
	opened := d.visit("/open?key="+d.key(t), planted)
	if opened.Cookies()[0].Value == planted.Value {
		t.Error("the planted token has become the session's")
	}
	if status := d.visit("/", planted).StatusCode; status != http.StatusUnauthorized {
		t.Errorf("the planted token opens: status %d", status)
	}
}
