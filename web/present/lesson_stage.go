package present

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// stageLayouts says how each layout of a schedule is drawn.
var stageLayouts = map[schedule.Layout]draw.StageLayout{
	schedule.Ring: draw.RingLayout, schedule.Star: draw.StarLayout, schedule.Tree: draw.TreeLayout,
	schedule.Nodes: draw.NodesLayout, schedule.Switch: draw.SwitchLayout,
}

// layout is how the ranks stand: as the schedule is best drawn, but in a star
// only where every message comes from its center or goes there.
func (t teller) layout() draw.StageLayout {
	layout := stageLayouts[t.f.schedule.Layout]
	if layout != draw.StarLayout {
		return layout
	}
	center := max(t.f.schedule.Root, 0)
	for _, step := range t.f.steps {
		for i := range step.moves {
			if m := &step.moves[i]; m.src() != center && m.dst() != center {
				return draw.RowLayout
			}
		}
	}
	return layout
}

// stage draws a step: what every rank holds after it, and what has moved.
func (t teller) stage(at int, narrow bool) draw.Stage {
	step := &t.f.steps[at]
	s := t.ground(narrow)
	s.Title, s.Desc, s.PortWord = t.title(at), t.describe(at), t.portWord(at)
	for other := range t.f.steps {
		s.Slots = max(s.Slots, t.arrowCount(other))
	}
	for rank := range t.f.schedule.Ranks {
		s.Cards = append(s.Cards, draw.Card{Name: t.rank(rank), Short: fmt.Sprint(rank), Note: t.cardNote(step, rank), Foot: t.foot(step, rank), Cells: t.cells(at, rank)})
	}
	for _, rank := range t.idle(at) {
		s.Cards[rank].Idle = true
	}
	if s.Arrows() {
		for _, a := range t.arrows(at, narrow) {
			s.Moves = append(s.Moves, a.Move)
		}
	} else {
		s.Slots = 0
	}
	if s.Heat() {
		s.WrapWord = t.heatWord(s.Arrows())
	}
	s.Asked = t.askMarks()
	return s
}

// heatWord says what a cell of a heat map, or a dot, is.
func (t teller) heatWord(dots bool) string {
	switch copies := t.f.grid.copies; {
	case dots && copies:
		return t.l.T("lesson.stage.dots.copies")
	case dots:
		return t.l.T("lesson.stage.dots")
	case copies:
		return t.l.T("lesson.stage.heat.copies")
	}
	return t.l.T("lesson.stage.heat")
}

// ground is what a stage shows at every step.
func (t teller) ground(narrow bool) draw.Stage {
	schedule := t.f.schedule
	s := draw.Stage{
		Layout: t.layout(), Narrow: narrow, ID: "stage", Center: max(schedule.Root, 0),
		Parents: t.trees.parents, PerNode: schedule.RanksPerNode, Split: t.f.grid.split, Arcs: t.arcs(), Feet: t.feet(),
	}
	if narrow {
		s.ID = "stage-narrow"
	}
	if schedule.Ranks > 1 {
		s.WrapWord = t.l.T("lesson.stage.wrap", locale.Values{"Last": schedule.Ranks - 1})
	}
	switch s.Layout {
	case draw.TreeLayout:
		if len(s.Parents) > 1 {
			s.EdgeWords = []string{t.l.T("lesson.stage.tree.first"), t.l.T("lesson.stage.tree.second")}
		}
	case draw.NodesLayout:
		per := max(s.PerNode, 1)
		for node := range (schedule.Ranks + per - 1) / per {
			s.Nodes = append(s.Nodes, t.l.T("lesson.stage.node", locale.Values{"Node": node}))
		}
		for rail := range min(per, schedule.Ranks) {
			s.Rails = append(s.Rails, fmt.Sprint(rail))
		}
		s.EdgeWords = []string{t.l.T("lesson.stage.nodes.inside"), t.l.T("lesson.stage.nodes.across"), t.l.T("lesson.stage.nodes.rail")}
	}
	return s
}

// arcs reports whether some message of a row of cards goes to anyone but the
// right neighbour.
func (t teller) arcs() bool {
	layout, n := t.layout(), t.f.schedule.Ranks
	if layout == draw.RowLayout {
		return n > 1
	}
	for _, step := range t.f.steps {
		for i := range step.moves {
			if m := &step.moves[i]; layout == draw.RingLayout && m.dst() != (m.src()+1)%n {
				return true
			}
		}
	}
	return false
}

// feet reports whether blocks stand in scratch space that no cell shows.
func (t teller) feet() bool { return t.f.grid.swaps && t.f.schedule.TmpChunks > 0 }

// foot says how many blocks a rank holds only to pass them on.
func (t teller) foot(step *stepFacts, rank int) string {
	if step.state == nil || step.state.transit[rank] == 0 {
		return ""
	}
	return t.l.T("lesson.stage.transit", locale.Values{"Number": step.state.transit[rank]})
}

// title names the picture.
func (t teller) title(at int) string {
	return t.l.T("lesson.stage.title", locale.Values{"Name": t.name(t.l), "Step": at, "Steps": len(t.f.steps) - 1})
}

// cardNote says what a rank sends and receives.
func (t teller) cardNote(step *stepFacts, rank int) string {
	var sent, received []*message
	for i := range step.moves {
		m := &step.moves[i]
		for _, src := range m.givers() {
			if src == rank {
				sent = append(sent, m)
			}
		}
		for _, dst := range m.takers() {
			if dst == rank {
				received = append(received, m)
			}
		}
	}
	switch {
	case len(sent) == 1 && len(received) == 1 && sent[0].alone() && received[0].alone() && len(sent[0].rows) > 0:
		return t.l.T("lesson.stage.note", locale.Values{"Sent": blockRange(sent[0]), "Received": blockRange(received[0])})
	case len(sent) > 0 && len(received) > 0:
		return t.l.T("lesson.stage.both", locale.Values{"Sent": len(sent), "Received": len(received)})
	case len(sent) > 0:
		return t.l.T("lesson.stage.sends", locale.Values{"Number": len(sent)})
	case len(received) > 0:
		return t.l.T("lesson.stage.receives", locale.Values{"Number": len(received)})
	}
	return ""
}

// cells are the blocks of a rank after a step.
func (t teller) cells(at, rank int) []draw.BlockCell {
	step, g := &t.f.steps[at], t.f.grid
	after, before := step.state, step.state
	if at > 0 {
		before = t.f.steps[at-1].state
	}
	roles, send, receive := t.roles(at), t.l.T("lesson.stage.send"), t.l.T("lesson.stage.receive")
	cells := make([]draw.BlockCell, g.rows)
	for row := range cells {
		i := rank*g.rows + row
		face := g.look(rank, row)
		cell := draw.BlockCell{Rank: rank, Block: row, Face: &draw.Face{Hue: face.hue, Number: face.number}, Final: after.final[i], Wrong: after.wrong(i), Scratch: after.tmp[i],
			Copy: g.copies, Role: roles[i], SendWord: send, ReceiveWord: receive, Ticks: make([]draw.CellTick, g.whole())}
		switch {
		case face.to >= 0:
			cell.From = "→ " + rankShort(face.to)
		case face.from >= 0:
			cell.From = rankShort(face.from)
		case t.digits():
			cell.Digit = blockDigit(row)
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
		cells[row] = cell
	}
	return cells
}

// digits reports whether values are drawn digit by digit: sums of few ranks.
func (t teller) digits() bool {
	return !t.f.grid.copies && t.f.schedule.Collective != schedule.Barrier && t.f.schedule.Ranks <= drawnDigits
}

// rankShort names a rank where there is little room.
func rankShort(rank int) string { return fmt.Sprintf("R%d", rank) }

// roles are the cells that send and receive in a step, by cell.
func (t teller) roles(at int) map[int]draw.Role {
	roles := map[int]draw.Role{}
	mark := func(ranks, rows []int, role draw.Role) {
		for _, rank := range ranks {
			for _, row := range rows {
				if row != noRow {
					roles[rank*t.f.grid.rows+row] = role
				}
			}
		}
	}
	moves := t.f.steps[at].moves
	for i := range moves {
		mark(moves[i].givers(), moves[i].rows, draw.Sends)
	}
	for i := range moves {
		mark(moves[i].takers(), moves[i].toRows, draw.Receives)
	}
	return roles
}
