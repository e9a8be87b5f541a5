package present

import (
	"fmt"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// drawnDigits is the most ranks whose digits are drawn.
const drawnDigits = 4

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

// worked shows one cell of the step: what it held, what came, what it holds.
func (t teller) worked(step int) (label, sum string) {
	at, s := &t.f.steps[step], t.f.schedule
	if step == 0 || len(at.moves) == 0 || t.c.broken != nil { // sums of a broken schedule need not add up
		return "", ""
	}
	m := &at.moves[0]
	dst := m.takers()[0]
	if t.f.grid.copies {
		return t.workedCopy(m, dst)
	}
	row := m.toRows[0]
	before, after := t.f.steps[step-1].state, at.state
	cell := dst*t.f.grid.rows + row
	label = t.l.T("lesson.sum", locale.Values{"Rank": dst, "Block": row})
	print := func(who uint64) string {
		if t.digits() {
			return digits(who, s.Ranks, row)
		}
		return fmt.Sprint(countBits(who))
	}
	if s.Collective == schedule.Barrier {
		return t.l.T("lesson.sum.knows", locale.Values{"Rank": dst}), t.l.T("lesson.sum.known", locale.Values{"Whole": countBits(after.who[cell]), "Ranks": s.Ranks})
	}
	if !m.reduce() && !t.addsUp(before, after, cell, m) {
		if s.Ranks > drawnDigits {
			return label, t.l.T("lesson.sum.copy.count", locale.Values{"Whole": countBits(after.who[cell]), "Ranks": s.Ranks})
		}
		return label, t.l.T("lesson.sum.copy", locale.Values{"Before": print(before.who[cell]), "After": print(after.who[cell])})
	}
	var terms []string
	if m.op != schedule.NetReduce {
		terms = append(terms, print(before.who[cell]))
	}
	for i := range at.moves {
		other := &at.moves[i]
		if other.dst() != dst || other.toRows[0] != row {
			continue
		}
		if other.op != schedule.NetReduce {
			terms = append(terms, print(other.who))
			continue
		}
		for _, src := range other.srcs {
			terms = append(terms, print(before.who[src*t.f.grid.rows+row]))
		}
	}
	if len(terms) > 5 { // as many ones as there are ranks say nothing
		terms = append(terms[:2], "…", terms[len(terms)-1])
	}
	sum = strings.Join(terms, " + ") + " = " + print(after.who[cell])
	if s.Ranks > drawnDigits {
		sum = t.l.T("lesson.sum.count", locale.Values{"Sum": sum})
	}
	return label, sum
}

// addsUp reports whether a copy was added to what was there before, by the
// rank itself.
func (t teller) addsUp(before, after *holding64, cell int, m *message) bool {
	return after.who[cell] == before.who[cell]|m.who && before.who[cell]&m.who == 0 && m.who != after.who[cell]
}

// workedCopy says whose data has come.
func (t teller) workedCopy(m *message, dst int) (label, sum string) {
	if t.f.grid.swaps {
		return t.l.T("lesson.sum.gets", locale.Values{"Rank": dst}), t.l.T("lesson.sum.block", locale.Values{"From": m.from, "Block": m.number})
	}
	return t.l.T("lesson.sum", locale.Values{"Rank": dst, "Block": blockRange(m)}), t.l.T("lesson.sum.from", locale.Values{"From": m.from})
}

// invariants are what holds at a step, checked, not claimed.
func (t teller) invariants(step int) []views.Invariant {
	if t.c.broken != nil {
		return t.brokenInvariants(step)
	}
	at := &t.f.steps[step]
	say := func(kind, text string) views.Invariant { return views.Invariant{Kind: kind, Text: text} }
	var all []views.Invariant
	if len(at.moves) > 0 {
		all = t.portInvariants(step)
	}
	switch {
	case at.state.doubled:
		all = append(all, say("bad", t.l.T("lesson.inv.doubled")))
	case t.f.grid.copies:
		all = append(all, say("ok", t.l.T("lesson.inv.same")))
	case t.f.schedule.Collective == schedule.Barrier:
		all = append(all, say("ok", t.l.T("lesson.inv.early")))
	default:
		all = append(all, say("ok", t.l.T("lesson.inv.once")))
	}
	if phase := t.f.phases[at.phase]; phase.invariant != schedule.NoInvariant {
		kind := "todo"
		if at.state.promised {
			kind = "ok"
		}
		all = append(all, say(kind, t.l.T("lesson.inv.promise", locale.Values{"Step": phase.last, "Promise": invariantTerm(t.l, t.f.schedule, phase.invariant)})))
	}
	for len(all) < shownInvariants { // the same number at every step, for the player to fill
		all = append(all, views.Invariant{Kind: "none"})
	}
	return all
}

// portInvariants say what goes through the ports in a step.
func (t teller) portInvariants(step int) []views.Invariant {
	at := &t.f.steps[step]
	values := t.values(step)
	values["Busiest"] = lessonBytes(at.busiest)
	port, queue, kind := "lesson.inv.port", "lesson.inv.noqueue", "ok"
	if at.uniform {
		port = "lesson.inv.each"
	}
	for i := range at.moves {
		if at.moves[i].bytes != at.moves[0].bytes {
			queue = "lesson.inv.free"
		}
	}
	switch {
	case at.waits() > 0 && t.layout() == draw.StarLayout:
		queue, kind = "lesson.inv.queue", "warn"
	case at.waits() > 0:
		queue, kind = "lesson.inv.queues", "warn"
	}
	if t.f.schedule.Collective == schedule.Barrier {
		port, queue = "lesson.inv.nodata", "lesson.inv.free"
		kind = "ok"
	}
	return []views.Invariant{{Kind: "ok", Text: t.l.T(port, values)}, {Kind: kind, Text: t.l.T(queue, values)}}
}

// shownInvariants is the most that a step has.
const shownInvariants = 4
