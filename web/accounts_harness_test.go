package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/web/account"
)

// testPasswords are shared by all tests: each brings its own bound on memory.
var testPasswords = sync.OnceValue(func() *account.Passwords {
	p, err := account.NewPasswords()
	if err != nil {
		panic(err)
	}
	return p
})

const goodPassword = "correct horse battery"

// goodHash is that of goodPassword, made once: under the race detector each
// takes a while.
var goodHash = sync.OnceValue(func() string {
	hash, err := testPasswords().Hash(context.Background(), goodPassword)
	if err != nil {
		panic(err)
	}
	return hash
})

// addUser makes an account with goodPassword.
func (c console) addUser(t *testing.T, name string, role account.Role) {
	t.Helper()
	now := time.Now()
	u := account.User{Name: name, Role: role, Hash: goodHash(), Epoch: account.NewEpoch(), Created: now, Changed: now}
	if err := c.db.Users().Add(t.Context(), u); err != nil {
		t.Fatal(err)
	}
}

// enterAs makes an account of the role and logs in to it.
func (c console) enterAs(t *testing.T, role account.Role) func(*http.Request) {
	t.Helper()
	name := string(role) + "-one"
	c.addUser(t, name, role)
	return c.logIn(t, name)
}

// logIn logs in to an account that addUser has made.
func (c console) logIn(t *testing.T, name string) func(*http.Request) {
	t.Helper()
	answer := c.post("/en/login", url.Values{"name": {name}, "password": {goodPassword}})
	session, _ := cookies(answer)
	if session == nil {
		t.Fatalf("no session for %s: status %d", name, answer.StatusCode)
	}
	return carrying(session)
}

// cookies are those that an answer sets: of a session, and of a browser that is
// to be known again; nil for none.
func cookies(answer *http.Response) (session, device *http.Cookie) {
	for _, cookie := range answer.Cookies() {
		switch {
		case strings.Contains(cookie.Name, "_session_"):
			session = cookie
		case strings.Contains(cookie.Name, "_device_"):
			device = cookie
		}
	}
	return session, device
}

func carrying(cookie *http.Cookie) func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(cookie) }
}

// token makes an api token and returns what carries it.
func (c console) token(t *testing.T, role account.Role) (bearer func(*http.Request), made account.Token) {
	t.Helper()
	text, made, err := account.NewToken(account.TokenRequest{Kind: account.APIToken, Role: role, Label: string(role) + " program", By: "test"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.db.Tokens().Add(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	return header("Authorization", "Bearer "+text), made
}

// entries are those of the audit log, newest first.
func (c console) entries(t *testing.T, f account.AuditFilter) []account.AuditEntry {
	t.Helper()
	all, err := c.db.Audit().List(t.Context(), f, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
