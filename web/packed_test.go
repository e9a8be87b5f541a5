package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// accepting asks for an encoding.
func accepting(encoding string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Accept-Encoding", encoding) }
}

// unpacked reads a gzipped answer, and says how long it was on the wire.
func unpacked(t *testing.T, answer *http.Response) (text string, length int) {
	t.Helper()
	sent, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(strings.NewReader(string(sent)))
	if err != nil {
		t.Fatalf("%d bytes are not gzipped: %v", len(sent), err)
	}
	whole, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(whole), len(sent)
}

func TestWhatIsOpenIsPacked(t *testing.T) {
	c := newConsole(t)
	home := body(t, c.get("/en/"))
	style := regexp.MustCompile(`/static/[0-9a-f]+/css/page\.css`).FindString(home)
	script := strings.Replace(style, "css/page.css", "js/player.js", 1)
	for _, path := range []string{style, script, "/en/", "/zh/about", "/en/learn", "/zh/learn/all-reduce/ring?n=4", "/en/learn/all-reduce/ring/steps.json?n=4", "/en/learn/all-reduce/ring/step.svg", "/en/learn/race", "/en/size"} {
		plain := c.get(path)
		wantStatus(t, path, plain, http.StatusOK)
		if plain.Header.Get("Content-Encoding") != "" || !strings.Contains(strings.Join(plain.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s, plain, has the header %v", path, plain.Header)
		}
		whole := body(t, plain)
		answer := c.get(path, accepting("br, gzip;q=0.8"))
		wantStatus(t, path, answer, http.StatusOK)
		if answer.Header.Get("Content-Encoding") != "gzip" || answer.Header.Get("Content-Length") != "" || answer.Header.Get("Content-Type") != plain.Header.Get("Content-Type") {
			t.Errorf("%s, packed, has the header %v", path, answer.Header)
			continue
		}
		text, sent := unpacked(t, answer)
		if text != whole || 2*sent > len(whole) {
			t.Errorf("%s is sent in %d of %d bytes, the same: %v", path, sent, len(whole), text == whole)
		}
		head := c.do(http.MethodHead, path, accepting("gzip"))
		if wantStatus(t, "HEAD "+path, head, http.StatusOK); head.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("HEAD %s has the header %v", path, head.Header)
		}
	}
}

// What is packed already, what nobody wants packed, and what holds a secret
// beside what an address can bring in comes as it is.
func TestWhatIsNotPacked(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	for name, answer := range map[string]*http.Response{
		"pixels":            c.get("/en/learn/all-reduce/ring/step.png?n=2", accepting("gzip")),
		"a film":            c.get("/en/learn/all-reduce/ring/lesson.gif?n=2", accepting("gzip")),
		"refused gzip":      c.get("/en/learn", accepting("gzip;q=0, *")),
		"refused all":       c.get("/en/learn", accepting("*;q=0")),
		"another coding":    c.get("/en/learn", accepting("deflate, br")),
		"the home of one":   c.get("/en/", session, accepting("gzip")),
		"the sizing of one": c.get("/en/size?model=gzip", session, accepting("gzip")),
		"reports":           c.get("/en/reports", session, accepting("gzip")),
		"people":            c.get("/en/people", session, accepting("gzip")),
		"the API":           c.get("/api/v1/schedules", accepting("gzip")),
		"the login":         c.get("/en/login?next=/en/people", accepting("gzip")),
		"nothing":           c.get("/en/nothing", accepting("gzip")),
	} {
		if got := answer.Header.Get("Content-Encoding"); got != "" || answer.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s comes as %q, %s", name, got, answer.Status)
		}
	}
	if answer := c.get("/en/learn", session, accepting("gzip")); answer.Header.Get("Content-Encoding") != "gzip" {
		t.Error("lessons are not packed for a session")
	}
}

// All scripts of our own, as they are sent, keep within their budget.
func TestScriptsStayLightOnTheWire(t *testing.T) {
	c := newConsole(t)
	page := regexp.MustCompile(`/static/[0-9a-f]+/js/page\.js`).FindString(body(t, c.get("/en/")))
	files, err := os.ReadDir(filepath.Join("..", "static", "js"))
	if err != nil {
		t.Fatal(err)
	}
	all, scripts := 0, 0
	for _, file := range files {
		if filepath.Ext(file.Name()) != ".js" {
			continue
		}
		path := strings.Replace(page, "page.js", file.Name(), 1)
		answer := c.get(path, accepting("gzip"))
		wantStatus(t, path, answer, http.StatusOK)
		_, sent := unpacked(t, answer)
		all, scripts = all+sent, scripts+1
	}
	if scripts < 10 || all > 35_000 {
		t.Errorf("%d scripts are sent in %d bytes, at most 35,000 are allowed", scripts, all)
	}
}

// Over a connection of their own, browsers get what they ask for.
func TestPackedOverTheWire(t *testing.T) {
	c := newConsole(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = host
		c.handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	answer, err := server.Client().Get(server.URL + "/en/learn/all-reduce/ring?n=4") // which packs and unpacks by itself
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	page, err := io.ReadAll(answer.Body)
	if err != nil || !answer.Uncompressed || !strings.HasSuffix(strings.TrimSpace(string(page)), "</html>") {
		t.Errorf("the page came packed: %v, of %d bytes: %v", answer.Uncompressed, len(page), err)
	}
	server.Client().CloseIdleConnections()
}

func TestAcceptEncodingIsRead(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br, gzip": true, "gzip;q=0": false, "gzip; q=0.001": true, "*": true, "*;q=0": false,
		"gzip;q=0, *": false, "*;q=0, gzip": true, "identity": false, "x-gzipped": false, "gzip;q=many": false,
	} {
		if got := acceptsGzip([]string{header}); got != want {
			t.Errorf("%q accepts gzip: %v", header, got)
		}
	}
}
