package web

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestWhyAndTopologyAnswer(t *testing.T) {
	c := newConsole(t)
	for target, want := range map[string]string{
		"/zh/learn/why": "一步的 22%",
		"/en/learn/why?k=3&params=0.3&bytes=4&workers=10&net=article": "a ring takes 2.16\u00a0s",
		"/en/learn/why?k=%3Cb%3E&params=%22&net=%3Cscript%3E":         "&lt;script&gt;",
		"/zh/learn/topology":                                       "分层最快",
		"/en/learn/topology?nodes=16&G=4&nics=8&over=4":            "16 nodes of 4 cards",
		"/en/learn/topology?nodes=%3Cscript%3E&inside=%22&size=-1": "&lt;script&gt;",
	} {
		answer := c.get(target)
		wantStatus(t, target, answer, http.StatusOK)
		if text := body(t, answer); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", target, want)
		}
	}
}

// Every way on leads to a page that is there, and the pages stay light.
func TestWhyAndTopologyLeadOn(t *testing.T) {
	c := newConsole(t)
	href := regexp.MustCompile(`href="(/en/[^"]*)"`)
	asked := map[string]bool{}
	for _, target := range []string{"/en/learn/why?k=2", "/en/learn/topology?nodes=2&G=2"} {
		text := body(t, c.get(target))
		if size := gzipped(t, text); size > 30_000 {
			t.Errorf("%s takes %d bytes", target, size)
		}
		main := text[strings.Index(text, "<main"):strings.Index(text, "</main>")]
		found := href.FindAllStringSubmatch(main, -1)
		if len(found) < 6 {
			t.Errorf("%s leads to %d pages", target, len(found))
		}
		for _, link := range found {
			path := html.UnescapeString(link[1])
			if asked[path] {
				continue
			}
			asked[path] = true
			wantStatus(t, path, c.get(path), http.StatusOK)
		}
	}
}
