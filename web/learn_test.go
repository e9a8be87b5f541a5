package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// gzipped is the length of text once packed.
func gzipped(t *testing.T, text string) int {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Len()
}

func TestLessonsStayLight(t *testing.T) {
	c := newConsole(t)
	for path, most := range map[string]int{
		"/zh/learn/all-reduce/ring?step=5":               30_000,
		"/en/learn/all-reduce/central?step=1":            30_000,
		"/zh/learn/all-reduce/ring?n=16&step=5":          60_000,
		"/zh/learn/all-reduce/ring?n=64&step=70":         60_000,
		"/zh/learn/all-reduce/hierarchical?n=64&step=9":  60_000, // the most to choose from
		"/en/learn/all-reduce/ring/steps.json":           30_000,
		"/en/learn/all-reduce/ring/steps.json?n=64":      60_000,
		"/en/learn/all-reduce/ring/step.svg?n=8&step=14": 30_000,
	} {
		answer := c.get(path, accepting("gzip"))
		wantStatus(t, path, answer, http.StatusOK)
		if _, size := unpacked(t, answer); size > most || size < 1000 {
			t.Errorf("%s takes %d bytes, at most %d are allowed", path, size, most)
		}
	}
}

func TestEveryStepOfEveryLessonHasAPage(t *testing.T) {
	c := newConsole(t)
	for _, entry := range schedule.Catalog() {
		s, err := schedule.Build(schedule.Request{Collective: entry.Collective, Algorithm: entry.Algorithm, Ranks: 5})
		if err != nil {
			t.Fatal(err)
		}
		for step := range s.Rounds() + 1 {
			path := fmt.Sprintf("/zh/learn/%s/%s?n=5&step=%d", entry.Collective, entry.Algorithm, step)
			answer := c.get(path)
			wantStatus(t, path, answer, http.StatusOK)
			page := body(t, answer)
			for _, want := range []string{`data-schedule-hash="` + s.Hash() + `"`, fmt.Sprintf(`data-step="%d"`, step), "<desc", `aria-live="polite"`} {
				if !strings.Contains(page, want) {
					t.Errorf("%s lacks %s", path, want)
				}
			}
		}
	}
}

func TestUnknownLessonNamesWhatExists(t *testing.T) {
	c := newConsole(t)
	for _, path := range []string{"/zh/learn/all-reduce/spiral", "/zh/learn/no/ring", "/zh/learn/no/ring/steps.json"} {
		answer := c.get(path)
		wantStatus(t, path, answer, http.StatusNotFound)
		page := body(t, answer)
		for _, entry := range schedule.Catalog() {
			if link := fmt.Sprintf(`href="/zh/learn/%s/%s"`, entry.Collective, entry.Algorithm); !strings.Contains(page, link) {
				t.Errorf("%s lacks %s", path, link)
			}
		}
	}
}

func TestLearnListsTheLessons(t *testing.T) {
	c := newConsole(t)
	answer := c.get("/en/learn")
	wantStatus(t, "the index", answer, http.StatusOK)
	page := body(t, answer)
	for _, entry := range schedule.Catalog() {
		if !strings.Contains(page, fmt.Sprintf(`href="/en/learn/%s/%s"`, entry.Collective, entry.Algorithm)) {
			t.Errorf("the index lacks %s/%s", entry.Collective, entry.Algorithm)
		}
	}
}

func TestLessonForms(t *testing.T) {
	c := newConsole(t)
	wantRedirect(t, "another algorithm", c.get("/en/learn/all-reduce/ring?pair=all-reduce%2Fcentral&n=4&size=4MB&net=roce-200g&chunks=1&at=1.2.3"),
		http.StatusSeeOther, "/en/learn/all-reduce/central?n=4&step=2")
}

// Only a page that asks for it may be framed, and such a page knows no
// session.
func TestEmbeddedLessonsMayBeFramed(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	for path, framed := range map[string]bool{
		"/en/learn/all-reduce/ring": false, "/en/learn/all-reduce/ring?embed=1": true, "/en/?embed=1": false,
	} {
		answer := c.get(path, session)
		policy, page := answer.Header.Get("Content-Security-Policy"), body(t, answer)
		if strings.Contains(policy, "frame-ancestors 'none'") == framed {
			t.Errorf("%s has the policy %s", path, policy)
		}
		if framed && (strings.Contains(page, "/logout") || strings.Contains(page, "appbar") || !strings.Contains(policy, "script-src 'self'")) {
			t.Errorf("%s shows more than the lesson", path)
		}
		if !framed && !strings.Contains(page, "/logout") {
			t.Errorf("%s has lost the session", path)
		}
	}
}

func TestPictureOfAStep(t *testing.T) {
	c := newConsole(t)
	answer := c.get("/zh/learn/all-reduce/ring/step.svg?n=4&step=3")
	wantStatus(t, "a picture", answer, http.StatusOK)
	if got := answer.Header.Get("Content-Type"); got != "image/svg+xml" {
		t.Errorf("a picture is %s", got)
	}
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'sha256-") || strings.Contains(policy, "script") {
		t.Errorf("a picture has the policy %s", policy)
	}
	svg := body(t, answer)
	for _, want := range []string{"<style>", "http://" + host + "/zh/learn/all-reduce/ring?n=4&amp;step=3", "<title", "<desc", "#0a5a96"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	if strings.Contains(svg, "var(--") {
		t.Error("the picture needs the page's tokens")
	}
	for parser := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := parser.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the picture is not well formed: %v", err)
		}
	}
}

func TestTableOfSteps(t *testing.T) {
	c := newConsole(t)
	answer := c.get("/en/learn/all-reduce/ring/steps.json?n=4&step=2")
	wantStatus(t, "the table", answer, http.StatusOK)
	var table struct {
		Hash  string
		Steps []struct{ Texts map[string]string }
	}
	if err := json.Unmarshal([]byte(body(t, answer)), &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Steps) != 7 || table.Hash == "" || table.Steps[3].Texts["count"] != "Step 3 / 6" {
		t.Errorf("the table has %d steps: %+v", len(table.Steps), table.Hash)
	}
}

// The lesson offers to run for real where that page exists, and names the race
// where that exists.
func TestLessonsLinkOnlyWhatIsThere(t *testing.T) {
	c := newConsole(t)
	page := body(t, c.get("/en/learn/all-reduce/ring?n=4"))
	runs := c.get("/en/runs/new").StatusCode != http.StatusNotFound
	if strings.Contains(page, `href="/en/runs/new?`) != runs {
		t.Errorf("the page of runs exists: %v, but the lesson says otherwise", runs)
	}
	index := body(t, c.get("/en/learn"))
	for _, story := range []string{"race", "central-server"} {
		exists := c.get("/en/learn/"+story).StatusCode != http.StatusNotFound
		if strings.Contains(index, `href="/en/learn/`+story+`"`) != exists {
			t.Errorf("the page %s exists: %v, but the index says otherwise", story, exists)
		}
	}
}
