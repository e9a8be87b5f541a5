package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lockstep/web/account"
)

func TestKeyOpensASessionOnce(t *testing.T) {
	c := newConsole(t)
	key := c.key(t)
	answer := c.get("/?key="+key, header("Accept-Language", "en"))
	wantRedirect(t, "first use", answer, http.StatusSeeOther, "/en/")
	if answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the answer to a key may be kept: %q", answer.Header.Get("Cache-Control"))
	}
	cookies := answer.Cookies()
	if len(cookies) != 1 || cookies[0].Name != "lockstep_session_8080" || !cookies[0].HttpOnly ||
		cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].Secure {
		t.Fatalf("cookies %v", cookies)
	}
	if *c.used != 1 {
		t.Errorf("KeyUsed was called %d times, want 1", *c.used)
	}
	second := c.get("/?key="+key, header("Accept-Language", "en"))
	wantStatus(t, "second use", second, http.StatusForbidden)
	if text := body(t, second); !strings.Contains(text, "opens nothing") || !strings.Contains(text, "console key") {
		t.Errorf("the refusal does not say what to do")
	}
	if len(second.Cookies()) != 0 || *c.used != 1 {
		t.Errorf("a used key has done something: cookies %v, used %d", second.Cookies(), *c.used)
	}
	if text := body(t, c.get("/en/", func(r *http.Request) { r.AddCookie(cookies[0]) })); !strings.Contains(text, "No run yet.") {
		t.Error("the page behind the cookie is not that of a session")
	}
}

func TestKeyGoesOnToThePageItCameWith(t *testing.T) {
	c := newConsole(t)
	wantRedirect(t, "page with other parameters", c.get("/zh/?a=1&key="+c.key(t)+"&b=2"), http.StatusSeeOther, "/zh/?a=1&b=2")
}

func TestSessionIsKeptOnGet(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	spare := c.key(t)
	for _, target := range []string{"/?key=" + spare, "/zh/?key=" + spare, "/zh/?key=nonsense", "/zh/login", "/zh/", "/nowhere"} {
		answer := c.get(target, session)
		if len(answer.Cookies()) != 0 {
			t.Errorf("GET %s has changed cookies: %v", target, answer.Cookies())
		}
		if status := c.get("/zh/login", session).StatusCode; status != http.StatusSeeOther {
			t.Fatalf("GET %s has ended the session", target)
		}
	}
	wantRedirect(t, "with a session", c.get("/zh/?key="+spare, session), http.StatusSeeOther, "/zh/")
	wantRedirect(t, "the key is still good", c.get("/zh/?key="+spare), http.StatusSeeOther, "/zh/")
	if *c.used != 2 {
		t.Errorf("%d keys were used, want 2", *c.used)
	}
}

func TestHeadUsesNoKeyUp(t *testing.T) {
	c := newConsole(t)
	key := c.key(t)
	wantStatus(t, "HEAD", c.do(http.MethodHead, "/zh/?key="+key), http.StatusOK)
	wantRedirect(t, "HEAD /", c.do(http.MethodHead, "/?key="+key), http.StatusFound, "/zh/")
	wantRedirect(t, "GET afterwards", c.get("/zh/?key="+key), http.StatusSeeOther, "/zh/")
}

func TestLogInAndOut(t *testing.T) {
	c := newConsole(t)
	form := url.Values{"key": {"  " + c.key(t) + "\n"}, "next": {"/en/?a=b"}}
	answer := c.post("/en/login", form)
	wantRedirect(t, "login", answer, http.StatusSeeOther, "/en/?a=b")
	if *c.used != 1 || len(answer.Cookies()) != 1 {
		t.Fatalf("used %d, cookies %v", *c.used, answer.Cookies())
	}
	session := func(r *http.Request) { r.AddCookie(answer.Cookies()[0]) }
	wantStatus(t, "logout by GET", c.get("/en/logout", session), http.StatusMethodNotAllowed)
	wantRedirect(t, "still in", c.get("/en/login", session), http.StatusSeeOther, "/en/")
	wantRedirect(t, "logout", c.post("/en/logout", nil, session), http.StatusSeeOther, "/en/")
	wantStatus(t, "out", c.get("/en/login", session), http.StatusOK)
}

func TestWholeAddressIsAKeyToo(t *testing.T) {
	c := newConsole(t)
	for _, pasted := range []string{"open http://127.0.0.1:8080/?key=%s", "http://127.0.0.1:8080/zh/?key=%s&a=b"} {
		form := url.Values{"key": {strings.ReplaceAll(pasted, "%s", c.key(t))}}
		wantRedirect(t, pasted, c.post("/zh/login", form), http.StatusSeeOther, "/zh/")
	}
}

func TestRefusedKeyIsGivenBack(t *testing.T) {
	c := newConsole(t)
	answer := c.post("/zh/login", url.Values{"key": {`"><b>typo`}, "next": {"/zh/?a=1"}})
	wantStatus(t, "refused", answer, http.StatusForbidden)
	text := body(t, answer)
	for _, want := range []string{`value="&#34;&gt;&lt;b&gt;typo"`, `aria-invalid="true"`, "这把钥匙打不开", `name="next" value="/zh/?a=1"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestTriesAreLimited(t *testing.T) {
	c := newConsole(t)
	good := c.key(t)
	// What any page could make a browser send costs no try: text that is no
	// key, and a key fetched as an image.
	never, _ := account.NewOpeningKey(time.Now())
	for range 3 * keyTries {
		wantStatus(t, "no key", c.get("/zh/?key=nonsense"), http.StatusForbidden)
		wantStatus(t, "image", c.get("/zh/?key="+never, header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Dest", "image")), http.StatusForbidden)
	}
	limited := 0
	for range 3 * keyTries { // a window may end in between, but not two
		if c.get("/zh/?key="+never).StatusCode == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited < keyTries {
		t.Errorf("%d of %d tries were limited", limited, 3*keyTries)
	}
	answer := c.post("/zh/login", url.Values{"key": {never}})
	wantStatus(t, "form", answer, http.StatusTooManyRequests)
	if answer.Header.Get("Retry-After") == "" {
		t.Error("the answer does not say when to try again")
	}
	wantStatus(t, "pages without key", c.get("/zh/"), http.StatusOK)
	// Whoever shares the address and has a key that opens is not kept out.
	wantStatus(t, "a key that opens", c.post("/zh/login", url.Values{"key": {good}}), http.StatusSeeOther)
}

// A class of sixty behind one address comes in with a key each.
func TestAClassComesInFromOneAddress(t *testing.T) {
	c := newConsole(t)
	for i := range 2 * keyTries {
		if status := c.get("/zh/?key=" + c.key(t)).StatusCode; status != http.StatusSeeOther {
			t.Fatalf("visitor %d: status %d", i+1, status)
		}
	}
}

func TestLoginRedirectKeepsNext(t *testing.T) {
	c := newConsole(t)
	wantRedirect(t, "zh", c.get("/login?next=/runs%3Fa%3D1%26b%3D2"), http.StatusSeeOther, "/zh/login?next=%2Fruns%3Fa%3D1%26b%3D2")
	wantRedirect(t, "en", c.get("/login", header("Accept-Language", "en")), http.StatusSeeOther, "/en/login")
	wantRedirect(t, "foreign", c.get("/login?next=//evil.example"), http.StatusSeeOther, "/zh/login")
}

func TestNextLeadsNowhereElse(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	for next, want := range map[string]string{
		"/zh/runs?a=1":         "/zh/runs?a=1",
		"/en/":                 "/en/",
		"":                     "/zh/",
		"zh/":                  "/zh/",
		"//evil.example":       "/zh/",
		"///evil.example":      "/zh/",
		`/\evil.example`:       "/zh/",
		`\\evil.example`:       "/zh/",
		"/\t/evil.example":     "/zh/",
		"/\n/evil.example":     "/zh/",
		"http://evil.example":  "/zh/",
		"javascript:alert(1)":  "/zh/",
		" //evil.example":      "/zh/",
		"/zh/\r\nX-Header: 1":  "/zh/",
		"/%":                   "/zh/",
		"http:/\\evil.example": "/zh/",
	} {
		target := "/zh/login?" + url.Values{"next": {next}}.Encode()
		wantRedirect(t, "next "+next, c.get(target, session), http.StatusSeeOther, want)
	}
}

func TestThemeWithoutScripts(t *testing.T) {
	c := newConsole(t)
	answer := c.post("/theme", url.Values{"theme": {"dark"}, "next": {"/en/"}})
	wantRedirect(t, "switch", answer, http.StatusSeeOther, "/en/")
	cookie := answer.Cookies()[0]
	if cookie.Name != "lockstep_theme" || cookie.Value != "dark" || cookie.SameSite != http.SameSiteLaxMode {
		t.Fatalf("cookie %v", cookie)
	}
	text := body(t, c.get("/en/", func(r *http.Request) { r.AddCookie(cookie) }))
	if !strings.Contains(text, `<html lang="en" data-theme="dark">`) || !strings.Contains(text, `name="theme" value="auto"`) {
		t.Error("the page does not come in the theme, or its switch does not go on")
	}
	text = body(t, c.get("/en/", func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "lockstep_theme", Value: "purple"}) }))
	if !strings.Contains(text, `<html lang="en">`) {
		t.Error("an unknown theme is not the automatic one")
	}
}
