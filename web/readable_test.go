package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile is what no page may repeat as it came.
const hostile = "a\x00b\x1b[31mc\u202ed\u2066e\x7ff\u0085g"

// No page repeats what cannot be printed, wherever an address brings it.
func TestAddressesAreShownAsTheyAre(t *testing.T) {
	c := newConsole(t)
	odd := url.QueryEscape(hostile)
	for _, path := range []string{
		"/en/learn?q=", "/zh/learn/all-reduce/ring?n=", "/en/learn/all-reduce/ring?hide=", "/en/learn/all-reduce/ring?ask=value&guess=", "/en/learn/all-reduce/ring/steps.json?net=",
		"/en/learn/all-reduce/ring/step.svg?size=", "/en/learn/race?a=", "/en/learn/race?t=", "/zh/learn/central-server?params=", "/en/learn/why?net=", "/en/learn/topology?size=", "/en/learn/bandwidth?measured=",
		"/en/learn/libraries?topic=", "/en/learn/all-reduce?n=", "/en/size?model=", "/zh/size?rate=", "/en/login?next=", "/en/about?", "/en/learn/race?" + odd + "=",
	} {
		answer := c.get(path + odd)
		page := body(t, answer)
		if answer.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s is answered %s", path, answer.Status)
		}
		if at := strings.IndexFunc(page, unprintable); at >= 0 || !utf8.ValidString(page) {
			t.Errorf("%s repeats %q", path, page[max(0, at-20):min(len(page), max(at, 0)+20)])
		}
	}
	if page := body(t, c.get("/en/learn?q=%E2%80%AEring")); !strings.Contains(page, "all-reduce/ring") {
		t.Error("a search for ring, turned round, does not find the ring")
	}
	for _, path := range []string{"/en/learn/all-reduce/ri%00ng", "/en/learn/%E2%80%AEgnir/ring", "/static/%1b"} {
		answer := c.get(path)
		page := body(t, answer)
		if answer.StatusCode != http.StatusNotFound || strings.ContainsFunc(page, unprintable) {
			t.Errorf("%s is answered %s", path, answer.Status)
		}
	}
}

// A form with such a character is refused with its field, and saves nothing.
func TestFormsSayWhatCannotBePrinted(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	answer := c.post("/en/login", url.Values{"name": {"ann\u202e"}, "password": {"x"}})
	wantStatus(t, "a name that turns round", answer, http.StatusBadRequest)
	page := body(t, answer)
	for _, want := range []string{"name", "U+202E", "Accepted"} {
		if !strings.Contains(page, want) {
			t.Errorf("the answer lacks %s", want)
		}
	}
	log := c.post("/en/diagnose", url.Values{"log": {"\x1b[32m# nThread 1\x1b[0m\n"}}, session)
	if page := body(t, log); log.StatusCode == http.StatusBadRequest || strings.ContainsFunc(page, unprintable) || !strings.Contains(page, "# nThread 1") {
		t.Errorf("a coloured log is answered %s", log.Status)
	}
}
