package present

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// findable is something that a search can find.
type findable struct {
	kind  string // message: what sort of thing it is
	url   string
	name  string
	other string   // in the other language; empty where it is the same
	what  string   // what it is, in a sentence
	names []string // what it is called, in both languages
	also  []string // other names of it
	parts []string // names of what it is made of: they count together with others only
	calls []call   // calls of libraries that are it
	quote bool     // its name is what people say: it comes behind what it talks about

	met  []met    // names and other names, folded
	of   []folded // parts, folded
	says folded   // what, folded
}

// met is a name as searches compare it.
type met struct {
	folded
	name string
	also bool // it is another name
}

// ready folds the texts of a thing, and leaves out its name in the other
// language where it says the same.
func (t findable) ready() findable {
	if fold(t.other).tight == fold(t.name).tight {
		t.other = ""
	}
	for _, name := range t.names {
		t.met = append(t.met, met{fold(name), name, false})
	}
	for _, name := range t.also {
		t.met = append(t.met, met{fold(name), name, true})
	}
	for _, part := range t.parts {
		t.of = append(t.of, fold(part))
	}
	t.says = fold(t.what)
	return t
}

// found is a findable that answers a query.
type found struct {
	findable
	grade   int
	matched string // the other name that was met; empty for one of its own
}

// Grades of an answer. Between them there is room for what is nearer.
const (
	gradeSame     = 100 // the query is its name
	gradeBegins   = 80  // its name begins so
	gradeContains = 60  // its name contains the query
	gradeWords    = 50  // all words of the query are in its names
	gradeMentions = 35  // the query names it among other words; up to ten more for a long name
	gradeCall     = 30  // a library's call begins so
	gradeSays     = 20  // the sentence about it contains the query

	gradeAlso = 5 // another name counts so much less
)

// search returns what answers a query, best first; equal ones stay in their
// order.
func search(all []findable, query string) []found {
	q := fold(query)
	if q.tight == "" {
		return nil
	}
	var answers []found
	for _, thing := range all {
		if f := thing.answers(q, query); f.grade > 0 {
			answers = append(answers, f)
		}
	}
	slices.SortStableFunc(answers, func(a, b found) int { return cmp.Compare(b.grade, a.grade) })
	return answers
}

// answers grades a thing as an answer to a query; 0 for none.
func (t findable) answers(q folded, typed string) found {
	best := found{findable: t}
	better := func(grade int, matched string) {
		if grade > best.grade {
			best.grade, best.matched = grade, matched
		}
	}
	for _, name := range t.met {
		switch grade := q.meets(name.folded); {
		case !name.also:
			better(grade, "")
		case grade == gradeSame && strings.EqualFold(name.name, strings.TrimSpace(typed)):
			if best.grade == gradeSame { // spelt exactly so: 归约, which is also how 规约 folds
				best.matched = name.name
			}
			better(gradeSame-1, name.name)
		case grade > gradeAlso:
			better(grade-gradeAlso, name.name)
		}
	}
	if best.grade < gradeWords && len(q.words) > 1 && t.hasAll(q) {
		better(gradeWords, "")
	}
	better(t.meetsCall(q))
	if best.grade == 0 && len([]rune(q.tight)) > 1 && t.says.contains(q) {
		better(gradeSays, "")
	}
	if t.quote {
		best.grade = min(best.grade, gradeSays)
	}
	return best
}

// meets grades how well a query meets a name.
func (q folded) meets(name folded) int {
	switch {
	case name.tight == "":
		return 0
	case q.tight == name.tight:
		return gradeSame
	case strings.HasPrefix(name.tight, q.tight):
		return gradeBegins
	case len([]rune(q.tight)) > 1 && name.contains(q):
		return gradeContains
	case q.mentions(name):
		return gradeMentions + 10*len(name.tight)/len(q.tight)
	}
	return 0
}

// contains reports whether a text contains another: anywhere in Chinese, from
// the beginning of a word elsewhere.
func (f folded) contains(part folded) bool {
	if startsHan(part.tight) {
		return strings.Contains(f.tight, part.tight)
	}
	for i := range f.words {
		if strings.HasPrefix(strings.Join(f.words[i:], ""), part.tight) {
			return true
		}
	}
	return false
}

// mentions reports whether a query of several words has a whole name in it.
func (q folded) mentions(name folded) bool {
	if startsHan(name.tight) {
		return len([]rune(name.tight)) > 1 && strings.Contains(q.tight, name.tight)
	}
	for first := range q.words {
		for end := first + 1; end <= len(q.words); end++ {
			if len(name.tight) > 1 && strings.Join(q.words[first:end], "") == name.tight {
				return true
			}
		}
	}
	return false
}

// hasAll reports whether each word of a query is in one of a thing's names.
func (t findable) hasAll(q folded) bool {
	for _, word := range q.words {
		one := folded{tight: word, words: []string{word}}
		if !slices.ContainsFunc(t.met, func(name met) bool { return name.contains(one) }) &&
			!slices.ContainsFunc(t.of, func(part folded) bool { return part.contains(one) }) {
			return false
		}
	}
	return true
}

func startsHan(text string) bool {
	for _, r := range text {
		return unicode.Is(unicode.Han, r)
	}
	return false
}

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// nearest returns up to most names that look like a query which found nothing,
// the most alike first; for one without Han, names without.
func nearest(all []findable, query string, most int) []string {
	q := fold(query).tight
	type near struct {
		name  string
		alike float64
	}
	var names []near
	for _, thing := range all {
		best := near{}
		for _, name := range thing.met {
			if hasHan(name.tight) && !hasHan(q) {
				continue
			}
			if alike := alike(q, name.tight); alike > best.alike {
				best = near{name.name, alike}
			}
		}
		if best.alike >= 0.3 && !slices.ContainsFunc(names, func(n near) bool { return n.name == best.name }) {
			names = append(names, best)
		}
	}
	slices.SortStableFunc(names, func(a, b near) int { return cmp.Compare(b.alike, a.alike) })
	var few []string
	for _, n := range names[:min(most, len(names))] {
		few = append(few, n.name)
	}
	return few
}

// alike is the share of neighbouring characters that two texts have in common
// (the coefficient of Dice), 0 to 1.
func alike(a, b string) float64 {
	pairs := func(text string) map[string]int {
		runes, all := []rune(text), map[string]int{}
		for i := 0; i+1 < len(runes); i++ {
			all[string(runes[i:i+2])]++
		}
		return all
	}
	first, second := pairs(a), pairs(b)
	shared, total := 0, 0
	for pair, n := range first {
		shared += 2 * min(n, second[pair])
		total += n
	}
	for _, n := range second {
		total += n
	}
	return float64(shared) / float64(max(total, 1))
}
