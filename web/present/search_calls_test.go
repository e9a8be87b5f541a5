package present

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// A call of a library finds what it is first, then the lessons of it, however
// it is spelt and when half of it is typed.
func TestLibraryCallsFindTheirLessons(t *testing.T) {
	for lang, f := range frames(t) {
		all, err := findables(f, allPages())
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range callsByCollective {
			for _, call := range callsOf(row.collective, false) {
				for _, query := range []string{call.name, strings.ToLower(call.name), strings.ToUpper(call.name), call.name + "(sendbuf, recvbuf)"} {
					checkFindsLessons(t, lang, f, search(all, query), query, row.collective)
				}
				for end := len(call.name) - 1; len(fold(call.name[:end]).tight) > leastOfCall; end-- {
					query := call.name[:end]
					if isLibrary(query) {
						break
					}
					if !slices.ContainsFunc(search(all, query), func(a found) bool { return isLessonOf(f, a, row.collective) }) {
						t.Errorf("%s: %q finds no lesson of %s", lang, query, row.collective)
					}
				}
			}
		}
	}
}

func isLibrary(query string) bool {
	return slices.ContainsFunc(libraryPrefixes, func(p string) bool { return strings.HasPrefix(fold(p).tight, fold(query).tight) })
}

func isLessonOf(f Frame, a found, c schedule.Collective) bool {
	return a.kind == "search.kind.lesson" && strings.HasPrefix(a.url, f.homeURL()+"learn/"+string(c)+"/")
}

// checkFindsLessons checks that the page of a collective is the first answer and
// that each of its lessons is one.
func checkFindsLessons(t *testing.T, lang string, f Frame, answers []found, query string, c schedule.Collective) {
	t.Helper()
	if len(answers) == 0 || answers[0].kind != "search.kind.collective" || !strings.HasSuffix(answers[0].url, "/"+string(c)) {
		t.Errorf("%s: %q does not find %s first of %d", lang, query, c, len(answers))
		return
	}
	for _, e := range schedule.Catalog() {
		if e.Collective == c && !slices.ContainsFunc(answers, func(a found) bool { return a.url == f.homeURL()+lessonPath(e) }) {
			t.Errorf("%s: %q does not find %s/%s", lang, query, c, e.Algorithm)
		}
	}
}

// The calls that a lesson shows are among those that can be searched for.
func TestShownCallsCanBeFound(t *testing.T) {
	calls := regexp.MustCompile(`\b(MPI_[A-Z][a-z_]+|nccl[A-Z]\w+|dist\.[a-z_0-9]+)\(`)
	known := map[string]bool{}
	for _, row := range callsByCollective {
		for _, call := range callsOf(row.collective, false) {
			known[call.name] = true
		}
	}
	for _, lib := range libraries() {
		for _, text := range lib.calls {
			for _, m := range calls.FindAllStringSubmatch(string(text), -1) {
				if !known[m[1]] {
					t.Errorf("%s cannot be searched for", m[1])
				}
			}
		}
	}
}

// The name of a library alone lists no lessons.
func TestLibraryAloneIsNoCall(t *testing.T) {
	f := frames(t)["en"]
	all, err := findables(f, allPages())
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"NCCL", "nccl", "torch", "torch.distributed"} {
		for _, a := range search(all, query) {
			if a.kind == "search.kind.lesson" {
				t.Errorf("%q finds %s", query, a.name)
			}
		}
	}
}
