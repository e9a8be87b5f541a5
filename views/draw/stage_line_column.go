package draw

import (
	"math"
)

// cardRow is a way to draw the cards of a column: name and cells in one line.
type cardRow struct {
	cell  CellSize
	pad   float64
	gap   float64 // to the next card
	token tokenSize
}

var cardRows = []cardRow{
	{cell: CellPhoneSmall, pad: 2, gap: 10, token: tokenSmall},
	{cell: CellChip, pad: 1.5, gap: 6, token: tokenMini},
}

const (
	rowName      = 22.0 // left of the cells of a card in a column
	rowDots      = 13.0 // height of a card of dots in a column
	columnAisle  = 22.0 // between two columns
	secondColumn = 20   // from more than so many ranks a column is broken in two where a tree can be
)

// placeColumn seats the ranks in a column, with one tree as their indents, or
// two trees left and right of them.
func (s Stage) placeColumn(f *form, t lineSeats) {
	n, foot := len(s.Cards), s.keyHeight()
	f.upright, f.short, f.name = true, true, 13
	second := n
	if len(t.level) == 1 && n > secondColumn {
		second = s.breakAt(t)
	}
	rows, wide := max(second, n-second), f.width
	if second < n {
		wide = (f.width - columnAisle) / 2
	}
	// What cards and indents share, and how many indents that is.
	room, indents := wide-2, 0
	for _, levels := range t.levels {
		indents += levels - 1
		if len(t.level) > 1 {
			room -= jointEdge + jointStem
		}
	}
	s.fitRows(f, rows, room, indents)
	line := f.cardHeight + f.gap
	indent := max(min((room-f.cardWidth)/float64(max(indents, 1)), indentMost), 2)
	left := 1.0
	if len(t.level) > 1 {
		left = (f.width-f.cardWidth)/2 + float64(t.levels[0]-t.levels[1])*indent/2
	}
	for rank, place := range t.place {
		at := spot{left, 2 + float64(place)*line}
		if len(t.level) == 1 {
			at.x += float64(max(t.level[0][rank], 0)) * indent
			if place >= second {
				at = spot{wide + columnAisle + at.x - indent, 2 + float64(place-second)*line}
			}
		}
		f.places[rank] = at
	}
	f.aisle, f.spine = wide+columnAisle/2, min(7, indent*0.6)
	for tree := range t.level {
		f.joints[tree] = make([]spot, n)
		for rank, level := range t.level[tree] {
			card := f.card(rank)
			deep := float64(t.levels[tree]-1-level)*indent + jointStem
			x := card.left
			switch {
			case level == outside:
				x = math.NaN()
			case len(t.level) > 1 && tree == 0:
				x = card.left - deep
			case len(t.level) > 1:
				x = card.right() + deep
			}
			f.joints[tree][rank] = spot{x, card.middle().y}
		}
	}
	f.height = 2 + float64(rows)*line - f.gap + 4 + foot
	f.beside = t
}

// breakAt is the place from which ranks stand in a second column: what hangs
// below what stays together, but for what hangs below the first of all. Without
// such a place near the middle it is the end.
func (s Stage) breakAt(t lineSeats) int {
	n := len(t.order)
	best := n
	for place := n / 4; place <= n*3/4; place++ {
		if s.breaks(t, place) && max(place, n-place) < max(best, n-best) {
			best = place
		}
	}
	return best
}

func (s Stage) breaks(t lineSeats, second int) bool {
	for rank, place := range t.place {
		parent := s.above(0, rank)
		if parent == NoParent {
			if place >= second {
				return false
			}
			continue
		}
		if up := t.place[parent]; up > 0 && (up >= second) != (place >= second) || up == 0 && t.level[0][parent] != 0 {
			return false
		}
	}
	return true
}

// fitRows picks the largest cards of a column that leave enough of the room for
// so many indents with messages on them, or without.
func (s Stage) fitRows(f *form, rows int, room float64, indents int) {
	cells := len(s.Cards[0].Cells)
	rowStyles := append(cardRows[:len(cardRows):len(cardRows)], cardRows[len(cardRows)-1])
	rowStyles[len(cardRows)].token = tokenSize{}
	for _, style := range rowStyles {
		for columns := cells; columns >= 1; columns-- {
			lines := (cells + columns - 1) / columns
			width := rowName + float64(columns)*(style.cell.Width+2) - 2 + style.pad
			height := float64(lines)*(style.cell.Height+2) - 2 + 2*style.pad
			if width+float64(indents)*max(style.token.width+0.5, indentLeast+2) > room || float64(rows)*(height+style.gap) > s.tall() {
				continue
			}
			f.cell, f.pad, f.head, f.pitch, f.token = style.cell, rowName, style.pad, style.cell.Height+2, style.token
			f.columns, f.cardWidth, f.cardHeight, f.gap = columns, width, height, style.gap
			return
		}
	}
	f.useDots()
	f.pad, f.head, f.gap, f.pitch = rowName, 1, 4, 0
	high := rowDots
	if cells > 16 { // dots that can still be told apart
		high = 2*rowDots - 6
	}
	side := max(room-float64(indents)*indentLeast, room*0.3) - rowName - 2
	for lines := 1; lines <= cells; lines++ {
		columns := (cells + lines - 1) / lines
		if pitch := min(high/float64(lines), side/float64(columns)); pitch > f.pitch {
			f.pitch, f.columns = pitch, columns
			f.cardWidth, f.cardHeight = rowName+float64(columns)*pitch+1, high+2
		}
	}
	f.head = 1 + (high-f.pitch*math.Ceil(float64(cells)/float64(f.columns)))/2
	f.cell = CellSize{Width: f.pitch, Height: f.pitch}
}
