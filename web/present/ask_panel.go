package present

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/views"
	"lockstep/views/locale"
)

// listedFrom is from how many options on a field of one is a list.
const listedFrom = mostPicked + 2

// askPanel presents the question of a lesson, or the way to one; nil where it
// is hidden.
func (t teller) askPanel(f Frame) *views.Ask {
	if slices.Contains(t.c.hide, "ask") || t.c.broken != nil || len(t.f.steps) < 2 {
		return nil
	}
	if t.asked == nil {
		return &views.Ask{OpenURL: t.askURL(f, t.c.step, askChoice{kind: anyKind})}
	}
	a, at := t.asked, t.c.step
	v := &views.Ask{CloseURL: t.askURL(f, at, askChoice{}), Notes: a.notes}
	for _, kind := range a.offered {
		v.Kinds = append(v.Kinds, views.Section{Name: t.l.T(kind.word()), URL: t.askURL(f, at, askChoice{kind: kind}), Current: kind == a.kind})
	}
	if !a.exists {
		v.None = t.l.T("ask.none.step")
		if at == len(t.f.steps)-1 {
			v.None = t.l.T("ask.none.last")
		}
		if at > 0 {
			v.StartURL = t.askURL(f, 0, askChoice{kind: anyKind})
		}
		return v
	}
	v.Says, v.Hint = a.says, a.hint
	if !t.stage(at, false).Heat() { // its cells are too small to point at
		v.Stage = a.stage
	}
	if a.place.rank != nowhere {
		v.Who = strconv.Itoa(a.place.rank)
	}
	if a.another != a.place {
		v.AnotherURL = t.askURL(f, at, askChoice{a.kind, a.another.write(nil)})
	}
	again := t.c
	again.ask = askChoice{a.kind, a.place.write(nil)}
	v.Action, v.Keep = f.homeURL()+t.c.path(), hiddenFields(again.query())
	for _, field := range a.fields {
		v.Fields = append(v.Fields, t.askField(field, a.guess))
	}
	if a.whole(a.guess) {
		v.Answer = t.askAnswer(f, again.url(f, ""))
	}
	v.Covers = a.kind == askBytes && v.Answer == nil
	return v
}

// askURL is the address of a step with a question, or without any.
func (t teller) askURL(f Frame, step int, ask askChoice) string {
	c := t.c.at(step)
	c.ask = ask
	return c.url(f, "")
}

func (t teller) askField(field askField, guess url.Values) views.AskField {
	v := views.AskField{Name: field.name, Label: field.label, Many: field.many, List: !field.many && len(field.options) >= listedFrom}
	for _, o := range field.options {
		v.Options = append(v.Options, views.Option{Value: o.value, Name: o.name, Selected: slices.Contains(guess[field.name], o.value)})
	}
	return v
}

// askAnswer grades the guess and says why.
func (t teller) askAnswer(f Frame, again string) *views.AskAnswer {
	a := t.asked
	v := &views.AskAnswer{Right: a.right(a.guess), Guess: a.name(a.guess), Truth: a.actual, Why: a.why, AgainURL: again, Try: t.tryName()}
	if v.Truth == "" {
		v.Truth = a.name(a.truth)
	}
	if !v.Right && a.partly != nil {
		v.Partly = a.partly(a.guess)
	}
	if field := a.fields[0]; field.many {
		for _, o := range field.options {
			v.Marks = append(v.Marks, views.AskMark{Name: o.name, Kind: markKind(slices.Contains(a.guess["guess"], o.value), slices.Contains(a.truth["guess"], o.value))})
		}
		if !v.Right {
			counted := v.Marks
			if a.truth.Get(field.name) == askNothing { // nobody is not one who is missing
				counted = counted[:len(counted)-1]
			}
			v.Partly = t.setPartly(counted)
		}
	}
	if a.kind != askBytes {
		v.StepURL = t.askURL(f, t.c.step+1, askChoice{kind: a.kind})
	}
	return v
}

// markKind compares what was picked with what is so.
func markKind(picked, is bool) string {
	switch {
	case picked && is:
		return "hit"
	case picked:
		return "extra"
	case is:
		return "missed"
	}
	return ""
}

// setPartly counts what is wrong about a set.
func (t teller) setPartly(marks []views.AskMark) string {
	count := map[string]int{}
	for _, m := range marks {
		count[m.Kind]++
	}
	values := locale.Values{"Missed": count["missed"], "Extra": count["extra"]}
	switch {
	case count["missed"] == 0:
		return t.l.T("ask.partly.extra", values)
	case count["extra"] == 0:
		return t.l.T("ask.partly.missed", values)
	}
	return t.l.T("ask.partly.set", values)
}

// tryName names a question with a guess, for a browser to remember: the
// schedule by its hash, the step, the question, and what was guessed.
func (t teller) tryName() string {
	name := []string{t.f.schedule.Hash()[:16], strconv.Itoa(t.c.step), string(t.asked.kind)}
	rest := t.asked.place.write(t.asked.guess)
	return strings.Join(append(name, rest.Encode()), " ")
}
