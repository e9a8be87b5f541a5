package web

//lint:file-ignore SA1019 see socket.go

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"lockstep/web/account"
)

// sessionOf finds the open session of whoever a request is by, by what its
// cookie holds.
func sessionOf(by func(*http.Request)) account.SessionID {
	r, _ := http.NewRequest(http.MethodGet, "/", nil)
	by(r)
	for _, cookie := range r.Cookies() {
		return account.SessionIDOf(cookie.Value)
	}
	return account.SessionID{}
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	c := newConsole(t)
	c.addUser(t, "ada", account.Admin)
	c.addUser(t, "bob", account.Viewer)
	admin, bob, key := c.logIn(t, "ada"), c.logIn(t, "bob"), c.enter(t)
	text := body(t, c.get("/en/people/", admin))
	for name, by := range map[string]func(*http.Request){"ada": admin, "bob": bob, "key": key} {
		if !strings.Contains(text, `value="`+sessionOf(by).String()+`"`) {
			t.Errorf("the page does not offer to end the session of %s", name)
		}
	}
	for _, want := range []string{"(this one)", "opening key", "whoever had the key", "192.0.2.1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	end := func(by func(*http.Request), whose account.SessionID) *http.Response {
		return c.post("/en/people/session", url.Values{"id": {whose.String()}}, by)
	}
	wantRedirect(t, "end of the key's", end(admin, sessionOf(key)), http.StatusSeeOther, "/en/people#sessions")
	wantRedirect(t, "with the key", c.get("/en/people", key), http.StatusSeeOther, "/en/login?next=%2Fen%2Fpeople")
	entries := c.entries(t, account.AuditFilter{Action: account.EndSession})
	if len(entries) != 1 || entries[0].Who != "ada" || entries[0].Target != "key "+sessionOf(key).Short() || entries[0].Outcome != account.Allowed {
		t.Errorf("audit: %+v", entries)
	}
	wantStatus(t, "once more", end(admin, sessionOf(key)), http.StatusNotFound)
	wantStatus(t, "of nobody", c.post("/en/people/session", url.Values{"id": {"nonsense"}}, admin), http.StatusNotFound)
	wantStatus(t, "by a viewer", end(bob, sessionOf(admin)), http.StatusForbidden)
	wantRedirect(t, "her own", end(admin, sessionOf(admin)), http.StatusSeeOther, "/en/login")
	wantRedirect(t, "afterwards", c.get("/en/people", admin), http.StatusSeeOther, "/en/login?next=%2Fen%2Fpeople")
}

// What is open under a session closes with it, however it ends.
func TestSocketsEndWithTheirSession(t *testing.T) {
	for name, end := range map[string]func(*testing.T, console, func(*http.Request)){
		"by an admin": func(t *testing.T, c console, bob func(*http.Request)) {
			wantStatus(t, "end", c.post("/en/people/session", url.Values{"id": {sessionOf(bob).String()}}, c.enter(t)), http.StatusSeeOther)
		},
		"with the account": func(t *testing.T, c console, _ func(*http.Request)) {
			wantStatus(t, "remove", c.post("/en/people/remove", url.Values{"name": {"bob"}}, c.enter(t)), http.StatusSeeOther)
		},
		"by logging out": func(t *testing.T, c console, bob func(*http.Request)) {
			wantStatus(t, "log out", c.post("/en/logout", url.Values{}, bob), http.StatusSeeOther)
		},
		"by logging out everywhere": func(t *testing.T, c console, _ func(*http.Request)) {
			wantStatus(t, "log out", c.post("/en/account/logout", url.Values{}, c.logIn(t, "bob")), http.StatusSeeOther)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFloor(t)
			c, listener := served(t, f)
			id := f.submit(t)
			<-f.log
			c.addUser(t, "bob", account.Viewer)
			bob := c.logIn(t, "bob")
			conn, stop := open(t, c, bob, listener, "/api/v1/runs/"+id+"/events")
			defer stop()
			read(t, conn)
			end(t, c, bob)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, _, err := conn.Read(ctx)
			var closed websocket.CloseError
			if !errors.As(err, &closed) || closed.Code != websocket.StatusPolicyViolation {
				t.Errorf("the socket: %v", err)
			}
		})
	}
}
