package present

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// describedMoves is how many moves the description of a picture lists.
const describedMoves = 8

// describe says the picture in words.
func (t teller) describe(at int) string {
	step := &t.f.steps[at]
	if len(step.moves) == 0 {
		if t.f.grid.rows-t.f.grid.split == 1 {
			return t.l.T("lesson.stage.still.whole", locale.Values{"Ranks": t.f.schedule.Ranks})
		}
		return t.l.T("lesson.stage.still", locale.Values{"Count": t.f.schedule.Ranks, "Ranks": t.f.schedule.Ranks, "Blocks": t.f.grid.rows - t.f.grid.split})
	}
	var said []string
	for i := range step.moves[:min(len(step.moves), describedMoves)] {
		said = append(said, t.describeMove(&step.moves[i]))
	}
	if more := len(step.moves) - describedMoves; more > 0 {
		said = append(said, t.l.T("lesson.stage.more", locale.Values{"Number": more}))
	}
	all := said[0]
	for _, next := range said[1:] {
		all = t.l.T("lesson.stage.join", locale.Values{"Moves": all, "Next": next})
	}
	return all
}

func (t teller) describeMove(m *message) string {
	switch m.op {
	case schedule.Multicast:
		return t.l.T("lesson.stage.move.multicast", locale.Values{"From": m.src(), "To": rankList(m.takers()), "Block": blockRange(m)})
	case schedule.NetReduce:
		return t.l.T("lesson.stage.move.netreduce", locale.Values{"From": rankList(m.srcs), "To": m.dst(), "Block": blockRange(m)})
	}
	return t.l.T("lesson.stage.move", locale.Values{"From": m.src(), "To": m.dst(), "Block": blockRange(m), "Value": t.tokenValue(m)})
}

// rankList names some ranks, a run of them by its ends.
func rankList(ranks []int) string {
	var runs []run
	for _, rank := range slices.Sorted(slices.Values(ranks)) {
		if n := len(runs); n > 0 && runs[n-1].last+1 == rank {
			runs[n-1].last = rank
		} else {
			runs = append(runs, run{rank, rank})
		}
	}
	return joinRuns(runs, 4)
}

// joinRuns prints runs of numbers, no more than most of them.
func joinRuns(runs []run, most int) string {
	var said []string
	for i, r := range runs {
		switch {
		case i == most:
			said = append(said, "…")
		case i > most:
		case r.first == r.last:
			said = append(said, fmt.Sprint(r.first))
		default:
			said = append(said, fmt.Sprintf("%d–%d", r.first, r.last))
		}
	}
	return strings.Join(said, ", ")
}

// blockRange names the blocks that a message carries, those of one number
// once.
func blockRange(m *message) string {
	switch {
	case len(m.rows) == 0 || m.blocks() == 1:
		return m.label()
	case m.swaps:
		return m.label() + "+"
	}
	if slices.Contains(m.rows, noRow) { // of a broken schedule
		rows := slices.Clone(m.rows)
		for i := range rows {
			rows[i] = max(rows[i], m.toRows[i])
		}
		if rows = without(rows, noRow); len(rows) == 0 {
			return "?"
		}
		return rankList(rows)
	}
	return rankList(m.rows)
}

// tokenValue is what a message says on its way: its digits, whose it is, or
// how many contributions it carries.
func (t teller) tokenValue(m *message) string {
	if t.layout() == draw.StarLayout && t.f.schedule.Ranks > 5 {
		outer := m.src()
		if outer == max(t.f.schedule.Root, 0) {
			outer = m.dst()
		}
		return rankShort(outer)
	}
	switch blocks := m.blocks(); {
	case blocks > 1:
		return t.l.T("lesson.stage.blocks", locale.Values{"Number": blocks})
	case t.f.grid.copies && m.from < 0 && t.c.broken != nil:
		return t.l.T("break.nothing")
	case t.f.grid.copies:
		return rankShort(max(m.from, 0))
	}
	return t.value(m.who, m.number)
}

// narrowWaits is the longest queue whose every wait has room on a phone.
const narrowWaits = 4

// waitWord says when a message of a queue leaves; where the queue is long and
// the stage narrow, only of the first and the last.
func (t teller) waitWord(at, i int, narrow bool) string {
	step := &t.f.steps[at]
	moves := step.moves
	if t.layout() != draw.StarLayout || narrow && len(moves) > narrowWaits && i > 0 && i < len(moves)-1 {
		return ""
	}
	wait := step.wait(i)
	if wait <= 0 {
		return t.l.T("lesson.stage.first")
	}
	return t.l.T("lesson.stage.wait", locale.Values{"Time": duration(wait)})
}

// portWord names the queue of a star, or says what a switch does.
func (t teller) portWord(at int) string {
	switch t.layout() {
	case draw.SwitchLayout:
		return t.switchWord(at)
	case draw.StarLayout:
	default:
		return ""
	}
	step, root := &t.f.steps[at], max(t.f.schedule.Root, 0)
	id := "lesson.stage.port.idle"
	for i := range step.moves {
		id = "lesson.stage.port.out"
		if step.moves[i].dst() == root {
			id = "lesson.stage.port.in"
			break
		}
	}
	return t.l.T(id, locale.Values{"Rank": root, "Number": len(step.moves)})
}

// switchWord says what the switch does in a step.
func (t teller) switchWord(at int) string {
	in, out, sums := 0, 0, false
	for _, l := range t.legs(at) {
		if l.to == draw.Fabric {
			in++
		}
		if l.from == draw.Fabric {
			out++
			sums = sums || l.sums
		}
	}
	switch {
	case sums:
		return t.l.T("lesson.stage.switch.sums", locale.Values{"In": in, "Out": out})
	case out > 0:
		return t.l.T("lesson.stage.switch.copies", locale.Values{"In": in, "Out": out})
	}
	return t.l.T("lesson.stage.switch")
}
