package present

import (
	"hash/fnv"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/views/locale"
)

// askKind is what a question of a lesson is about.
type askKind string

// The kinds, by their names in URLs. anyKind takes whichever can be asked.
const (
	askNext  askKind = "next"  // which block goes next, and to whom
	askValue askKind = "value" // what a cell holds after the next step
	askWaits askKind = "waits" // whose port is the queue, or who has nothing to do
	askBytes askKind = "bytes" // how much a rank has sent so far
	anyKind  askKind = "any"
)

// askKinds lists them in the order in which they are offered.
func askKinds() []askKind { return []askKind{askNext, askValue, askWaits, askBytes} }

// word is the message that names the kind.
func (k askKind) word() string {
	switch k {
	case askValue:
		return "ask.kind.value"
	case askWaits:
		return "ask.kind.waits"
	case askBytes:
		return "ask.kind.bytes"
	}
	return "ask.kind.next"
}

// askChoice is the part of a lesson's address that asks.
type askChoice struct {
	kind askKind    // empty where nothing is asked
	rest url.Values // which question of the kind, and the guess: of this step only
}

// ask returns which kind of question is asked for; one that does not exist is
// any.
func (r *reader) ask() askChoice {
	kind := askKind(r.query.Get("ask"))
	if kind != "" && kind != anyKind && !slices.Contains(askKinds(), kind) {
		r.unmet(&unmet{reason: unknown, label: "ask.title", given: string(kind), accepted: listOf(append(askKinds(), anyKind)), used: string(anyKind)})
		kind = anyKind
	}
	return askChoice{kind: kind}
}

// write puts the choice into the query of an address.
func (a askChoice) write(q url.Values) {
	if a.kind == "" {
		return
	}
	q.Set("ask", string(a.kind))
	for name, values := range a.rest {
		q[name] = values
	}
}

// askPlace is what a question is about: a rank, a block of it, or both.
type askPlace struct{ rank, block int }

// nowhere stands for the rank or block that a question is not about.
const nowhere = -1

// askQuestion is one question about a step, and its answer. It is worked out from
// the schedule, its states and its time line; no algorithm has any of its own.
type askQuestion struct {
	kind   askKind
	place  askPlace
	says   string
	hint   string // empty for none
	fields []askField
	truth  url.Values                      // a guess that is right
	right  func(guess url.Values) bool     // of a whole guess
	partly func(guess url.Values) string   // what is right about a wrong one; nil for nothing
	name   func(guess url.Values) string   // a guess in words
	actual string                          // the truth in words; empty for the name of truth
	why    []string                        // sentences
	marks  func(guess url.Values) askMarks // what a stage shows; the guess may be empty
	stage  string                          // what a click on the stage picks: next, rank, block; empty for nothing
}

// askField is one part of a guess.
type askField struct {
	name, label string
	many        bool // any number of options
	options     []askOption
}

// askOption is a value of a field.
type askOption struct {
	value, name string
	why         string // what somebody who picks it has in mind; empty for nothing
}

// whole reports whether every part of a guess is there. To send nothing takes
// no block.
func (q askQuestion) whole(guess url.Values) bool {
	if guess.Get("to") == askNothing {
		return true
	}
	for _, field := range q.fields {
		if len(guess[field.name]) == 0 {
			return false
		}
	}
	return true
}

// asked is a question that a lesson's address asks for, with the guess in it.
type asked struct {
	offered []askKind // that can be asked at this step
	askQuestion
	exists  bool // there is such a question; else only offered counts
	guess   url.Values
	another askPlace // of the same kind; the same place where there is no other
	notes   []string
}

// asker makes the questions of one kind.
type asker struct {
	places func(t teller, at int, random *rand.Rand) []askPlace // in the order in which they are asked; none where they would be trivial or ambiguous
	ask    func(t teller, at int, place askPlace) askQuestion
}

func askers() map[askKind]asker {
	return map[askKind]asker{
		askNext:  {teller.nextPlaces, teller.askNext},
		askValue: {teller.valuePlaces, teller.askValue},
		askWaits: {teller.waitsPlaces, teller.askWaits},
		askBytes: {teller.bytesPlaces, teller.askBytes},
	}
}

// random is the source of chance of a kind at a step: the same each time.
func (t teller) random(at int, kind askKind) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(t.f.schedule.Hash() + " " + string(kind))) // never fails
	return rand.New(rand.NewPCG(h.Sum64(), uint64(at)))
}

// asking poses the question that a query asks for and reads the guess in it.
// The states beside the step must have been kept.
func (t teller) asking(query url.Values) teller {
	if slices.Contains(t.c.hide, "ask") || t.c.broken != nil { // of a broken schedule nothing is certain
		t.c.ask = askChoice{}
	}
	if t.c.ask.kind == "" {
		return t
	}
	at, a := t.c.step, &asked{}
	places := map[askKind][]askPlace{}
	for _, kind := range askKinds() {
		if places[kind] = askers()[kind].places(t, at, t.random(at, kind)); len(places[kind]) > 0 {
			a.offered = append(a.offered, kind)
		}
	}
	t.asked = a
	if len(a.offered) == 0 {
		return t
	}
	kind := t.c.ask.kind
	if !slices.Contains(a.offered, kind) {
		kind = a.offered[0]
		if t.c.ask.kind != anyKind {
			a.notes = append(a.notes, t.l.T("ask.note.kind", locale.Values{"Given": t.l.T(t.c.ask.kind.word()), "Used": t.l.T(kind.word())}))
		}
	}
	reader := reader{l: t.l, query: query}
	i := reader.place(places[kind])
	place := places[kind][i]
	a.another = places[kind][(i+1)%len(places[kind])]
	a.askQuestion, a.exists = askers()[kind].ask(t, at, place), true
	a.guess = reader.guess(a.fields)
	a.notes = append(a.notes, reader.notes...)
	t.c.ask = askChoice{kind: kind, rest: place.write(a.guess)}
	return t
}

// write returns the place and a guess as they stand in a query.
func (p askPlace) write(guess url.Values) url.Values {
	q := url.Values{}
	if p.rank != nowhere {
		q.Set("who", strconv.Itoa(p.rank))
	}
	if p.block != nowhere {
		q.Set("of", strconv.Itoa(p.block))
	}
	for name, values := range guess {
		q[name] = values
	}
	return q
}

// place returns the index of the place that is asked for: the first unless
// somebody names one, else the nearest to that.
func (r *reader) place(places []askPlace) int {
	who, of := r.query.Get("who"), r.query.Get("of")
	rank, rankErr := strconv.Atoi(who)
	block, blockErr := strconv.Atoi(of)
	if who == "" && of == "" || rankErr != nil && blockErr != nil {
		if who+of != "" {
			r.note("ask.note.place", who+of, r.placeName(places[0]))
		}
		return 0
	}
	away := func(p askPlace) int {
		far := 0
		if rankErr == nil {
			far += 1000 * min(max(p.rank-rank, rank-p.rank), 1000)
		}
		if blockErr == nil {
			far += min(max(p.block-block, block-p.block), 999)
		}
		return far
	}
	best := 0
	for i, p := range places {
		if away(p) < away(places[best]) {
			best = i
		}
	}
	if away(places[best]) != 0 {
		r.note("ask.note.place", strings.TrimSpace(who+" "+of), r.placeName(places[best]))
	}
	return best
}

// placeName names what a question is about.
func (r *reader) placeName(p askPlace) string {
	switch {
	case p.rank == nowhere:
		return r.l.T("ask.place.block", locale.Values{"Block": p.block})
	case p.block == nowhere:
		return r.l.T("ask.place.rank", locale.Values{"Rank": p.rank})
	}
	return r.l.T("ask.place", locale.Values{"Rank": p.rank, "Block": p.block})
}

// guess reads the values of fields, each brought to the nearest that can be
// picked.
func (r *reader) guess(fields []askField) url.Values {
	guess := url.Values{}
	for _, field := range fields {
		given := r.query[field.name]
		if !field.many && len(given) > 1 {
			given = given[:1]
		}
		picked := map[string]bool{}
		for _, value := range given[:min(len(given), lessonMaxRanks)] {
			if value == "" {
				continue
			}
			option, exact := field.nearest(value)
			if !exact {
				r.note("ask.note.guess", value, option.name)
			}
			picked[option.value] = true
		}
		for _, option := range field.options { // in their order, each once
			if picked[option.value] {
				guess[field.name] = append(guess[field.name], option.value)
			}
		}
	}
	return guess
}

// nearest returns the option of a value, or the one whose number is nearest.
func (f askField) nearest(value string) (option askOption, exact bool) {
	given, err := strconv.Atoi(value)
	best, least := f.options[0], -1
	for _, o := range f.options {
		if o.value == value {
			return o, true
		}
		number, failed := strconv.Atoi(o.value)
		if away := max(number-given, given-number); err == nil && failed == nil && (least < 0 || away < least) {
			best, least = o, away
		}
	}
	return best, false
}
