package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

func TestRaceAndStoryAnswer(t *testing.T) {
	c := newConsole(t)
	for target, want := range map[string]string{
		"/zh/learn/race":                                        "环形 2.16\u00a0s 做完时",
		"/en/learn/race?t=14.5":                                 "the result goes back one at a time",
		"/en/learn/race?n=64&size=1kB&net=ib-400g":              "Central collector",
		"/zh/learn/race?present=1":                              "data-present",
		"/en/learn/race?n=%00&size=%3Cscript%3E&t=x&net=%22":    "&lt;script&gt;",
		"/zh/learn/central-server":                              "10.8",
		"/en/learn/central-server?workers=25&rate=12.5GB/s":     "With 25 workers",
		"/en/learn/central-server?workers=%3Cb%3E&compute=-1":   "&lt;b&gt;",
		"/zh/learn/central-server?params=700&bytes=2&back=1":    "收齐梯度再发回",
		"/zh/learn/race?collective=all-reduce&a=ring&b=central": "对中心服务器",
	} {
		answer := c.get(target)
		wantStatus(t, target, answer, http.StatusOK)
		if text := body(t, answer); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", target, want)
		}
	}
}

// Pairs of every collective race in both languages, at few ranks and at many.
func TestEveryCollectiveRaces(t *testing.T) {
	c, turn := newConsole(t), 0
	for _, collective := range schedule.Collectives() {
		var pairs []string
		for _, e := range schedule.Catalog() {
			if e.Collective == collective {
				pairs = append(pairs, e.Algorithm)
			}
		}
		for i := range pairs[1:] {
			lang, n := []string{"zh", "en"}[turn%2], []string{"1", "2", "5", "8", "16", "64"}[turn%6]
			turn++
			target := fmt.Sprintf("/%s/learn/race?collective=%s&a=%s&b=%s&n=%s&chunks=2", lang, collective, pairs[i], pairs[i+1], n)
			answer := c.get(target)
			wantStatus(t, target, answer, http.StatusOK)
			if text := body(t, answer); !strings.Contains(text, `data-part="lead"`) || strings.Contains(text, "race.lead") {
				t.Errorf("%s does not say who is ahead", target)
			}
		}
	}
}

// Without scripts the line in the chart is moved by a form.
func TestRaceFormsLeadToShortAddresses(t *testing.T) {
	c := newConsole(t)
	for target, want := range map[string]string{
		"/zh/learn/race?collective=all-reduce&a=central&b=ring&n=10&net=tcp-8g&tenth=46": "/zh/learn/race?a=central&b=ring&collective=all-reduce&n=10&net=tcp-8g&size=40kB",
		"/en/learn/race?was=all-reduce&collective=scatter&a=central&b=ring&n=4":          "/en/learn/race?a=direct&b=binomial-tree&collective=scatter&n=4&net=tcp-8g&size=1.2GB",
	} {
		answer := c.get(target)
		wantStatus(t, target, answer, http.StatusSeeOther)
		if got := answer.Header.Get("Location"); got != want {
			t.Errorf("%s leads to %s, want %s", target, got, want)
		}
	}
	text := body(t, c.get("/zh/learn/race"))
	for _, want := range []string{`name="tenth"`, `name="was"`, `min="30"`, `max="110"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// Each collective has a page; nothing else under its place does.
func TestCollectivesHavePages(t *testing.T) {
	c := newConsole(t)
	for _, collective := range schedule.Collectives() {
		target := "/zh/learn/" + string(collective)
		answer := c.get(target)
		wantStatus(t, target, answer, http.StatusOK)
		if size := zipped(body(t, answer)); size > 30_000 {
			t.Errorf("%s has %d bytes, compressed", target, size)
		}
	}
	wantStatus(t, "juggle", c.get("/zh/learn/juggle"), http.StatusNotFound)
}

func zipped(text string) int {
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	_, _ = w.Write([]byte(text)) // a buffer takes everything
	_ = w.Close()
	return buffer.Len()
}

// A lesson's page stays small: what moves is a table of few numbers.
func TestRaceIsSmall(t *testing.T) {
	c := newConsole(t)
	for target, most := range map[string]int{"/zh/learn/race": 160_000, "/zh/learn/race?n=64": 460_000} {
		if size := len(body(t, c.get(target))); size > most {
			t.Errorf("%s has %d bytes, want at most %d", target, size, most)
		}
	}
}
