package present

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/views"
)

// askedLesson opens a lesson with the states of all its steps.
func askedLesson(t *testing.T, f Frame, entry schedule.Entry, ranks int) teller {
	t.Helper()
	query := url.Values{"n": {strconv.Itoa(ranks)}, "root": {strconv.Itoa(ranks / 3)}, "G": {strconv.Itoa(max(ranks/2, 1))}}
	at, err := openLesson(f, LessonRequest{Entry: entry, Query: query}, func(int, int) bool { return true })
	if err != nil {
		t.Fatalf("%s/%s for %d ranks: %v", entry.Collective, entry.Algorithm, ranks, err)
	}
	return at
}

// asks calls check with questions of every kind at every step of a lesson: a
// few of each.
func asks(lesson teller, check func(at int, q askQuestion)) {
	for at := range lesson.f.steps {
		lesson.c.step = at
		for _, kind := range askKinds() {
			places := askers()[kind].places(lesson, at, lesson.random(at, kind))
			for _, place := range places[:min(len(places), 2)] {
				check(at, askers()[kind].ask(lesson, at, place))
			}
		}
	}
}

// Whatever is asked has an answer that can be given and is right, and others
// that can be given and are wrong; and every pair has something to ask.
func TestEveryPairAsksWhatCanBeAnswered(t *testing.T) {
	all := frames(t)
	for i, entry := range schedule.Catalog() {
		for _, n := range []int{2, 5, 8} {
			if n == 8 && i%3 > 0 { // a sample of the large
				continue
			}
			count := 0
			lesson := askedLesson(t, all[[]string{"zh", "en"}[(i+n)%2]], entry, n)
			asks(lesson, func(at int, q askQuestion) {
				count++
				name := fmt.Sprintf("%s/%s for %d ranks, step %d, %s", entry.Collective, entry.Algorithm, n, at, q.says)
				answerable(t, name, q)
				r := reader{l: lesson.l, query: q.place.write(q.truth)}
				if got := r.guess(q.fields); got.Encode() != q.truth.Encode() || len(r.notes) > 0 {
					t.Errorf("%s: %q is read as %q, %q", name, q.truth.Encode(), got.Encode(), r.notes)
				}
				texts := append([]string{q.says, q.hint, q.actual, q.name(q.truth)}, q.why...)
				for _, field := range q.fields {
					texts = append(texts, field.label)
				}
				for _, text := range texts {
					for _, wrong := range []string{"ask.", "lesson.", "<no value>", "%!", "  "} {
						if strings.Contains(text, wrong) {
							t.Errorf("%s: %s says %q", name, q.kind, text)
						}
					}
				}
			})
			if count == 0 {
				t.Errorf("%s/%s for %d ranks asks nothing", entry.Collective, entry.Algorithm, n)
			}
		}
	}
}

// answerable checks how the guesses that can be made are graded: the truth as
// right, and no more of them than half.
func answerable(t *testing.T, name string, q askQuestion) {
	t.Helper()
	if !q.whole(q.truth) || !q.right(q.truth) {
		t.Errorf("%s: the truth %v is not right", name, q.truth)
	}
	guesses := []url.Values{{}}
	for _, field := range q.fields {
		if len(field.options) < 2 {
			t.Errorf("%s: only %v to pick from", name, field.options)
		}
		var next []url.Values
		for _, guess := range guesses {
			for _, option := range field.options {
				more := url.Values{field.name: {option.value}}
				for known, values := range guess {
					more[known] = values
				}
				next = append(next, more)
			}
		}
		guesses = next
	}
	right := 0
	seen := map[string]bool{}
	for _, guess := range guesses {
		if guess.Get("to") == askNothing {
			guess.Del("block") // whichever it is
		}
		if seen[guess.Encode()] {
			continue
		}
		seen[guess.Encode()] = true
		if q.right(guess) {
			right++
		}
	}
	if 2*right > len(seen) || !q.fields[0].many && right == 0 {
		t.Errorf("%s: %d of %d guesses are right", name, right, len(seen))
	}
}

// askOf presents the question of a lesson.
func askOf(t *testing.T, f Frame, pair, query string) views.Ask {
	t.Helper()
	collective, algorithm, _ := strings.Cut(pair, "/")
	entry, err := schedule.Find(schedule.Collective(collective), algorithm)
	if err != nil {
		t.Fatal(err)
	}
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Lesson(f, LessonRequest{Entry: entry, Query: q})
	if err != nil {
		t.Fatalf("%s?%s: %v", pair, query, err)
	}
	if v.Ask == nil {
		t.Fatalf("%s?%s has no panel", pair, query)
	}
	return *v.Ask
}

// Guesses of every kind on every shape, right and wrong, as somebody works
// them out by hand.
func TestGuessesAreGraded(t *testing.T) {
	en := frames(t)["en"]
	for _, test := range []struct {
		pair, query  string
		right, wrong string // guesses
		says         string // about the wrong one
	}{
		// a ring: rank r passes on what it has just got
		{"all-reduce/ring", "n=4&step=2&ask=next&who=0", "block=1&to=1", "block=2&to=1", "The receiver is right"},
		{"all-reduce/ring", "n=4&step=2&ask=next&who=3", "block=0&to=0", "block=0&to=2", "The block is right"},
		{"all-reduce/ring", "n=4&step=2&ask=next&who=1", "block=2&to=2", "to=none", ""},
		{"all-reduce/ring", "n=4&step=2&ask=value&who=1&of=1", "guess=0&guess=1&guess=2&guess=3", "guess=0&guess=2&guess=3", "1 missing."},
		{"all-reduce/ring", "n=4&step=1&ask=value&who=1&of=2", "guess=0&guess=1&guess=3", "guess=1&guess=2", ""},
		{"all-reduce/ring", "n=4&step=2&ask=bytes&who=2", "guess=2000000", "guess=8000000", "in every step"},
		{"all-reduce/ring", "n=2&step=1&ask=next&who=0", "block=0&to=1", "block=1&to=1", "The receiver is right"},
		// a star: one port takes everything
		{"all-reduce/central", "n=4&step=0&ask=waits", "guess=2", "guess=3", "for itself"},
		{"all-reduce/central", "n=4&step=0&ask=next&who=2", "to=0", "to=3", ""},
		{"reduce/direct", "n=4&step=0&ask=next&who=0", "to=none", "to=2", ""},
		{"gather/direct", "n=4&step=0&ask=value&who=0", "guess=0&guess=1&guess=2&guess=3", "guess=0&guess=1", "2 missing."},
		// a tree: half of what is there goes half way
		{"scatter/binomial-tree", "n=8&step=0&ask=next&who=0", "block=5&to=4", "block=3&to=4", "The receiver is right"},
		{"scatter/binomial-tree", "n=8&step=0&ask=next&who=3", "to=none", "block=3&to=4", ""},
		{"scatter/binomial-tree", "n=8&step=0&ask=waits", "guess=1&guess=2&guess=3&guess=5&guess=6&guess=7", "guess=1&guess=2&guess=3&guess=4", "3 missing, 1 too many."},
		{"broadcast/binomial-tree", "n=8&step=1&ask=value", "guess=0&guess=2&guess=4&guess=6", "guess=0&guess=4", ""},
		// everybody is busy
		{"all-reduce/ring", "n=4&step=2&ask=waits", "guess=none", "guess=1", "1 too many."},
		{"all-reduce/ring", "n=4&step=2&ask=waits", "guess=none", "guess=1&guess=none", "1 too many."},
		{"all-reduce/ring", "n=20&step=2&ask=waits", "guess=0", "guess=20", ""},
		{"all-reduce/direct", "n=4&step=0&ask=waits", "guess=none", "guess=0&guess=1&guess=2&guess=3", "4 too many."},
		{"all-reduce/central", "n=2&step=0&ask=waits", "guess=none", "guess=0", "1 too many."},
		{"scatter/binomial-tree", "n=4&step=0&ask=waits", "guess=1&guess=3", "guess=none", "2 missing, 1 too many."},
		// the network's own work
		{"all-reduce/in-network", "n=4&step=0&ask=value&who=1", "guess=0&guess=1&guess=2&guess=3", "guess=1", "3 missing."},
		{"broadcast/in-network", "n=4&step=0&ask=value", "guess=0&guess=1&guess=2&guess=3", "guess=0&guess=1", "2 missing."},
		// exchanges and a barrier
		{"all-to-all/pairwise", "n=4&step=0&ask=next&who=1", "to=2", "to=none", ""},
		{"barrier/dissemination", "n=5&step=0&ask=next&who=4", "to=0", "to=3", ""},
		{"barrier/dissemination", "n=5&step=1&ask=value&who=4", "guess=1&guess=2&guess=3&guess=4", "guess=0&guess=4", ""},
	} {
		for guess, want := range map[string]bool{test.right: true, test.wrong: false} {
			a := askOf(t, en, test.pair, test.query+"&"+guess)
			switch {
			case a.Answer == nil:
				t.Errorf("%s?%s&%s is not graded: %s %q", test.pair, test.query, guess, a.Says, a.Notes)
			case a.Answer.Right != want || len(a.Notes) > 0:
				t.Errorf("%s?%s&%s is right: %v; in fact %s, %q", test.pair, test.query, guess, a.Answer.Right, a.Answer.Truth, a.Notes)
			case !want && !strings.Contains(a.Answer.Partly, test.says):
				t.Errorf("%s?%s&%s says %q, want %q", test.pair, test.query, guess, a.Answer.Partly, test.says)
			case len(a.Answer.Why) == 0:
				t.Errorf("%s?%s&%s does not say why", test.pair, test.query, guess)
			}
		}
	}
}

// Who waits can be asked before every step, and nobody can be the answer,
// whatever the truth is.
func TestWhoWaitsIsAlwaysAsked(t *testing.T) {
	zh := frames(t)["zh"]
	for _, entry := range schedule.Catalog() {
		for _, n := range []int{2, 3, 7, 20} {
			lesson := askedLesson(t, zh, entry, n)
			for at := range lesson.f.steps[:len(lesson.f.steps)-1] {
				places := lesson.waitsPlaces(at, nil)
				if len(places) != 1 {
					t.Errorf("%s/%s for %d ranks asks at %v who waits after step %d", entry.Collective, entry.Algorithm, n, places, at)
					continue
				}
				q := lesson.askWaits(at, places[0])
				last := q.fields[0].options[len(q.fields[0].options)-1].value
				if first := q.fields[0].options[0].value; q.fields[0].many && last != askNothing || n == 20 && !q.fields[0].many && len(q.fields[0].options) < 20 && first != "0" {
					t.Errorf("%s/%s for %d ranks, after step %d: nobody is none of %v", entry.Collective, entry.Algorithm, n, at, q.fields[0].options)
				}
			}
		}
	}
}

// Sixty-four ranks are asked about by lists and by numbers, one rank not at
// all, and the end only about what has been.
func TestQuestionsOfFewAndOfMany(t *testing.T) {
	zh := frames(t)["zh"]
	if v := lessonOf(t, "zh", "ring", "n=1&ask=next"); v.Ask != nil {
		t.Errorf("one rank is asked: %+v", v.Ask)
	}
	if v := lessonOf(t, "zh", "ring", "n=4&ask=next&hide=ask"); v.Ask != nil || strings.Contains(v.Moves.Next, "ask=") {
		t.Errorf("what is hidden asks: %+v, %s", v.Ask, v.Moves.Next)
	}
	next := askOf(t, zh, "all-reduce/ring", "n=64&step=20&ask=next")
	if len(next.Fields) != 2 || !next.Fields[0].List || len(next.Fields[0].Options) != 64 {
		t.Errorf("64 ranks are asked by %d fields", len(next.Fields))
	}
	if few := askOf(t, zh, "all-reduce/ring", "n=8&step=5&ask=next"); next.Stage != "" || few.Stage != "next" {
		t.Errorf("of 64 ranks the stage picks %q, of 8 %q", next.Stage, few.Stage)
	}
	value := askOf(t, zh, "all-reduce/ring", "n=64&step=20&ask=value")
	if len(value.Fields) != 1 || value.Fields[0].Many || len(value.Fields[0].Options) != mostCounts {
		t.Errorf("64 contributions are asked by %+v", value.Fields)
	}
	if a := askOf(t, zh, "all-reduce/ring", "n=64&step=20&ask=value&guess=22"); a.Answer == nil || !a.Answer.Right || !strings.Contains(a.Answer.Truth, "22") {
		t.Errorf("22 contributions are %+v", a.Answer)
	}
	if end := askOf(t, zh, "all-reduce/ring", "n=4&step=6&ask=next"); len(end.Kinds) != 1 || end.Answer != nil || len(end.Notes) != 1 {
		t.Errorf("the end asks %+v", end)
	}
	if end := askOf(t, zh, "barrier/dissemination", "n=4&step=2&ask=any"); end.None == "" || end.StartURL == "" || end.Says != "" {
		t.Errorf("the end of a barrier asks %+v", end)
	}
}

// A question is its address: what is not there shows the nearest with a note,
// the guess stays in links that stay, and goes from those that go on.
func TestQuestionsAreTheirURL(t *testing.T) {
	v := lessonOf(t, "en", "ring", "n=4&step=2&ask=next&who=9&block=7&to=1")
	if len(v.Ask.Notes) != 2 || v.Ask.Who != "3" || v.Ask.Answer == nil || v.Ask.Answer.Guess != "block 3 → rank 1" {
		t.Errorf("who=9&block=7 asks %+v with %q", v.Ask, v.Ask.Notes)
	}
	if !strings.Contains(v.PresentURL, "block=3") || !strings.Contains(v.PresentURL, "who=3") || strings.Contains(v.Moves.Next, "block") || !strings.Contains(v.Moves.Next, "ask=next") {
		t.Errorf("the presenter is at %s, the next step at %s", v.PresentURL, v.Moves.Next)
	}
	for _, query := range []string{"ask=juggle", "ask=next&who=x", "ask=next&block=1", "ask=value&guess=x&guess=", "ask=value&who=1&of=99999999999999999999", "ask=bytes&guess=1"} {
		if a := lessonOf(t, "zh", "ring", "n=4&step=1&"+query).Ask; a == nil || a.Says == "" {
			t.Errorf("%s asks %+v", query, a)
		}
	}
	closed := lessonOf(t, "zh", "ring", "n=4&step=1").Ask
	if closed.OpenURL == "" || closed.Says != "" {
		t.Errorf("without a question there is %+v", closed)
	}
	en := frames(t)["en"]
	// The same question each time, another by its link, and in the end all of them.
	first := askOf(t, en, "all-reduce/ring", "n=4&step=1&ask=next")
	if again := askOf(t, en, "all-reduce/ring", "n=4&step=1&ask=next"); again.Says != first.Says {
		t.Errorf("asks %q, then %q", first.Says, again.Says)
	}
	said := map[string]bool{}
	for a := first; !said[a.Says]; {
		said[a.Says] = true
		link, err := url.Parse(a.AnotherURL)
		if err != nil {
			t.Fatal(err)
		}
		a = askOf(t, en, "all-reduce/ring", link.RawQuery)
	}
	if len(said) != 4 {
		t.Errorf("of 4 ranks %d are asked about", len(said))
	}
}
