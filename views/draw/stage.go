package draw

import (
	"fmt"
	"html"
)

// StageLayout is how the ranks of a stage stand.
type StageLayout uint8

// The layouts. Ring and Row stand in one row; a move to anyone but the right
// neighbour goes over the top. In a Star everyone stands above the center,
// whose port all moves pass in a queue.
const (
	RowLayout StageLayout = iota
	RingLayout
	StarLayout
)

// Stage is what every rank holds at one step, and what moves. It knows ranks,
// cells and moves, no algorithm.
type Stage struct {
	Layout StageLayout
	Narrow bool   // for a phone
	ID     string // of the svg; unique in the page
	Title  string
	Desc   string // says the picture in words
	Center int    // of a Star
	Cards  []Card // by rank, all with the same number of cells
	Moves  []Move // of this step
	Slots  int    // the most moves of any step: so many are drawn, the rest hidden

	WrapWord string // beside the link that leads from the last rank to the first
	PortWord string // above the queue of a Star
}

// Card is one rank.
type Card struct {
	Name  string // Rank 3
	Short string // 3, where there is no room
	Note  string // beside the name, where there is room
	Cells []BlockCell
}

// Move is one message of the step.
type Move struct {
	From, To         int // ranks
	FromCell, ToCell int // which of their cells
	Block            int // the number on the message
	Value            string
	Wait             string // below its place in the queue of a Star
}

// MovePath is where a Move goes: the path that it is drawn with and the point
// where the message rests on it.
type MovePath struct {
	D    string
	X, Y float64
	Bare bool // there is only room for a tip, which D outlines
}

// Heat reports whether the stage has too many cells for hues: then it is a
// grid in one ramp, and moves are not drawn.
func (s Stage) Heat() bool { return s.form().heat }

// SVG draws the stage.
func (s Stage) SVG() string {
	f := s.form()
	c := &canvas{width: f.width}
	class := "stage wide"
	if s.Narrow {
		class = "stage narrow"
	}
	if f.cell.tick > 0 && f.cell.tick < 8 {
		class += " fine"
	}
	fmt.Fprintf(c, `<svg class="%s" id="%s" viewBox="0 0 %s %s" role="img" aria-labelledby="%[2]s-t %[2]s-d" focusable="false">`+
		`<title id="%[2]s-t">%[5]s</title><desc id="%[2]s-d">%[6]s</desc>`,
		class, s.ID, number(f.width), number(f.height), html.EscapeString(s.Title), html.EscapeString(s.Desc))
	if f.heat {
		s.writeHeat(c, f)
		return c.close()
	}
	fmt.Fprintf(c, `<defs><marker id="%s-tip" viewBox="0 0 10 10" refX="8.5" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="g-tip" d="M0 0L10 5L0 10z"/></marker></defs>`, s.ID)
	for rank := range s.Cards {
		s.writeCard(c, f, rank)
	}
	s.writeMoves(c, f)
	return c.close()
}

func (s Stage) writeCard(c *canvas, f form, rank int) {
	card, x, y := s.Cards[rank], f.x(rank), f.y(rank)
	fmt.Fprintf(c, `<rect class="stage-card" x="%s" y="%s" width="%s" height="%s" rx="5"/>`,
		number(x), number(y), number(f.cardWidth), number(f.cardHeight))
	name, at := card.Name, x+f.cardWidth/2
	anchored := middle
	if f.short {
		name = card.Short
	}
	if f.notes {
		at, anchored = x+14, start
		fmt.Fprintf(c, `<text class="t-mut" data-note="%d" x="%s" y="%s" font-size="15" text-anchor="end">%s</text>`,
			rank, number(x+f.cardWidth-12), number(y+f.head*0.63), html.EscapeString(card.Note))
	}
	fmt.Fprintf(c, `<text class="t-rank" x="%s" y="%s" font-size="%s"%s>%s</text>`,
		number(at), number(y+f.head*0.66), number(f.name), anchored, html.EscapeString(name))
	for i, cell := range card.Cells {
		cell.Write(&c.Builder, f.cell, x+f.pad, f.cellTop(rank, i))
	}
}

// form is the geometry of a stage.
type form struct {
	width, height         float64
	cell                  CellSize
	cardWidth, cardHeight float64
	pad, head, pitch      float64 // beside the cells; above them; from one to the next
	left, gap, top        float64 // of the row of cards
	name                  float64 // size of the cards' names
	short, notes, heat    bool
	token                 tokenSize

	star                bool
	center              int
	centerX, centerY    float64
	queueTop, queueLeft float64
	queuePitch          float64
}

// A stage has as many units as its place has pixels, about.
const (
	wideStage   = 1000.0
	narrowStage = 358.0
)

// form picks the sizes by how much has to stand in a row and in a column.
func (s Stage) form() form {
	f := form{width: wideStage, star: s.Layout == StarLayout && len(s.Cards) > 1, center: s.Center}
	inRow, rows := len(s.Cards), len(s.Cards[0].Cells)
	if f.star {
		inRow--
	}
	most := max(inRow, rows)
	if s.Narrow {
		f.width = narrowStage
		switch {
		case most <= 4:
			f.cell, f.pad, f.head, f.pitch, f.gap, f.top, f.name, f.token = CellPhone, 4, 28, 60, 10, 44, 14, tokenPhone
		case most <= 8:
			f.cell, f.pad, f.head, f.pitch, f.gap, f.top, f.name, f.short = CellPhoneSmall, 2, 22, 36, 4, 40, 14, true
		default:
			f.heat = true
		}
	} else {
		switch {
		case most <= 4:
			f.cell, f.pad, f.head, f.pitch, f.gap, f.top, f.name, f.notes, f.token = CellLarge, 10, 46, 82, 80, 64, 20, true, tokenLarge
		case most <= 8:
			f.cell, f.pad, f.head, f.pitch, f.gap, f.top, f.name, f.token = CellMedium, 4, 29, 41, 80, 50, 16, tokenSmall
		case most <= 16:
			f.cell, f.pad, f.head, f.pitch, f.gap, f.top, f.name, f.short = CellSmall, 2, 23, 24, 80, 44, 14, true
		default:
			f.heat = true
		}
	}
	if f.heat {
		return s.heatForm(f)
	}
	f.cardWidth = f.cell.Width + 2*f.pad
	f.cardHeight = f.head + float64(rows)*f.pitch + 2
	// The link around the ring needs a margin on both sides.
	margin := 22.0
	if s.Narrow {
		margin = 6
	}
	if inRow > 1 {
		f.gap = min(f.gap, (f.width-2*margin-float64(inRow)*f.cardWidth)/float64(inRow-1))
	}
	f.left = (f.width - float64(inRow)*f.cardWidth - float64(inRow-1)*f.gap) / 2
	f.height = f.top + f.cardHeight + 2
	if f.star {
		f.placeStar(inRow)
	}
	return f
}

// placeStar puts the queue below the row of cards and the center below the
// queue.
func (f *form) placeStar(inRow int) {
	f.top = 2
	f.queueTop = f.top + f.cardHeight + 70
	f.centerX = (f.width - f.cardWidth) / 2
	f.centerY = f.queueTop + 34 + 54
	f.height = f.centerY + f.cardHeight + 2
	f.queuePitch = min(130, (f.width-40)/float64(inRow))
	f.queueLeft = (f.width - f.queuePitch*float64(inRow)) / 2
	f.token = tokenLarge
	if f.queuePitch < 90 {
		f.token = tokenTiny
	}
}

// seat is the place of a rank in the row; the center of a star has none.
func (f form) seat(rank int) int {
	if f.star && rank > f.center {
		return rank - 1
	}
	return rank
}

func (f form) x(rank int) float64 {
	if f.star && rank == f.center {
		return f.centerX
	}
	return f.left + float64(f.seat(rank))*(f.cardWidth+f.gap)
}

func (f form) y(rank int) float64 {
	if f.star && rank == f.center {
		return f.centerY
	}
	return f.top
}

// cellTop is the upper edge of a rank's cell.
func (f form) cellTop(rank, cell int) float64 {
	return f.y(rank) + f.head + float64(cell)*f.pitch
}

// middleOf is the middle of a rank's cell, from top to bottom.
func (f form) middleOf(rank, cell int) float64 { return f.cellTop(rank, cell) + f.cell.Height/2 }
