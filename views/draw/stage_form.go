package draw

// form is the geometry of a stage.
type form struct {
	width, height         float64
	cell                  CellSize
	cardWidth, cardHeight float64
	pad, head, pitch      float64 // beside the cells; above them; from one to the next
	left, gap, top        float64 // of the row of cards
	split                 int     // cells above a gap
	name                  float64 // size of the cards' names
	short, notes, heat    bool
	token                 tokenSize

	star                bool
	center              int
	centerX, centerY    float64
	queueTop, queueLeft float64
	queuePitch          float64

	// Of the layouts in lines.
	places            []spot // the cards' upper left corners by rank; nil for the other layouts
	columns           int    // of cells in a card
	lineGap           float64
	dots              bool // cells are dots of the ramp
	keyTop            float64
	frames            []area // of nodes
	nodes             nodeSeats
	bar               area     // the switch
	nearLow, nearHigh float64  // where the lines of cards beside the switch begin
	reach             float64  // from them to the switch
	joints            [][]spot // by tree, then rank: where it stands in a tree beside the cards; nil without
	beside            lineSeats
	upright           bool    // the cards stand below each other, their names left of their cells
	stagger           bool    // names stand on two lines in turn
	aisle, spine      float64 // of upright trees: between two columns; from the left of a card to the line down
}

// A stage has as many units as its place has pixels, about.
const (
	wideStage   = 1000.0
	narrowStage = 358.0
)

// form picks the sizes by how much has to stand in a row and in a column.
func (s Stage) form() form {
	f := form{width: wideStage, star: s.Layout == StarLayout && len(s.Cards) > 1, center: s.Center}
	if s.Layout >= TreeLayout && len(s.Cards) > 1 {
		return s.lineForm(f)
	}
	inRow, rows := len(s.Cards), len(s.Cards[0].Cells)
	if f.star {
		inRow--
	}
	most := max(inRow, rows)
	if f.star && rows <= 8 && !s.Narrow { // the center stands below the others
		most = max(inRow, 2*rows)
	}
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
	f.cardHeight = f.head + float64(rows)*f.pitch + 2 + s.foot()
	if s.Split > 0 {
		f.split = s.Split
		f.cardHeight += splitGap
	}
	if s.Arcs && inRow > 1 {
		f.top = arcsTall
		if s.Narrow {
			f.top = arcsTallNarrow
			f.token = tokenMini
		} else if s.Slots > len(s.Cards) {
			f.token = tokenSmall
		}
	}
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

// lineForm seats the cards of a layout in lines.
func (s Stage) lineForm(f form) form {
	if s.Narrow {
		f.width = narrowStage
	}
	switch s.Layout {
	case TreeLayout:
		s.placeTree(&f)
	case NodesLayout:
		s.placeNodes(&f)
	default:
		s.placeSwitch(&f)
	}
	f.keyTop = f.height - s.keyHeight()
	if f.dots {
		f.height += 6 + float64(len(s.dotLines(f)))*labelLine
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
	if f.places != nil {
		return f.places[rank].x
	}
	if f.star && rank == f.center {
		return f.centerX
	}
	return f.left + float64(f.seat(rank))*(f.cardWidth+f.gap)
}

func (f form) y(rank int) float64 {
	if f.places != nil {
		return f.places[rank].y
	}
	if f.star && rank == f.center {
		return f.centerY
	}
	return f.top
}

// cellTop is the upper edge of a rank's cell.
func (f form) cellTop(rank, cell int) float64 {
	top := f.y(rank) + f.head + float64(cell)*f.pitch
	if f.split > 0 && cell >= f.split {
		top += splitGap
	}
	return top
}

// Lengths of a stage in units of the view box.
const (
	splitGap       = 12.0
	footTall       = 20.0  // below the cells of a card
	arcsTall       = 128.0 // above a row of cards, for arrows between any two
	arcsTallNarrow = 96.0
)

// foot is the height of the line below the cells.
func (s Stage) foot() float64 {
	if s.Feet {
		return footTall
	}
	return 0
}

// middleOf is the middle of a rank's cell, from top to bottom.
func (f form) middleOf(rank, cell int) float64 { return f.cellTop(rank, cell) + f.cell.Height/2 }
