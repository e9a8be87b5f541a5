package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/web/account"
)

func from(address string) func(*http.Request) {
	return func(r *http.Request) { r.RemoteAddr = address + ":1234" }
}

func TestLoginPageOffersWhatThereIs(t *testing.T) {
	c := newConsole(t)
	if text := body(t, c.get("/en/login")); strings.Contains(text, `name="password"`) || !strings.Contains(text, `name="key"`) {
		t.Error("without accounts the page asks for a password, or for no key")
	}
	c.addUser(t, "ada", account.Admin)
	text := body(t, c.get("/en/login?next=/en/runs"))
	for _, want := range []string{`name="password"`, `autocomplete="current-password"`, `name="key"`, `name="next" value="/en/runs"`, "<details"} {
		if !strings.Contains(text, want) {
			t.Errorf("with an account the page lacks %s", want)
		}
	}
}

func TestLogInByPassword(t *testing.T) {
	c := newConsole(t)
	c.addUser(t, "ada", account.Admin)
	answer := c.post("/en/login", url.Values{"name": {" Ada "}, "password": {goodPassword}, "next": {"/en/people"}})
	wantRedirect(t, "login", answer, http.StatusSeeOther, "/en/people")
	opened, device := cookies(answer)
	if len(answer.Cookies()) != 2 || opened == nil || device == nil || !device.HttpOnly || device.SameSite != http.SameSiteStrictMode || strings.Contains(device.Value, "ada") {
		t.Fatalf("cookies %v", answer.Cookies())
	}
	session := carrying(opened)
	if text := body(t, c.get("/en/", session)); !strings.Contains(text, "ada") || !strings.Contains(text, "/en/people") {
		t.Error("the page does not name her, or does not lead to people")
	}
	for name, form := range map[string]url.Values{
		"wrong password": {"name": {"ada"}, "password": {"wrong horse battery"}},
		"no account":     {"name": {"eve"}, "password": {goodPassword}},
		"odd name":       {"name": {`"><b>eve`}, "password": {goodPassword}},
		"nothing":        {"name": {""}, "password": {""}},
	} {
		answer := c.post("/en/login", form)
		wantStatus(t, name, answer, http.StatusForbidden)
		text := body(t, answer)
		if !strings.Contains(text, "Name and password do not belong together") || strings.Contains(text, "<b>eve") || strings.Contains(text, form.Get("password")+`"`) && form.Get("password") != "" {
			t.Errorf("%s: the page says something else, or gives the password back", name)
		}
		if len(answer.Cookies()) != 0 || answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: cookies %v, Cache-Control %q", name, answer.Cookies(), answer.Header.Get("Cache-Control"))
		}
	}
	if text := body(t, c.post("/en/login", url.Values{"name": {"ada"}, "password": {"x"}, "next": {"/en/runs?a=1"}})); !strings.Contains(text, `value="ada"`) || !strings.Contains(text, `value="/en/runs?a=1"`) {
		t.Error("a refused login loses the name or the way")
	}
}

// The refusal of a name that has an account is, byte for byte, that of one that
// has none.
func TestLoginDoesNotTellWhoHasAnAccount(t *testing.T) {
	c := newConsole(t)
	c.addUser(t, "ada", account.Admin)
	refusal := func(name string) string {
		text := body(t, c.post("/en/login", url.Values{"name": {name}, "password": {"wrong horse battery"}}))
		return strings.ReplaceAll(text, `value="`+name+`"`, "")
	}
	if refusal("ada") != refusal("eve") {
		t.Error("the two refusals differ")
	}
	for i := range 12 {
		known := c.post("/en/login", url.Values{"name": {"ada"}, "password": {"x"}}, from("192.0.2.77")).StatusCode
		unknown := c.post("/en/login", url.Values{"name": {"eve"}, "password": {"x"}}, from("192.0.2.78")).StatusCode
		if known != unknown {
			t.Errorf("attempt %d: status %d and %d", i+1, known, unknown)
		}
	}
}

func TestGuessingPasswordsIsSlowedDown(t *testing.T) {
	now := time.Now()
	c := newConsole(t, func(config *Config) { config.Now = func() time.Time { return now } })
	c.addUser(t, "ada", account.Admin)
	right := url.Values{"name": {"ada"}, "password": {goodPassword}}
	wantStatus(t, "at her desk", c.post("/en/login", right, from("192.0.2.1")), http.StatusSeeOther)
	var limited *http.Response
	for range 10 {
		answer := c.post("/en/login", url.Values{"name": {"ada"}, "password": {"x"}}, from("198.51.100.9"))
		if answer.StatusCode == http.StatusTooManyRequests {
			limited = answer
			break
		}
	}
	if limited == nil {
		t.Fatal("ten guesses were all looked at")
	}
	wait, err := strconv.Atoi(limited.Header.Get("Retry-After"))
	if text := body(t, limited); err != nil || wait != 1 || !strings.Contains(text, "Try again in 1 second.") {
		t.Errorf("the answer says %q to wait", limited.Header.Get("Retry-After"))
	}
	wantStatus(t, "the right password meanwhile", c.post("/en/login", right, from("198.51.100.9")), http.StatusTooManyRequests)
	wantStatus(t, "at her desk, meanwhile", c.post("/en/login", right, from("192.0.2.1")), http.StatusSeeOther)
	wantStatus(t, "somewhere else, meanwhile", c.post("/en/login", right, from("203.0.113.4")), http.StatusSeeOther)
	now = now.Add(time.Second)
	wantStatus(t, "after the wait", c.post("/en/login", right, from("198.51.100.9")), http.StatusSeeOther)
}

// A neighbour who guesses from the same address holds up nobody who has been in
// before with the same browser, not even where it is their password.
func TestNeighboursDoNotHoldEachOtherUp(t *testing.T) {
	now := time.Now()
	c := newConsole(t, func(config *Config) { config.Now = func() time.Time { return now } })
	const class = "192.0.2.1"
	for _, name := range []string{"ada", "bob", "eve"} {
		c.addUser(t, name, account.Viewer)
	}
	login := func(name, password string, with ...func(*http.Request)) *http.Response {
		return c.post("/en/login", url.Values{"name": {name}, "password": {password}}, append(with, from(class))...)
	}
	_, device := cookies(login("ada", goodPassword))
	if device == nil {
		t.Fatal("ada's browser is not remembered")
	}
	limited := 0
	for range 60 {
		for _, name := range []string{"ada", "eve"} {
			if login(name, "wrong horse battery").StatusCode == http.StatusTooManyRequests {
				limited++
			}
		}
		now = now.Add(time.Second)
	}
	if limited < 60 {
		t.Fatalf("%d of 120 guesses were held up", limited)
	}
	wantStatus(t, "a neighbour, for the first time", login("bob", goodPassword), http.StatusSeeOther)
	wantStatus(t, "ada in her own browser", login("ada", goodPassword, carrying(device)), http.StatusSeeOther)
	forged := *device
	forged.Value = "A" + forged.Value[1:]
	wantStatus(t, "a browser that was never hers", login("ada", goodPassword, carrying(&forged)), http.StatusTooManyRequests)
	wantStatus(t, "her browser for somebody else", login("eve", goodPassword, carrying(device)), http.StatusTooManyRequests)
	for range 12 {
		login("ada", "wrong horse battery", carrying(device))
	}
	wantStatus(t, "guessing in her browser", login("ada", goodPassword, carrying(device)), http.StatusTooManyRequests)
}

func TestAnIPv6CustomerIsOneAddress(t *testing.T) {
	c := newConsole(t)
	limited := 0
	for i := range 200 {
		answer := c.post("/en/login", url.Values{"name": {fmt.Sprint("user", i)}, "password": {strings.Repeat("x", 2000)}}, from(fmt.Sprintf("[2001:db8:1:2::%x]", i)))
		if answer.StatusCode == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited < 100 {
		t.Errorf("%d of 200 attempts from one /64 were limited", limited)
	}
	if got := neighbourhood("2001:db8:1:2:3:4:5:6"); got != "2001:db8:1:2::/64" {
		t.Errorf("neighbourhood %s", got)
	}
	if got := neighbourhood("192.0.2.7"); got != "192.0.2.7" {
		t.Errorf("neighbourhood %s", got)
	}
}

func TestChangePassword(t *testing.T) {
	c := newConsole(t)
	c.addUser(t, "ada", account.Viewer)
	here, elsewhere := c.logIn(t, "ada"), c.logIn(t, "ada")
	const fresh = "another horse entirely"
	for name, attempt := range map[string]struct {
		form   url.Values
		status int
		says   string
	}{
		"wrong current": {url.Values{"current": {"x"}, "new": {fresh}, "again": {fresh}}, http.StatusForbidden, "This is not the current password."},
		"short":         {url.Values{"current": {goodPassword}, "new": {"short"}, "again": {"short"}}, http.StatusUnprocessableEntity, "Too short: it takes 12 to 256 characters."},
		"differ":        {url.Values{"current": {goodPassword}, "new": {fresh}, "again": {fresh + "!"}}, http.StatusUnprocessableEntity, "The two do not agree."},
	} {
		answer := c.post("/en/account/password", attempt.form, here)
		wantStatus(t, name, answer, attempt.status)
		if text := body(t, answer); !strings.Contains(text, attempt.says) || strings.Contains(text, fresh) {
			t.Errorf("%s: the page does not say %q, or gives a password back", name, attempt.says)
		}
	}
	answer := c.post("/en/account/password", url.Values{"current": {goodPassword}, "new": {fresh}, "again": {fresh}}, here)
	wantRedirect(t, "change", answer, http.StatusSeeOther, "/en/account?done=password")
	session, device := cookies(answer)
	if session == nil || device == nil { // the browser's proof was of the password before
		t.Fatalf("cookies %v", answer.Cookies())
	}
	goesOn := carrying(session)
	if text := body(t, c.get("/en/account?done=password", goesOn)); !strings.Contains(text, "Your password is changed") {
		t.Error("the session does not go on, or the page does not say that it worked")
	}
	wantRedirect(t, "elsewhere", c.get("/en/account", elsewhere), http.StatusSeeOther, "/en/login?next=%2Fen%2Faccount")
	wantStatus(t, "the old password", c.post("/en/login", url.Values{"name": {"ada"}, "password": {goodPassword}}), http.StatusForbidden)
	wantStatus(t, "the new password", c.post("/en/login", url.Values{"name": {"ada"}, "password": {fresh}}), http.StatusSeeOther)
}

func TestLogOutEverywhere(t *testing.T) {
	c := newConsole(t)
	c.addUser(t, "ada", account.Viewer)
	here, elsewhere := c.logIn(t, "ada"), c.logIn(t, "ada")
	wantRedirect(t, "everywhere", c.post("/en/account/logout", nil, here), http.StatusSeeOther, "/en/login")
	for name, session := range map[string]func(*http.Request){"here": here, "elsewhere": elsewhere} {
		wantRedirect(t, name, c.get("/en/account", session), http.StatusSeeOther, "/en/login?next=%2Fen%2Faccount")
	}
	key := c.enter(t)
	wantStatus(t, "account of a key", c.get("/en/account", key), http.StatusOK)
	wantStatus(t, "password of a key", c.post("/en/account/password", url.Values{"current": {"x"}}, key), http.StatusBadRequest)
	wantRedirect(t, "a key logs out", c.post("/en/account/logout", nil, key), http.StatusSeeOther, "/en/")
}

// A small role is told which one it takes, on a page that still is the
// console's.
func TestRefusalNamesTheRole(t *testing.T) {
	c := newConsole(t)
	viewer := c.enterAs(t, account.Viewer)
	for path, want := range map[string]string{
		"/en/people": "It takes the role administrator, and yours is viewer.",
		"/zh/people": "这需要管理员角色，你现在是观众。",
	} {
		answer := c.get(path, viewer)
		wantStatus(t, path, answer, http.StatusForbidden)
		if text := body(t, answer); !strings.Contains(text, want) || !strings.Contains(text, "viewer-one") {
			t.Errorf("%s does not say %q to whoever is in", path, want)
		}
	}
	if text := body(t, c.get("/en/", viewer)); strings.Contains(text, "/en/people") {
		t.Error("a viewer is led to people")
	}
}
