package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/static"
)

func TestForeignHostIsRefusedEverywhere(t *testing.T) {
	c := newConsole(t)
	files, err := static.New()
	if err != nil {
		t.Fatal(err)
	}
	session := c.enter(t)
	for _, foreign := range []string{
		"", "evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:8081", "127.0.0.1.evil.example:8080",
		"localhost.:8080", "0.0.0.0:8080", "127.0.0.2:8080", "[::2]:8080",
	} {
		for _, path := range []string{"/", "/zh/", "/en/login", "/healthz", "/readyz", "/nowhere", "/api/v1/runs", files.URL("css/page.css")} {
			answer := c.get(path, session, func(r *http.Request) { r.Host = foreign })
			wantStatus(t, foreign+path, answer, http.StatusMisdirectedRequest)
			if text := body(t, answer); strings.Contains(text, "node-a") || strings.Contains(text, "退出") {
				t.Errorf("%s%s: the refusal tells about the console or its visitor", foreign, path)
			}
		}
	}
	for _, own := range []string{"127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"} {
		wantStatus(t, own, c.get("/healthz", func(r *http.Request) { r.Host = own }), http.StatusOK)
	}
}

func TestPortOfTheSchemeMayBeLeftOut(t *testing.T) {
	hosts := strings.Join(LoopbackHosts("127.0.0.1", 80), " ")
	for _, want := range []string{"127.0.0.1", "localhost", "[::1]", "localhost:80"} {
		if !strings.Contains(" "+hosts+" ", " "+want+" ") {
			t.Errorf("%s is missing in %s", want, hosts)
		}
	}
}

func TestChangesFromElsewhereAreRefused(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	for name, from := range map[string]func(*http.Request){
		"cross-site":        header("Sec-Fetch-Site", "cross-site"),
		"same-site":         header("Sec-Fetch-Site", "same-site"),
		"foreign origin":    header("Origin", "http://evil.example"),
		"other port":        header("Origin", "http://127.0.0.1:9090"),
		"origin null":       header("Origin", "null"),
		"unheard-of header": header("Sec-Fetch-Site", "whatever"),
	} {
		for _, path := range []string{"/zh/login", "/zh/logout", "/theme", "/nowhere", "/api/v1/runs"} {
			wantStatus(t, name+" "+path, c.post(path, url.Values{"theme": {"dark"}}, session, from), http.StatusForbidden)
		}
	}
	for name, from := range map[string]func(*http.Request){
		"same origin":      header("Sec-Fetch-Site", "same-origin"),
		"own origin":       header("Origin", "http://"+host),
		"no browser":       func(*http.Request) {},
		"typed by a human": header("Sec-Fetch-Site", "none"),
	} {
		wantRedirect(t, name, c.post("/theme", url.Values{"theme": {"dark"}}, from), http.StatusSeeOther, "/zh/")
	}
	wantStatus(t, "cross-site link", c.get("/zh/", session, header("Sec-Fetch-Site", "cross-site")), http.StatusOK)
}

func TestEveryAnswerCarriesTheSecurityHeaders(t *testing.T) {
	c := newConsole(t, func(config *Config) { config.Ready = nil }) // so that /readyz panics
	for name, answer := range map[string]*http.Response{
		"page":      c.get("/zh/"),
		"redirect":  c.get("/"),
		"not found": c.get("/zh/nowhere"),
		"problem":   c.get("/api/v1/nowhere"),
		"health":    c.get("/healthz"),
		"foreign":   c.get("/", func(r *http.Request) { r.Host = "evil.example" }),
		"forbidden": c.post("/zh/logout", nil, header("Sec-Fetch-Site", "cross-site")),
		"refused":   c.get("/zh/?key=nonsense"),
		"panic":     c.get("/readyz"),
		"method":    c.do(http.MethodPut, "/zh/"),
	} {
		for header, value := range securityHeaders {
			if got := answer.Header.Get(header); got != value {
				t.Errorf("%s: %s is %q, want %q", name, header, got, value)
			}
		}
	}
	policy := securityHeaders["Content-Security-Policy"]
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Errorf("policy is %q", policy)
	}
}

// A page that needs what its own policy forbids would be broken in silence.
func TestPagesObeyTheirPolicy(t *testing.T) {
	c := newConsole(t, func(config *Config) { config.Article = articleFigures })
	session := c.enter(t)
	for _, path := range []string{"/zh/", "/en/", "/zh/login", "/en/nowhere"} {
		for _, visitor := range []func(*http.Request){session, func(*http.Request) {}} {
			text := body(t, c.get(path, visitor))
			for _, forbidden := range []string{" style=", "<style", "<script>", " onclick=", " onload=", "javascript:", "http://", "https://"} {
				if strings.Contains(text, forbidden) {
					t.Errorf("%s contains %q", path, forbidden)
				}
			}
		}
	}
}

func TestPanicIsAnErrorPage(t *testing.T) {
	c := newConsole(t, func(config *Config) {
		config.Article = nil
		config.Ready = func(context.Context) error { panic("secret detail") }
	})
	answer := c.get("/readyz", header("Accept-Language", "en"))
	wantStatus(t, "panic", answer, http.StatusInternalServerError)
	text := body(t, answer)
	if strings.Contains(text, "secret detail") || !strings.Contains(text, "The console has failed") {
		t.Errorf("page says %q", text)
	}
	if !strings.Contains(c.log.String(), "secret detail") {
		t.Error("the log does not tell the cause")
	}
}

func TestAbortedAnswerStaysAborted(t *testing.T) {
	c := newConsole(t, func(config *Config) { config.Ready = func(context.Context) error { panic(http.ErrAbortHandler) } })
	defer func() {
		if cause := recover(); cause != http.ErrAbortHandler {
			t.Errorf("recovered %v, want http.ErrAbortHandler", cause)
		}
	}()
	c.get("/readyz")
}

func TestLargeBodyIsRefused(t *testing.T) {
	c := newConsole(t)
	answer := c.post("/zh/login", url.Values{"key": {strings.Repeat("x", maxBody)}})
	wantStatus(t, "large form", answer, http.StatusRequestEntityTooLarge)
}

func TestUnreadableFormIsRefused(t *testing.T) {
	c := newConsole(t)
	wantStatus(t, "broken form", c.post("/theme", nil, func(r *http.Request) { r.URL.RawQuery = "%zz" }), http.StatusBadRequest)
	wantStatus(t, "unknown theme", c.post("/theme", url.Values{"theme": {"purple"}}), http.StatusBadRequest)
}

func TestLogHoldsNoSecrets(t *testing.T) {
	c := newConsole(t, func(config *Config) { config.Ready = func(context.Context) error { return errors.New("disk is full") } })
	used, refused := c.key(t), strings.Repeat("A", 22)
	c.get("/?key=" + used)
	c.get("/zh/?key=" + refused + "&step=5")
	c.get("/nowhere?key=" + refused)
	c.post("/zh/login", url.Values{"key": {refused}})
	c.get("/login?next=/zh/%3Fkey%3D" + refused)
	wantStatus(t, "not ready", c.get("/readyz"), http.StatusServiceUnavailable)
	log := c.log.String()
	for _, secret := range []string{used, refused} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds a key:\n%s", log)
		}
	}
	for _, want := range []string{"method=GET", "target=/?key", "target=/zh/?key&step", "status=403", "status=303", "took=", "disk is full"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s:\n%s", want, log)
		}
	}
}
