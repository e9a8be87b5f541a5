package present

import (
	"slices"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/locale"
)

// names are the words that do not say what happens.
func (w lessonWords) names() lessonWords {
	named := lessonWords{name: w.name, what: w.what, parts: w.parts, start: w.start, phases: map[string]phaseWords{}}
	for key, words := range w.phases {
		named.phases[key] = phaseWords{name: words.name}
	}
	return named
}

// editText says what has been broken.
func (t teller) editText() string {
	b, e := t.c.broken, t.f.edit
	was := &e.was
	values := locale.Values{"Step": b.Edit.Position, "From": rankList(was.srcs), "To": rankList(was.dsts), "Block": blockRange(was)}
	words := wordsOfDefect(b.Defect)
	id := words.edit
	switch b.Defect {
	case schedule.Swapped:
		if p := b.Edit.Phases; p[0] != schedule.NoPhase {
			values["First"], values["Second"] = phaseTerm(t.l, b.Right.Phases[p[0]].Key), phaseTerm(t.l, b.Right.Phases[p[1]].Key)
			id = words.other
			break
		}
		values["Next"] = b.Edit.Position + 1
	case schedule.WrongBlock:
		if b.Edit.Now.SrcChunk == b.Edit.Was.SrcChunk {
			id = words.other
			values["Now"], values["Block"] = t.placeOf(e.now), t.placeOf(was)
			break
		}
		values["Now"] = blockRange(e.now)
	case schedule.WrongRank:
		values["Now"] = rankList(e.now.dsts)
		if slices.Equal(was.dsts, e.now.dsts) {
			id = words.other
			values["Now"] = rankList(e.now.srcs)
		}
	case schedule.Doubled:
	case schedule.Dropped:
	}
	return t.l.T(id, values)
}

// placeOf names where a message's first chunk goes.
func (t teller) placeOf(m *message) string {
	return t.chunkPlace(m.dst(), m.parts[0].toBuf, m.parts[0].toChunk)
}

// tellBroken says what is broken at the step, and how far everyone is.
func (t teller) tellBroken(step int, say func(string, locale.Values)) {
	if step == t.f.edit.step {
		say("break.say.edit", locale.Values{"Edit": t.editText()})
	}
	if step == len(t.f.steps)-1 {
		wrong := map[int]bool{}
		for _, flaw := range t.c.broken.Flaws {
			wrong[flaw.Rank] = true
		}
		say("break.say.end", locale.Values{"Wrong": len(wrong), "Ranks": t.f.schedule.Ranks, "Blocks": len(t.c.broken.Flaws)})
	}
}

// shownBroken is how many invariants a step of a broken schedule has.
const shownBroken = 6

// brokenInvariants are what holds at a step of a broken schedule and what does
// not: checked like those of a right one.
func (t teller) brokenInvariants(step int) []views.Invariant {
	at, s := &t.f.steps[step], t.f.schedule
	var all []views.Invariant
	say := func(holds bool, good, bad string) {
		if holds {
			all = append(all, views.Invariant{Kind: "ok", Text: good})
		} else {
			all = append(all, views.Invariant{Kind: "bad", Text: bad})
		}
	}
	if len(at.moves) > 0 {
		all = t.portInvariants(step)
		trouble := t.troubleAt(step)
		say(trouble == "", t.l.T("break.inv.steps"), trouble)
	}
	last := step == len(t.f.steps)-1
	a := at.state.amiss
	switch {
	case s.Collective == schedule.Barrier:
		say(!last, t.l.T("lesson.inv.early"), t.l.T("break.inv.early"))
	case t.f.grid.copies:
		say(!a.strays, t.l.T("break.inv.place"), t.l.T("break.inv.misplaced"))
	case a.strays:
		say(false, "", t.l.T("break.inv.mixed"))
	default:
		say(!at.state.doubled, t.l.T("lesson.inv.once"), t.l.T("lesson.inv.doubled"))
	}
	if phase := t.f.phases[at.phase]; phase.invariant != schedule.NoInvariant {
		promise := views.Invariant{Kind: "todo", Text: t.l.T("lesson.inv.promise", locale.Values{"Step": phase.last, "Promise": invariantTerm(t.l, s, phase.invariant)})}
		switch {
		case at.state.promised:
			promise.Kind = "ok"
		case step >= phase.last:
			promise.Kind = "bad"
		}
		all = append(all, promise)
	}
	say(a.count == 0 && !a.hidden, t.l.T("break.inv.same"), t.apartText(a))
	for len(all) < shownBroken {
		all = append(all, views.Invariant{Kind: "none"})
	}
	return all
}

// apartText says which cells differ from those of the right schedule.
func (t teller) apartText(a *amiss) string {
	if a.count == 0 {
		return t.l.T("break.inv.hidden")
	}
	rank, row := a.first/t.f.grid.rows, a.first%t.f.grid.rows
	id := "break.inv.apart"
	if a.count == 1 {
		id = "break.inv.apart.one"
	}
	return t.l.T(id, locale.Values{"Number": a.count, "Rank": rank, "Block": t.f.grid.look(rank, row).number})
}

// troubleAt says what goes wrong in a step, empty for nothing.
func (t teller) troubleAt(step int) string {
	for _, trouble := range t.c.broken.Troubles {
		if trouble.Position == step && trouble.Kind != schedule.PromiseBroken {
			return t.troubleText(trouble)
		}
	}
	return ""
}

// troubleText says what has gone wrong, and where.
func (t teller) troubleText(trouble schedule.Trouble) string {
	if trouble.Kind == schedule.PromiseBroken {
		phase := t.f.schedule.Phases[trouble.Phase]
		return t.l.T(troubleWords(trouble.Kind), locale.Values{"Phase": t.phaseName(t.l, trouble.Phase), "Promise": invariantTerm(t.l, t.f.schedule, phase.Invariant)})
	}
	return t.l.T(troubleWords(trouble.Kind), locale.Values{"Rank": trouble.Rank, "Place": t.chunkPlace(trouble.Rank, trouble.Buf, trouble.Chunk)})
}

// chunkPlace names a chunk of a buffer by its block.
func (t teller) chunkPlace(rank int, buf schedule.Buf, chunk int) string {
	g := t.f.grid
	id, row := "break.place.block", noRow
	switch buf {
	case schedule.In:
		if row = g.in(rank, chunk); g.swaps {
			id, row = "break.place.in", noRow
		}
	case schedule.Out:
		if row = g.out(rank, chunk); g.swaps {
			return t.l.T("break.place.out", locale.Values{"Block": g.look(rank, row).number})
		}
	case schedule.Tmp:
		id = "break.place.tmp"
	}
	if row == noRow {
		return t.l.T(id, locale.Values{"Block": chunk})
	}
	return t.l.T(id, locale.Values{"Block": g.look(rank, row).number})
}
