package present

import (
	"fmt"
	"slices"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// arrow is a move of a step as it is drawn, and when it travels.
type arrow struct {
	draw.Move
	start, delivered unit.Seconds
}

// mostArrows is how many moves of a step can be told apart at all.
const mostArrows = 512

// arrowCount is how many arrows a step has.
func (t teller) arrowCount(at int) int {
	if t.layout() == draw.SwitchLayout {
		return len(t.legs(at))
	}
	if count := len(t.f.steps[at].moves); count <= mostArrows {
		return count + len(t.ghosts(at))
	}
	return 0
}

// arrows are the moves of a step as they are drawn. The states before and
// after it must have been kept.
func (t teller) arrows(at int, narrow bool) []arrow {
	if t.layout() == draw.SwitchLayout {
		return t.fabricArrows(at)
	}
	if t.arrowCount(at) == 0 {
		return nil
	}
	var all []arrow
	for i := range t.f.steps[at].moves {
		m := &t.f.steps[at].moves[i]
		a := arrow{start: m.start, delivered: m.delivered, Move: draw.Move{From: m.src(), To: m.dst(), FromCell: max(m.rows[0], 0), ToCell: max(m.toRows[0], 0),
			Block: m.hue, Number: m.label(), More: m.blocks() > 1, Value: t.tokenValue(m), Wait: t.waitWord(at, i, narrow), Kind: t.oddity(at, m)}}
		if len(t.trees.parents) > 0 {
			a.Tree = t.trees.along(m.src(), m.dst(), m.treeChunk())
		}
		all = append(all, a)
	}
	return append(all, t.ghosts(at)...)
}

// leg is what a rank puts into the switch in a step, or gets out of it, or
// what it sends through it to another.
type leg struct {
	from, to int
	first    *message // of those that take this way
	blocks   int
	sums     bool // the switch has added it up
}

// legs are those of a step, ranks in ascending order: first what goes in.
func (t teller) legs(at int) []leg {
	var in, out, through []leg
	join := func(all *[]leg, l leg) {
		for i, known := range *all {
			if known.from == l.from && known.to == l.to {
				(*all)[i].blocks += l.blocks
				return
			}
		}
		*all = append(*all, l)
	}
	for i := range t.f.steps[at].moves {
		m := &t.f.steps[at].moves[i]
		if m.alone() {
			join(&through, leg{from: m.src(), to: m.dst(), first: m, blocks: m.blocks()})
			continue
		}
		for _, src := range m.givers() {
			join(&in, leg{from: src, to: draw.Fabric, first: m, blocks: m.blocks()})
		}
		for _, dst := range m.takers() {
			join(&out, leg{from: draw.Fabric, to: dst, first: m, blocks: m.blocks(), sums: m.op == schedule.NetReduce})
		}
	}
	slices.SortStableFunc(in, func(a, b leg) int { return a.from - b.from })
	slices.SortStableFunc(out, func(a, b leg) int { return a.to - b.to })
	return append(append(in, out...), through...)
}

// fabricArrows are the legs of a step as arrows: into the switch in the first
// half of its time, out of it in the second.
func (t teller) fabricArrows(at int) []arrow {
	step := &t.f.steps[at]
	half := step.start + (step.end-step.start)/2
	var all []arrow
	for _, l := range t.legs(at) {
		a := arrow{Move: draw.Move{From: l.from, To: l.to, Block: l.first.hue, Number: l.first.label(), More: l.blocks > 1, Value: t.legValue(at, l), Kind: t.oddity(at, l.first)},
			start: step.start, delivered: step.end}
		if l.to == draw.Fabric {
			a.delivered = half
		}
		if l.from == draw.Fabric {
			a.start = half
		}
		all = append(all, a)
	}
	return all
}

// legValue is what a message to or from the switch says on its way.
func (t teller) legValue(at int, l leg) string {
	m := l.first
	switch {
	case l.blocks > 1:
		return t.l.T("lesson.stage.blocks", locale.Values{"Number": l.blocks})
	case t.f.grid.copies && m.from < 0:
		return t.l.T("break.nothing")
	case t.f.grid.copies:
		return rankShort(m.from)
	case l.from != draw.Fabric && m.op == schedule.NetReduce: // still its own
		before := t.f.steps[at-1].state
		return t.value(before.who[l.from*t.f.grid.rows+max(m.rows[0], 0)], m.number)
	}
	return t.value(m.who, m.number)
}

// value prints who is in a sum: its digits, or how many they are.
func (t teller) value(who uint64, block int) string {
	if n := t.f.schedule.Ranks; n > drawnDigits || t.f.schedule.Collective == schedule.Barrier {
		return fmt.Sprintf("%d/%d", countBits(who), n)
	}
	return digits(who, t.f.schedule.Ranks, block)
}

// idle are the ranks that neither send nor receive in a step in which others
// do; none in a star, in which all are in line.
func (t teller) idle(at int) []int {
	if len(t.f.steps[at].moves) == 0 || t.layout() == draw.StarLayout {
		return nil
	}
	return t.resting(at)
}

// resting are the ranks that neither send nor receive in a step.
func (t teller) resting(at int) []int {
	step := &t.f.steps[at]
	busy := make([]bool, t.f.schedule.Ranks)
	for i := range step.moves {
		for _, rank := range slices.Concat(step.moves[i].srcs, step.moves[i].dsts) {
			busy[rank] = true
		}
	}
	var idle []int
	for rank, is := range busy {
		if !is {
			idle = append(idle, rank)
		}
	}
	return idle
}
