package present

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// stageLayouts says how each layout of a schedule is drawn.
var stageLayouts = map[schedule.Layout]draw.StageLayout{schedule.Ring: draw.RingLayout, schedule.Star: draw.StarLayout}

// stage draws a step: what every rank holds after it, and what has moved.
func (t teller) stage(at int, narrow bool) draw.Stage {
	step := &t.f.steps[at]
	s := draw.Stage{
		Layout: stageLayouts[t.f.schedule.Layout], Narrow: narrow, ID: "stage", Title: t.title(at), Desc: t.describe(at),
		PortWord: t.portWord(at), Center: max(t.f.schedule.Root, 0),
	}
	if narrow {
		s.ID = "stage-narrow"
	}
	if n := t.f.schedule.Ranks; n > 1 {
		s.WrapWord = t.l.T("lesson.stage.wrap", locale.Values{"Last": n - 1})
	}
	for _, other := range t.f.steps {
		s.Slots = max(s.Slots, len(other.moves))
	}
	for rank := range t.f.schedule.Ranks {
		s.Cards = append(s.Cards, draw.Card{Name: t.rank(rank), Short: fmt.Sprint(rank), Note: t.cardNote(step, rank), Cells: t.cells(at, rank)})
	}
	for i, m := range step.moves {
		s.Moves = append(s.Moves, draw.Move{From: m.src, To: m.dst, FromCell: m.block, ToCell: m.toBlock, Block: m.block,
			Value: t.tokenValue(at, m), Wait: t.waitWord(at, i, narrow)})
	}
	if s.Heat() {
		s.WrapWord, s.Moves, s.Slots = t.l.T("lesson.stage.heat"), nil, 0
	}
	return s
}

// title names the picture.
func (t teller) title(at int) string {
	return t.l.T("lesson.stage.title", locale.Values{"Name": t.name(t.l), "Step": at, "Steps": len(t.f.steps) - 1})
}

// describedMoves is how many moves the description of a picture lists.
const describedMoves = 8

// describe says the picture in words.
func (t teller) describe(at int) string {
	step := &t.f.steps[at]
	if len(step.moves) == 0 {
		return t.l.T("lesson.stage.still", locale.Values{"Ranks": t.f.schedule.Ranks, "Blocks": t.f.rows})
	}
	var said []string
	for _, m := range step.moves[:min(len(step.moves), describedMoves)] {
		said = append(said, t.l.T("lesson.stage.move", locale.Values{"From": m.src, "To": m.dst, "Block": blockRange(m), "Value": t.tokenValue(at, m)}))
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

func blockRange(m message) string {
	if m.blocks == 1 {
		return fmt.Sprint(m.block)
	}
	return fmt.Sprintf("%d–%d", m.block, m.block+m.blocks-1)
}

// tokenValue is what a message says on its way: its digits, or how many
// contributions it carries.
func (t teller) tokenValue(at int, m message) string {
	before := t.f.steps[at-1].state
	n := t.f.schedule.Ranks
	if t.f.schedule.Layout == schedule.Star && n > 5 {
		outer := m.src
		if outer == max(t.f.schedule.Root, 0) {
			outer = m.dst
		}
		return fmt.Sprintf("R%d", outer)
	}
	if m.blocks > 1 {
		return t.l.T("lesson.stage.blocks", locale.Values{"Number": m.blocks})
	}
	who := t.f.carried(before, m)
	if n <= drawnDigits {
		return digits(who, n, m.block)
	}
	return fmt.Sprintf("%d/%d", countBits(who), n)
}

// narrowWaits is the longest queue whose every wait has room on a phone.
const narrowWaits = 4

// waitWord says when a message of a queue leaves; where the queue is long and
// the stage narrow, only of the first and the last.
func (t teller) waitWord(at, i int, narrow bool) string {
	moves := t.f.steps[at].moves
	m := moves[i]
	if t.f.schedule.Layout != schedule.Star || narrow && len(moves) > narrowWaits && i > 0 && i < len(moves)-1 {
		return ""
	}
	if m.start <= m.ready {
		return t.l.T("lesson.stage.first")
	}
	return t.l.T("lesson.stage.wait", locale.Values{"Time": duration(m.start - m.ready)})
}

// portWord names the queue of a star.
func (t teller) portWord(at int) string {
	if t.f.schedule.Layout != schedule.Star {
		return ""
	}
	step, root := &t.f.steps[at], max(t.f.schedule.Root, 0)
	switch {
	case len(step.moves) == 0:
		return t.l.T("lesson.stage.port.idle", locale.Values{"Rank": root})
	case step.received[root] > 0:
		return t.l.T("lesson.stage.port.in", locale.Values{"Rank": root, "Number": len(step.moves)})
	}
	return t.l.T("lesson.stage.port.out", locale.Values{"Rank": root, "Number": len(step.moves)})
}

// cardNote says what a rank sends and receives.
func (t teller) cardNote(step *stepFacts, rank int) string {
	var sent, received []message
	for _, m := range step.moves {
		if m.src == rank {
			sent = append(sent, m)
		}
		if m.dst == rank {
			received = append(received, m)
		}
	}
	switch {
	case len(sent) == 1 && len(received) == 1:
		return t.l.T("lesson.stage.note", locale.Values{"Sent": blockRange(sent[0]), "Received": received[0].toBlock})
	case len(sent) > 0:
		return t.l.T("lesson.stage.sends", locale.Values{"Number": len(sent)})
	case len(received) > 0:
		return t.l.T("lesson.stage.receives", locale.Values{"Number": len(received)})
	}
	return ""
}

// cells are the blocks of a rank after a step.
func (t teller) cells(at, rank int) []draw.BlockCell {
	step := &t.f.steps[at]
	after, before := step.state, step.state
	if at > 0 {
		before = t.f.steps[at-1].state
	}
	roles, send, receive := t.roles(at), t.l.T("lesson.stage.send"), t.l.T("lesson.stage.receive")
	cells := make([]draw.BlockCell, t.f.rows)
	for block := range cells {
		i := rank*t.f.rows + block
		cell := draw.BlockCell{Rank: rank, Block: block, Final: after.final[i], Role: roles[i],
			SendWord: send, ReceiveWord: receive, Ticks: make([]draw.CellTick, t.f.schedule.Ranks)}
		if t.f.schedule.Ranks <= drawnDigits {
			cell.Digit = blockDigit(block)
		}
		for k := range cell.Ticks {
			had, has := before.who[i]>>k&1 == 1, after.who[i]>>k&1 == 1
			switch {
			case has && had:
				cell.Ticks[k] = draw.TickOn
			case has:
				cell.Ticks[k] = draw.TickNew
			default:
				cell.Ticks[k] = draw.TickOff
			}
		}
		cells[block] = cell
	}
	return cells
}

// roles are the cells that send and receive in a step, by cell.
func (t teller) roles(at int) map[int]draw.Role {
	roles := map[int]draw.Role{}
	for _, m := range t.f.steps[at].moves {
		for i := range m.blocks {
			roles[m.src*t.f.rows+m.block+i] = draw.Sends
		}
	}
	for _, m := range t.f.steps[at].moves {
		for i := range m.blocks {
			roles[m.dst*t.f.rows+m.toBlock+i] = draw.Receives
		}
	}
	return roles
}
