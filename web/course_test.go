package web

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var (
	deepLinks = regexp.MustCompile(`class="(?:deep|quiet-link noprint)" href="([^"]+)"`)
	seeLinks  = regexp.MustCompile(`class="see" href="([^"]+)"`)
	corrected = regexp.MustCompile(`class="(?:callout lesson-note|callout small|changed)"[^>]*>([^<]*)`)
	bareID    = regexp.MustCompile(`>\s*(?:path|paths|lab|labs|learn|search|words|deep|course)\.[a-z.-]+\s*<`)
)

// coursePages are the paths, the labs and the words.
func coursePages(t *testing.T, c console, lang string) []string {
	t.Helper()
	pages := []string{"/" + lang + "/learn/words", "/" + lang + "/learn/labs"}
	index := body(t, c.get("/"+lang+"/learn"))
	for _, found := range regexp.MustCompile(`href="(/`+lang+`/learn/paths/[^"]+)"`).FindAllStringSubmatch(index, -1) {
		pages = append(pages, found[1])
	}
	for _, found := range regexp.MustCompile(`href="(/`+lang+`/learn/labs/[^"]+)"`).FindAllStringSubmatch(body(t, c.get("/"+lang+"/learn/labs")), -1) {
		pages = append(pages, found[1])
	}
	if len(pages) != 2+3+8 {
		t.Fatalf("%s has the pages %q", lang, pages)
	}
	return pages
}

// Every link of every path, lab and word leads to a page in exactly the state
// that it names: none of them is brought to the nearest one that exists.
func TestDeepLinksLeadWhereTheySay(t *testing.T) {
	c, _, _, _ := withRuns(t)
	session := c.enter(t)
	for _, lang := range []string{"zh", "en"} {
		followed := map[string]bool{}
		for _, page := range coursePages(t, c, lang) {
			answer := c.get(page)
			wantStatus(t, page, answer, http.StatusOK)
			text := body(t, answer)
			if id := bareID.FindString(text); id != "" {
				t.Errorf("%s shows the name of a message: %s", page, id)
			}
			links := append(deepLinks.FindAllStringSubmatch(text, -1), seeLinks.FindAllStringSubmatch(text, -1)...)
			if len(links) == 0 && !strings.HasSuffix(page, "/labs") {
				t.Errorf("%s leads nowhere", page)
			}
			for _, link := range links {
				followed[html.UnescapeString(link[1])] = true
			}
		}
		if len(followed) < 40 {
			t.Errorf("%s has only %d different links", lang, len(followed))
		}
		if lang == "en" { // they are the same in both
			break
		}
		for link := range followed {
			answer := c.get(link, session)
			wantStatus(t, link, answer, http.StatusOK)
			if note := corrected.FindStringSubmatch(body(t, answer)); note != nil && strings.Contains(link, "?") {
				t.Errorf("%s is answered with a note: %s", link, note[1])
			}
		}
	}
}

func TestAnswersOfLabsAreAskedFor(t *testing.T) {
	c := newConsole(t)
	for _, lang := range []string{"zh", "en"} {
		for _, page := range coursePages(t, c, lang)[5:] {
			closed, open := body(t, c.get(page)), body(t, c.get(page+"?answer=1"))
			if strings.Contains(closed, "<details class=\"answer\" open") || !strings.Contains(open, "<details class=\"answer\" open") {
				t.Errorf("%s does not open its answer when asked", page)
			}
			if !strings.Contains(closed, `href="`+page+`?answer=1"`) || !strings.Contains(open, `href="`+page+`"`) {
				t.Errorf("%s does not lead to its answer and back", page)
			}
			if strings.Contains(closed, "/runs/new") {
				t.Errorf("%s leads to runs, of which there are none", page)
			}
		}
	}
}

func TestCourseNamesWhatExists(t *testing.T) {
	c := newConsole(t)
	for _, path := range []string{"/zh/learn/paths/nowhere", "/en/learn/labs/nowhere"} {
		answer := c.get(path)
		wantStatus(t, path, answer, http.StatusNotFound)
		if page := body(t, answer); !strings.Contains(page, "nowhere") || !strings.Contains(page, "/learn/paths/customer") {
			t.Errorf("%s does not say what there is", path)
		}
	}
}

func TestSearchIsAPage(t *testing.T) {
	c := newConsole(t)
	for path, wants := range map[string][]string{
		"/zh/learn?q=%E5%BD%92%E7%BA%A6":                {"别名“归约”", "/zh/learn/all-reduce", `value="归约"`},
		"/en/learn?q=busbw":                             {"bus bandwidth", `/en/learn/words#w-bus-bandwidth`, "also &#34;busbw&#34;"},
		"/en/learn?q=Ring+AllReduce":                    {`href="/en/learn/all-reduce/ring"`},
		"/en/learn?q=qqqq":                              {"Nothing found", "/en/learn/words"},
		"/zh/learn?q=%3Cscript%3Ealert(1)%3C/script%3E": {"没有找到", "&lt;script&gt;"},
	} {
		answer := c.get(path)
		wantStatus(t, path, answer, http.StatusOK)
		text := body(t, answer)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s", path, want)
			}
		}
		if strings.Contains(text, "learn-collective") {
			t.Errorf("%s shows the index too", path)
		}
	}
	if text := body(t, c.get("/zh/learn?q=+")); !strings.Contains(text, "learn-collective") {
		t.Error("an empty search hides the index")
	}
}

// The words of both languages are on one page, which stays light.
func TestWordsStayLight(t *testing.T) {
	c := newConsole(t)
	for _, path := range []string{"/zh/learn/words", "/en/learn/words", "/zh/learn", "/en/learn", "/zh/", "/en/"} {
		if size := gzipped(t, body(t, c.get(path))); size > 30_000 {
			t.Errorf("%s takes %d bytes", path, size)
		}
	}
}
