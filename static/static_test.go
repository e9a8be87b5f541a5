package static

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestURLChangesWithTheContent(t *testing.T) {
	url := func(files map[string]string) string {
		from := fstest.MapFS{}
		for name, content := range files {
			from[name] = &fstest.MapFile{Data: []byte(content)}
		}
		f, err := newFiles(from)
		if err != nil {
			t.Fatal(err)
		}
		return f.URL("css/a.css")
	}
	first := url(map[string]string{"css/a.css": "x", "js/b.js": "y"})
	if !regexp.MustCompile(`^/static/[0-9a-f]{16}/css/a\.css$`).MatchString(first) {
		t.Errorf("URL is %s", first)
	}
	for name, files := range map[string]map[string]string{
		"other content":   {"css/a.css": "z", "js/b.js": "y"},
		"other neighbour": {"css/a.css": "x", "js/b.js": "z"},
		"other name":      {"css/a.css": "x", "js/c.js": "y"},
		"shifted":         {"css/a.css": "xy", "js/b.js": ""},
	} {
		if url(files) == first {
			t.Errorf("%s has the same URL", name)
		}
	}
	if again := url(map[string]string{"css/a.css": "x", "js/b.js": "y"}); again != first {
		t.Errorf("the same files have the URLs %s and %s", first, again)
	}
}

func TestEveryFileHasAType(t *testing.T) {
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if len(f.byName) < 5 {
		t.Fatalf("%d files are embedded", len(f.byName))
	}
	for name := range f.byName {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, httptest.NewRequest(http.MethodGet, f.URL(name), nil))
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") == "" || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, type %q, %d bytes", name, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
		}
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodGet, f.URL("css/none.css"), nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("a file that is not there: status %d", w.Code)
	}
}

// Own JavaScript stays small: the budget is 35 kB, each file packed by itself.
func TestScriptsStaySmall(t *testing.T) {
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for name, file := range f.byName {
		if !strings.HasPrefix(name, "js/") {
			continue
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(file.content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		total += packed.Len()
	}
	if total == 0 || total > 35_000 {
		t.Errorf("scripts have %d bytes, packed", total)
	}
}

func TestNothingIsLoadedFromElsewhere(t *testing.T) {
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	// A fragment alone is a pattern of the page itself.
	elsewhere := regexp.MustCompile(`https?://|url\("?[^"#]|@import|@font-face`)
	for name, file := range f.byName {
		text := strings.ReplaceAll(string(file.content), "http://www.w3.org/2000/svg", "")
		if found := elsewhere.FindString(text); found != "" {
			t.Errorf("%s contains %s", name, found)
		}
	}
}
