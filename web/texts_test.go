package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	linkTo  = regexp.MustCompile(`href="([^"]+)"`)
	idOf    = regexp.MustCompile(`\bid="([^"]+)"`)
	shownID = regexp.MustCompile(`>\s*(?:libraries|bandwidth|confusion|customer)\.[a-z.-]+\s*<`)
)

// Every link of the pages of words leads somewhere, and what stands behind its
// number sign is there.
func TestPagesOfWordsLeadSomewhere(t *testing.T) {
	c := newConsole(t)
	pages := map[string]string{} // by address without fragment
	followed := map[string]bool{}
	page := func(address string) string {
		if _, asked := pages[address]; !asked {
			answer := c.get(address)
			wantStatus(t, address, answer, http.StatusOK)
			pages[address] = body(t, answer)
		}
		return pages[address]
	}
	for _, lang := range []string{"zh", "en"} {
		for target, want := range map[string]string{
			"/learn/libraries":                      "MPI-5",
			"/learn/libraries?topic=nccl&at=nccl-1": `aria-current="true"`,
			"/learn/libraries?at=%3Cscript%3E":      "&lt;script&gt;",
			"/learn/bandwidth":                      `id="busbw-exceeds-wire"`,
			"/learn/bandwidth?n=%3Cb%3E&size=-1":    "&lt;b&gt;",
			"/learn/customer":                       "10.8",
		} {
			target = "/" + lang + target
			text := page(target)
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", target, want)
			}
			if found := shownID.FindString(text); found != "" || strings.Contains(text, "style=") {
				t.Errorf("%s shows the name of a message %q, or an inline style", target, found)
			}
			if size := gzipped(t, text); size > 30_000 {
				t.Errorf("%s takes %d bytes", target, size)
			}
			for _, link := range linkTo.FindAllStringSubmatch(text, -1) {
				// The other language has the same links: one is enough to follow.
				if to := html.UnescapeString(link[1]); lang == "zh" {
					followed[to] = true
					checkLink(t, target, to, page)
				} else if other := "/zh" + strings.TrimPrefix(to, "/en"); strings.HasPrefix(to, "/en/learn") && !followed[other] {
					t.Errorf("%s leads to %s, which the Chinese page does not", target, to)
				}
			}
		}
	}
}

// checkLink follows a link of ours; others must be secure.
func checkLink(t *testing.T, from, link string, page func(string) string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Errorf("%s: %q is no link: %v", from, link, err)
		return
	}
	switch {
	case u.Host != "":
		if u.Scheme != "https" {
			t.Errorf("%s leads to %s", from, link)
		}
		return
	case u.Path == "":
		u.Path, _, _ = strings.Cut(from, "?")
		if _, query, has := strings.Cut(from, "?"); has {
			u.RawQuery = query
		}
	case strings.HasPrefix(u.Path, "/static/"), !strings.Contains(u.Path, "/learn") && !strings.Contains(u.Path, "/size"):
		return // what surrounds the page; others look at it
	}
	// Of the events of the time line one page has the anchors of all.
	if u.RawQuery != "" && strings.HasSuffix(u.Path, "/libraries") {
		u.RawQuery = ""
	}
	fragment := u.Fragment
	u.Fragment = ""
	text := page(u.String())
	if fragment == "" {
		return
	}
	for _, id := range idOf.FindAllStringSubmatch(text, -1) {
		if html.UnescapeString(id[1]) == fragment {
			return
		}
	}
	t.Errorf("%s: %s has no #%s", from, u.String(), fragment)
}
