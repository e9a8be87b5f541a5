package web

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// lessonStates makes the queries of lessons at random: states that exist and,
// where odd, others among them.
type lessonStates struct {
	random *rand.Rand
	odd    bool
}

func (l lessonStates) pick(values ...string) string { return values[l.random.IntN(len(values))] }

// upTo is a number up to the most, or a value that is odd.
func (l lessonStates) upTo(most int, odd ...string) string {
	if l.odd && l.random.IntN(3) == 0 {
		return l.pick(odd...)
	}
	return l.pick("", strconv.Itoa(l.random.IntN(most+1)), strconv.Itoa(l.random.IntN(most+1)))
}

// or is one of the values, or an odd one.
func (l lessonStates) or(odd string, values ...string) string {
	if l.odd && l.random.IntN(3) == 0 {
		return odd
	}
	return l.pick(values...)
}

// of makes a state of a lesson for n ranks.
func (l lessonStates) of(entry schedule.Entry, n int) url.Values {
	q := url.Values{"n": {strconv.Itoa(n)}}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	perNode, chunks := max(1, l.random.IntN(n+1)), 1
	if entry.Collective != schedule.Barrier && n <= 8 {
		chunks = 1 + l.random.IntN(2)
	}
	s, err := schedule.Build(schedule.Request{Collective: entry.Collective, Algorithm: entry.Algorithm, Ranks: n, RanksPerNode: perNode, Chunks: chunks})
	if err != nil {
		return q
	}
	set("root", l.upTo(n-1, "y", "99"))
	set("G", l.or("z", strconv.Itoa(perNode)))
	set("chunks", l.or("-1", strconv.Itoa(chunks)))
	set("step", l.upTo(s.Rounds(), "-3", "999", "end"))
	set("size", l.or("9TiB", "", strconv.Itoa(4*n*(1+l.random.IntN(1000))), strconv.Itoa(4*n)+"MB"))
	set("net", l.or("?", "", "article", "ib-400g", "tcp-10g"))
	set("hide", l.or("size,nothing", "", "size,net", "cost,code,clock,speed", "ask,break"))
	set("api", l.or("gloo", "", "mpi", "pytorch"))
	set("pace", l.or("slow", "", "step", "10MB/s"))
	for _, flag := range []string{"lock", "present", "embed"} {
		set(flag, l.or("yes", "", "", "1"))
	}
	set("ask", l.or("?", "", "next", "value", "waits", "bytes", "any"))
	if d := l.pick("", "", "", "drop", "double"); d != "" {
		set("break", d)
	}
	if l.odd {
		q["guess"] = []string{l.upTo(9, "b"), l.upTo(9, "none")}
		set("who", l.upTo(n-1, "w"))
	}
	return q
}

var (
	lessonMain = regexp.MustCompile(`(?s)<main.*</main>`)
	lessonNote = regexp.MustCompile(`(?s)<[a-z]+ class="callout[^"]*lesson-note.*?</(?:p|ul)>`)
	smallPrint = regexp.MustCompile(`<p class="muted small">[^<]*</p>`) // where a question says that it is another than was asked for
	ownLink    = map[bool]*regexp.Regexp{                               // whether presenting
		true:  regexp.MustCompile(`href="([^"]*)"[^>]*data-present-link`),
		false: regexp.MustCompile(`href="([^"]*)"[^>]*data-leave`),
	}
)

// The address that a lesson writes down for itself leads to the same lesson: a
// thousand states at random, each opened by its own query, then by the address
// on that page.
func TestLessonsAreTheirURL(t *testing.T) {
	if raceEnabled {
		t.Skip("a thousand pages; opened without the race detector")
	}
	c := newConsole(t)
	states := lessonStates{random: rand.New(rand.NewPCG(7, 11))}
	entries := schedule.Catalog()
	largest, presented, asked, broken := 0, 0, 0, 0
	for i := range 1000 {
		entry, n := entries[i%len(entries)], 1+states.random.IntN(10)
		if i%50 == 0 {
			n = 1 + states.random.IntN(64)
		}
		largest = max(largest, n)
		query := states.of(entry, n)
		lesson := fmt.Sprintf("/%s/learn/%s/%s", states.pick("zh", "en"), entry.Collective, entry.Algorithm)
		first := lesson + "?" + query.Encode()
		answer := c.get(first)
		wantStatus(t, first, answer, http.StatusOK)
		page := body(t, answer)
		link := ownLink[query.Get("present") == "1"].FindStringSubmatch(page)
		if link == nil {
			t.Fatalf("%s does not say where it is", first)
		}
		own := html.UnescapeString(link[1])
		if !strings.HasPrefix(own, lesson) {
			t.Fatalf("%s says that it is %s", first, own)
		}
		again := body(t, c.get(own))
		one, two := lessonMain.FindString(page), lessonMain.FindString(again)
		if one == "" || smallPrint.ReplaceAllString(lessonNote.ReplaceAllString(one, ""), "") != smallPrint.ReplaceAllString(two, "") {
			t.Errorf("%s and %s are two lessons", first, own)
		}
		if !strings.Contains(one, "<svg") || strings.Contains(strings.ReplaceAll(page, "/lesson.gif", ""), "lesson.") || strings.Contains(page, "style=") {
			t.Errorf("%s has no picture, shows the name of a message, or an inline style", first)
		}
		count := func(n *int, is bool) {
			if is {
				*n++
			}
		}
		count(&presented, query.Has("present"))
		count(&asked, strings.Contains(own, "ask="))
		count(&broken, strings.Contains(own, "break="))
	}
	if largest < 40 || min(presented, asked, broken) < 50 {
		t.Errorf("of the lessons the largest has %d ranks, %d are presented, %d ask, %d are broken", largest, presented, asked, broken)
	}
}

// Whatever is asked for is brought to what exists: the address that comes of it
// has nothing more to be said about.
func TestOddLessonsSettle(t *testing.T) {
	c := newConsole(t)
	states := lessonStates{random: rand.New(rand.NewPCG(3, 5)), odd: true}
	for i, entry := range schedule.Catalog() {
		lesson := fmt.Sprintf("/en/learn/%s/%s", entry.Collective, entry.Algorithm)
		for range 3 {
			query := states.of(entry, 1+states.random.IntN(9))
			if i%4 == 0 {
				query.Set("n", states.pick("x", "65", "-1", "1e3"))
			}
			query.Del("present")
			first := lesson + "?" + query.Encode()
			answer := c.get(first)
			wantStatus(t, first, answer, http.StatusOK)
			link := ownLink[false].FindStringSubmatch(body(t, answer))
			if link == nil {
				t.Fatalf("%s does not say where it is", first)
			}
			settled := body(t, c.get(html.UnescapeString(link[1])))
			if note := lessonNote.FindString(settled); note != "" {
				t.Errorf("%s leads to %s, which says\n%s", first, link[1], note)
			}
			if answer := c.get(lesson + "/step.svg?" + query.Encode()); answer.StatusCode != http.StatusOK {
				t.Errorf("the picture of %s is answered %s", first, answer.Status)
			}
		}
	}
}
