package present

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/views/locale"
)

// lessonWords are the message ids of what is said about one pair by hand. A
// pair without them is narrated from its schedule alone.
type lessonWords struct {
	name   string
	what   string
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
			name: "lesson.ring.name", what: "lesson.ring.what", parts: "lesson.ring.parts", start: "lesson.ring.start",
			phases: map[string]phaseWords{
				"reduce-scatter": {"collective.reduce-scatter", "lesson.ring.rs.first", "lesson.ring.rs.middle", "lesson.ring.rs.last", "lesson.ring.rs.alone"},
				"all-gather":     {"collective.all-gather", "lesson.ring.ag.first", "lesson.ring.ag.middle", "lesson.ring.ag.last", "lesson.ring.ag.alone"},
			},
		}
	case "all-reduce/central":
		return lessonWords{
			name: "lesson.central.name", what: "lesson.central.what", parts: "lesson.central.parts", start: "lesson.central.start",
			phases: map[string]phaseWords{
				"collect": {alone: "lesson.central.collect.step"},
				"return":  {alone: "lesson.central.return.step"},
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
	trees trees  // of a tree's stage
	asked *asked // the question that is asked; nil for none
}

func (t teller) rank(r int) string { return fmt.Sprintf("Rank %d", r) }

// phaseName names a phase.
func (t teller) phaseName(l locale.Locale, i int) string {
	if words := t.words.phases[t.f.phases[i].key]; words.name != "" {
		return l.T(words.name)
	}
	return phaseTerm(l, t.f.phases[i].key)
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
		return t.l.T(collectiveMessage(t.f.schedule.Collective)+".start", values)
	}
	if id := t.said(step); id != "" {
		return t.l.T(id, values)
	}
	return t.tell(step)
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
		"Ranks": t.f.schedule.Ranks, "Others": t.f.schedule.Ranks - 1, "Blocks": t.f.schedule.Chunks, "Moves": len(at.moves), "Root": max(t.f.schedule.Root, 0),
		"Bytes": "", "Sent": 0, "Sum": 0, "Wait": duration(at.waits()), "Whole": 0,
	}
	if len(at.moves) == 0 {
		return values
	}
	m := &at.moves[0]
	values["Bytes"] = lessonBytes(m.bytes)
	if t.f.steps[step-1].state != nil {
		sent := countBits(m.who)
		values["Sent"] = sent
		values["Sum"] = sent + 1
	}
	if at.state != nil {
		values["Whole"], _ = t.finished(at.state)
	}
	return values
}

// finished is how many final blocks every rank has at the least, and how many
// ranks have all that they are to have.
func (t teller) finished(h *holding64) (least, ranks int) {
	s, g := t.f.schedule, t.f.grid
	least = g.rows
	for rank := range s.Ranks {
		have := 0
		for row := range g.rows {
			if h.final[rank*g.rows+row] {
				have++
			}
		}
		least = min(least, have)
		if have == s.BufChunks(rank, schedule.Out) {
			ranks++
		}
	}
	return least, ranks
}
