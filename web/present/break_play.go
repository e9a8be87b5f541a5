package present

import (
	"lockstep/engine/schedule"
	"lockstep/views/draw"
)

// editFacts is what a broken schedule's edit does to the lesson.
type editFacts struct {
	step  int      // of the lesson, at which it shows; no more than the last
	gone  bool     // the move was alone in its round, which has gone with it
	was   message  // as it should be
	now   *message // as it is; nil where it is not there, or where rounds have moved
	apart int      // the first step after which something differs; -1 for none
}

// amiss is what is wrong in a state of a broken schedule.
type amiss struct {
	cells  []bool // by rank, then row: it does not hold what it should
	count  int    // of them
	first  int    // of them; -1 for none
	strays bool   // something is where it does not belong
	hidden bool   // only scratch space that no cell shows differs
}

// wrong reports whether a cell does not hold what it should.
func (h *holding64) wrong(cell int) bool { return h.amiss != nil && h.amiss.cells[cell] }

// endure plays a broken schedule beside the right one, and keeps the states for
// the steps that keep names.
func (f *facts) endure(b *schedule.Broken, keep func(step int) bool) {
	end := len(f.steps) - 1
	e := &editFacts{step: min(b.Edit.Position, end), gone: b.Schedule.Rounds() < b.Right.Rounds(), apart: -1}
	e.was = messageOf(&b.Edit.Was)
	if b.Edit.Now.Count > 0 {
		now := messageOf(&b.Edit.Now)
		e.now = &now
	}
	f.edit = e
	needed := liveScratch(b.Schedule, keep)
	rightNeeded := map[int][]bool{}
	for right, live := range liveScratch(b.Right, func(right int) bool {
		for step := range f.steps {
			if keep(step) && b.RightPosition(step) == right {
				return true
			}
		}
		return false
	}) {
		rightNeeded[right] = live
	}
	loaded := false
	for step, states := range b.Walk() {
		last := step == end
		if e.apart < 0 && differ(b, states, last) {
			e.apart = step
		}
		if keep(step) {
			h := f.hold(states.Broken, f.steps[step].phase, needed[step])
			h.amiss = f.compare(b, states, last, needed[step], rightNeeded[b.RightPosition(step)])
			f.steps[step].state = h
		}
		if next := step + 1; next <= end && keep(next) {
			for i := range f.steps[next].moves {
				f.load(&f.steps[next].moves[i], states.Broken)
			}
		}
		if !loaded && (step == b.Edit.Position-1 || last) {
			loaded = true
			f.load(&e.was, states.Right)
			if e.now != nil {
				f.load(e.now, states.Broken)
			}
		}
	}
}

// messageOf is a step as a message of its own, of which nothing is known but
// where it goes.
func messageOf(step *schedule.Step) message {
	return message{srcs: step.Sources(), dsts: step.Destinations(), op: step.Op, parts: []part{{step.SrcBuf, step.SrcChunk, step.DstBuf, step.DstChunk, step.Count}}}
}

// odd reports whether a chunk does not hold what it holds in the right
// schedule. Before the end a rank's own data counts as there wherever it is:
// when it is copied out of in does not matter to anyone.
func odd(states schedule.States, last bool, rank int, buf schedule.Buf, chunk int) bool {
	if !states.Differ(rank, buf, chunk) {
		return false
	}
	here, right := states.Broken.Holds(rank, buf, chunk), states.Right.Holds(rank, buf, chunk)
	own := func(held []schedule.Contribution) bool {
		return len(held) == 1 && held[0].First == rank && held[0].Last == rank && held[0].Times == 1
	}
	return last || !(len(here) == 0 && own(right) || len(right) == 0 && own(here))
}

// differ reports whether anything outside of in is odd.
func differ(b *schedule.Broken, states schedule.States, last bool) bool {
	for rank := range b.Right.Ranks {
		for _, buf := range []schedule.Buf{schedule.Out, schedule.Tmp} {
			for chunk := range max(b.Right.BufChunks(rank, buf), b.Schedule.BufChunks(rank, buf)) {
				if odd(states, last, rank, buf, chunk) {
					return true
				}
			}
		}
	}
	return false
}

// compare finds the cells of a state that do not hold what they hold in the
// right schedule: in out, or in scratch space that one of the two still needs.
func (f *facts) compare(b *schedule.Broken, states schedule.States, last bool, needed, rightNeeded []bool) *amiss {
	g := f.grid
	a := &amiss{cells: make([]bool, b.Right.Ranks*g.rows), first: -1}
	mark := func(rank, row int) {
		if row == noRow {
			a.hidden = true
			return
		}
		a.cells[rank*g.rows+row] = true
	}
	live := func(needed []bool, s *schedule.Schedule, rank, chunk int) bool {
		return chunk < s.TmpChunks && needed[rank*s.TmpChunks+chunk]
	}
	for rank := range b.Right.Ranks {
		for chunk := range b.Right.BufChunks(rank, schedule.Out) {
			if odd(states, last, rank, schedule.Out, chunk) {
				mark(rank, g.out(rank, chunk))
			}
		}
		for chunk := range max(b.Right.TmpChunks, b.Schedule.TmpChunks) {
			if !odd(states, last, rank, schedule.Tmp, chunk) || !live(needed, b.Schedule, rank, chunk) && !live(rightNeeded, b.Right, rank, chunk) {
				continue
			}
			held := states.Right.Holds(rank, schedule.Tmp, chunk)
			if len(held) == 0 {
				held = states.Broken.Holds(rank, schedule.Tmp, chunk)
			}
			mark(rank, g.tmp(held))
		}
	}
	for cell, wrong := range a.cells {
		if wrong && a.first < 0 {
			a.first = cell
		}
		if wrong {
			a.count++
		}
	}
	for _, flaw := range states.Broken.Flaws() {
		a.strays = a.strays || flaw.Kind == schedule.Foreign && states.Differ(flaw.Rank, schedule.Out, flaw.Chunk)
	}
	return a
}

// ghosts are the arrows of moves that are missing in a step.
func (t teller) ghosts(at int) []arrow {
	e := t.f.edit
	if e == nil || at != e.step || e.gone || t.c.broken.Defect != schedule.Dropped || at == 0 {
		return nil
	}
	m, step := &e.was, &t.f.steps[at]
	a := arrow{start: step.start, delivered: step.end, Move: draw.Move{From: m.src(), To: m.dst(), Block: m.hue, Number: "×", Value: t.l.T("break.ghost"), Kind: "ghost"}}
	if len(m.rows) > 0 { // its state was walked past
		a.FromCell, a.ToCell = max(m.rows[0], 0), max(m.toRows[0], 0)
	}
	return []arrow{a}
}

// oddity is the class of a message that is not as it should be.
func (t teller) oddity(at int, m *message) string {
	e := t.f.edit
	if e == nil || e.now == nil || at != e.step || m.src() != e.now.src() || m.dst() != e.now.dst() || m.op != e.now.op {
		return ""
	}
	for _, p := range m.parts {
		if p == e.now.parts[0] {
			return "wrong"
		}
	}
	return ""
}
