package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestRaceAndStoryAnswer(t *testing.T) {
	c := newConsole(t)
	for target, want := range map[string]string{
		"/zh/learn/race":                                        "环形 2.16 s 做完时",
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

// A lesson's page stays small: what moves is a table of few numbers.
func TestRaceIsSmall(t *testing.T) {
	c := newConsole(t)
	for target, most := range map[string]int{"/zh/learn/race": 100_000, "/zh/learn/race?n=64": 400_000} {
		if size := len(body(t, c.get(target))); size > most {
			t.Errorf("%s has %d bytes, want at most %d", target, size, most)
		}
	}
}
