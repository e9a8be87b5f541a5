package present

import (
	"fmt"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/locale"
)

// lessonWords are the message ids of what is said about one pair by hand. A
// pair without them is narrated from its schedule alone.
type lessonWords struct {
	name   string
	what   string
	use    string // where training uses it
	parts  string // what it is made of
	start  string
	phases map[string]phaseWords
}

// phaseWords are said at the first step of a phase, at the last, and between;
// alone at a step that is both. Empty ones fall back on the next.
type phaseWords struct{ name, first, middle, last, alone string }

// wordsOf returns what is said about a pair.
func wordsOf(e schedule.Entry) lessonWords {
	switch string(e.Collective) + "/" + e.Algorithm {
	case "all-reduce/ring":
		return lessonWords{
			name: "lesson.ring.name", what: "lesson.ring.what", use: "lesson.all-reduce.use", parts: "lesson.ring.parts", start: "lesson.ring.start",
			phases: map[string]phaseWords{
				"reduce-scatter": {"collective.reduce-scatter", "lesson.ring.rs.first", "lesson.ring.rs.middle", "lesson.ring.rs.last", "lesson.ring.rs.alone"},
				"all-gather":     {"collective.all-gather", "lesson.ring.ag.first", "lesson.ring.ag.middle", "lesson.ring.ag.last", "lesson.ring.ag.alone"},
			},
		}
	case "all-reduce/central":
		return lessonWords{
			name: "lesson.central.name", what: "lesson.central.what", use: "lesson.all-reduce.use", parts: "lesson.central.parts", start: "lesson.central.start",
			phases: map[string]phaseWords{
				"collect": {name: "lesson.central.collect", alone: "lesson.central.collect.step"},
				"return":  {name: "lesson.central.return", alone: "lesson.central.return.step"},
			},
		}
	}
	return lessonWords{}
}

// teller says what happens in a lesson.
type teller struct {
	l     locale.Locale
	c     choice
	f     *facts
	words lessonWords
}

func (t teller) rank(r int) string { return fmt.Sprintf("Rank %d", r) }

// phaseName names a phase; one without a name of its own goes by its key.
func (t teller) phaseName(l locale.Locale, i int) string {
	if words, ok := t.words.phases[t.f.phases[i].key]; ok {
		return l.T(words.name)
	}
	return t.f.phases[i].key
}

// narration says what happens in a step, in a few spoken sentences.
func (t teller) narration(step int) string {
	if t.f.schedule.Ranks == 1 {
		return t.l.T("lesson.start.one")
	}
	values := t.values(step)
	if step == 0 {
		if t.words.start != "" {
			return t.l.T(t.words.start, values)
		}
		return t.l.T("lesson.start", values)
	}
	if id := t.said(step); id != "" {
		return t.l.T(id, values)
	}
	return t.l.T("lesson.step", values)
}

// said is the message that fits the step's place in its phase.
func (t teller) said(step int) string {
	phase := t.f.phases[t.f.steps[step].phase]
	words := t.words.phases[phase.key]
	first, last := step == phase.first, step == phase.last
	switch {
	case first && last:
		return words.alone
	case first:
		return words.first
	case last:
		return words.last
	}
	return words.middle
}

// values are the facts that sentences are filled with.
func (t teller) values(step int) locale.Values {
	at := &t.f.steps[step]
	values := locale.Values{
		"Ranks": t.f.schedule.Ranks, "Others": t.f.schedule.Ranks - 1, "Blocks": t.f.rows, "Moves": len(at.moves),
		"Bytes": "", "Sent": 0, "Sum": 0, "Wait": duration(at.waits()), "Whole": 0,
	}
	if len(at.moves) == 0 {
		return values
	}
	m := at.moves[0]
	values["Bytes"] = lessonBytes(m.bytes)
	if before := t.f.steps[step-1].state; before != nil {
		sent := countBits(t.f.carried(before, m))
		values["Sent"] = sent
		values["Sum"] = sent + 1
	}
	if at.state != nil {
		values["Whole"] = t.wholeBlocks(at.state)
	}
	return values
}

// wholeBlocks is how many final blocks every rank has, at the least.
func (t teller) wholeBlocks(h *holding64) int {
	least := t.f.rows
	for rank := range t.f.schedule.Ranks {
		have := 0
		for block := range t.f.rows {
			if h.final[rank*t.f.rows+block] {
				have++
			}
		}
		least = min(least, have)
	}
	return least
}

// digits prints a value for up to four ranks: digit k comes from rank k.
func digits(who uint64, ranks, block int) string {
	var b strings.Builder
	for rank := range ranks {
		if who&(1<<rank) != 0 {
			b.WriteString(blockDigit(block))
		} else {
			b.WriteString("0")
		}
	}
	return b.String()
}

// blockDigit is what every rank contributes to a block in the drawn values.
func blockDigit(block int) string { return fmt.Sprint(block%9 + 1) }

// drawnDigits is the most ranks whose digits are drawn.
const drawnDigits = 4

// worked shows one cell of the step: what it held, what came, what it holds.
func (t teller) worked(step int) (label, sum string) {
	at := &t.f.steps[step]
	if step == 0 || len(at.moves) == 0 {
		return "", ""
	}
	m := at.moves[0]
	before, after := t.f.steps[step-1].state, at.state
	cell := m.dst*t.f.rows + m.toBlock
	label = t.l.T("lesson.sum", locale.Values{"Rank": m.dst, "Block": m.toBlock})
	ranks := t.f.schedule.Ranks
	print := func(who uint64) string {
		if ranks <= drawnDigits {
			return digits(who, ranks, m.toBlock)
		}
		return fmt.Sprint(countBits(who))
	}
	if !m.reduce {
		if ranks > drawnDigits {
			return label, t.l.T("lesson.sum.copy.count", locale.Values{"Whole": countBits(after.who[cell]), "Ranks": ranks})
		}
		return label, t.l.T("lesson.sum.copy", locale.Values{"Before": print(before.who[cell]), "After": print(after.who[cell])})
	}
	terms := []string{print(before.who[cell])}
	for _, other := range at.moves {
		if other.dst == m.dst && other.toBlock == m.toBlock {
			terms = append(terms, print(t.f.carried(before, other)))
		}
	}
	if len(terms) > 5 { // as many ones as there are ranks say nothing
		terms = append(terms[:2], "…", terms[len(terms)-1])
	}
	sum = strings.Join(terms, " + ") + " = " + print(after.who[cell])
	if ranks > drawnDigits {
		sum = t.l.T("lesson.sum.count", locale.Values{"Sum": sum})
	}
	return label, sum
}

// invariants are what holds at a step, checked, not claimed.
func (t teller) invariants(step int) []views.Invariant {
	at := &t.f.steps[step]
	state := at.state
	say := func(kind, message string, values locale.Values) views.Invariant {
		return views.Invariant{Kind: kind, Text: t.l.T(message, values)}
	}
	var all []views.Invariant
	if len(at.moves) > 0 {
		values := t.values(step)
		values["Busiest"] = lessonBytes(at.busiest)
		if at.uniform {
			all = append(all, say("ok", "lesson.inv.each", values))
		} else {
			all = append(all, say("ok", "lesson.inv.port", values))
		}
		if at.waits() > 0 {
			all = append(all, say("warn", "lesson.inv.queue", values))
		} else {
			all = append(all, say("ok", "lesson.inv.noqueue", values))
		}
	}
	if state.doubled {
		all = append(all, say("bad", "lesson.inv.doubled", nil))
	} else {
		all = append(all, say("ok", "lesson.inv.once", nil))
	}
	phase := t.f.phases[at.phase]
	promise := map[schedule.Invariant]string{
		schedule.RootHoldsAll: "lesson.inv.root", schedule.OwnBlock: "lesson.inv.own", schedule.EveryoneHolds: "lesson.inv.all",
	}[phase.invariant]
	if promise != "" {
		kind := "todo"
		if state.promised {
			kind = "ok"
		}
		all = append(all, say(kind, promise, locale.Values{"Step": phase.last, "Ranks": t.f.schedule.Ranks, "Root": max(t.f.schedule.Root, 0)}))
	}
	for len(all) < shownInvariants { // the same number at every step, for the player to fill
		all = append(all, views.Invariant{Kind: "none"})
	}
	return all
}

// shownInvariants is the most that a step has.
const shownInvariants = 4
