package draw

import "math"

// cardStyle is one way to draw the cards of a stage that stand in lines: the
// size of the cells, the lengths around them, and what a message looks like.
type cardStyle struct {
	cell             CellSize
	pad, head, pitch float64
	name             float64
	lineGap          float64 // between two lines of cards, for the arrows
	gap              float64 // the least between two cards of a line
	short, notes     bool
	few              bool // has no room for more than four ticks
	token            tokenSize
}

// cardStyles lists them, the largest first. Where none fits, cells become dots
// of the ramp.
func cardStyles(narrow bool) []cardStyle {
	if narrow {
		return []cardStyle{
			{cell: CellPhone, pad: 3, head: 24, pitch: 57, name: 14, lineGap: 52, gap: 8, few: true, token: tokenSmall},
			{cell: CellPhoneSmall, pad: 2, head: 21, pitch: 35, name: 14, lineGap: 44, gap: 5, short: true, token: tokenSmall},
			{cell: CellChip, pad: 1.5, head: 18, pitch: 24, name: 13, lineGap: 28, gap: 4, short: true, token: tokenMini},
		}
	}
	return []cardStyle{
		{cell: CellLarge, pad: 8, head: 36, pitch: 79, name: 18, lineGap: 62, gap: 16, notes: true, few: true, token: tokenLarge},
		{cell: CellMedium, pad: 4, head: 27, pitch: 40, name: 16, lineGap: 54, gap: 10, token: tokenSmall},
		{cell: CellSmall, pad: 2, head: 22, pitch: 24, name: 14, lineGap: 44, gap: 8, short: true, token: tokenSmall},
		{cell: CellChip, pad: 1.5, head: 18, pitch: 24, name: 13, lineGap: 28, gap: 4, short: true, token: tokenMini},
	}
}

// plan is a way to seat all cards: so many lines of so many seats.
type plan struct {
	seats int // side by side in a line
	lines int
	sides float64 // units that the lines leave free at their sides
	more  float64 // height beyond that of the lines and the gaps between them
	rooms int     // rows of room for half a message that the height holds besides
	gaps  float64 // how much wider the gaps between lines are than the style's own
	wrap  int     // the layout's own number of the plan
}

// Heights that a stage in lines keeps to where it can.
const (
	wideTall   = 440.0
	narrowTall = 440.0
	dotGap     = 3.0  // between two cards of dots
	leastDots  = 17.0 // width of a card of dots: two digits
)

// tall is how tall a stage in lines may get where it can help it.
func (s Stage) tall() float64 {
	switch {
	case s.Narrow:
		switch n := len(s.Cards); {
		case n > 32:
			return 700
		case n > 8:
			return 600
		}
		return narrowTall
	case len(s.Cards) > 16:
		return 480
	}
	return wideTall
}

// fit picks the largest style in which some plan of the first kind has room,
// else one of the next kind, and sets the sizes of f; it returns that plan.
func (s Stage) fit(f *form, kinds ...[]plan) plan {
	for _, plans := range kinds {
		if p, ok := s.fitCells(f, plans); ok {
			return p
		}
	}
	return s.fitDots(f, kinds)
}

// fitCells picks the largest style in which some plan has room, and sets the
// sizes of f; it reports false where there is none.
func (s Stage) fitCells(f *form, plans []plan) (plan, bool) {
	cells, tall := len(s.Cards[0].Cells), s.tall()
	for _, style := range cardStyles(s.Narrow) {
		if ticks := len(s.Cards); style.few && ticks > 4 && ticks <= maxTicks {
			continue
		}
		for _, p := range plans {
			for columns := 1; columns <= cells; columns++ {
				width := float64(columns)*(style.cell.Width+2) - 2 + 2*style.pad
				rows := (cells + columns - 1) / columns
				height := style.head + float64(rows)*style.pitch + s.foot()
				high := float64(p.lines)*height + float64(p.lines-1)*(style.lineGap+p.gaps) + p.more + float64(p.rooms)*style.token.height/2
				if float64(p.seats)*(width+style.gap) > f.width-p.sides || high > tall {
					continue
				}
				if p.lines > 1 { // what is left of the height gives arrows room
					p.gaps += min((tall-high)/float64(p.lines-1), style.lineGap*0.5)
				}
				f.use(style, columns, width, height, p.gaps)
				return p, true
			}
		}
	}
	return plan{}, false
}

func (f *form) use(style cardStyle, columns int, width, height, gaps float64) {
	f.cell, f.pad, f.head, f.pitch, f.name = style.cell, style.pad, style.head, style.pitch, style.name
	f.short, f.notes, f.token = style.short, style.notes, style.token
	f.columns, f.cardWidth, f.cardHeight, f.lineGap, f.gap = columns, width, height, style.lineGap+gaps, style.gap
}

func (f *form) useDots() {
	f.heat, f.short, f.dots, f.notes, f.token = true, true, true, false, tokenSize{}
}

// fitDots draws cells as dots without numbers, in the plan that leaves the
// cards widest without making the drawing too tall, of the first kind that has
// one.
func (s Stage) fitDots(f *form, kinds [][]plan) plan {
	cells, tall := len(s.Cards[0].Cells), s.tall()
	f.columns = int(math.Ceil(math.Sqrt(float64(cells))))
	rows := (cells + f.columns - 1) / f.columns
	unit, enough := 8.0, 64.0 // so much height is worth a unit of width, up to enough
	if s.Narrow {
		unit, enough = 30, 30 // a phone scrolls
	}
	var best plan
	found := math.Inf(-1)
	for _, plans := range kinds {
		for _, p := range plans {
			width := min((f.width-p.sides)/float64(p.seats)-dotGap, 64)
			height := 16 + float64(rows)*min((width-2)/float64(f.columns), 14)
			over := float64(p.lines)*height + float64(p.lines-1)*(30+p.gaps) + p.more + float64(p.rooms)*tokenMini.height/2 - tall
			score := min(width, enough) - max(over, 0)/unit
			if width < leastDots {
				score -= 1000
			}
			if score > found {
				best, found = p, score
			}
		}
		if found >= leastDots {
			break
		}
	}
	f.useDots()
	f.cardWidth = max(min((f.width-best.sides)/float64(best.seats)-dotGap, 64), 8)
	f.gap, f.pad, f.head, f.name, f.lineGap = dotGap, 1, 16, 12, 30+best.gaps
	f.pitch = min((f.cardWidth-2*f.pad)/float64(f.columns), 14)
	f.cell = CellSize{Width: f.pitch, Height: f.pitch}
	f.cardHeight = f.head + float64(rows)*f.pitch + f.pad
	if f.cardWidth >= 24 && cells <= 10 { // numbers of two digits and a plus are wider
		f.token = tokenMini
	}
	return best
}

// cellAt is the upper left corner of a rank's cell.
func (f form) cellAt(rank, cell int) spot {
	columns := max(f.columns, 1)
	wide := f.cell.Width + 2
	if f.dots {
		wide = f.pitch
	}
	return spot{f.x(rank) + f.pad + float64(cell%columns)*wide, f.cellTop(rank, cell/columns)}
}

// card is where a rank's card stands.
func (f form) card(rank int) area {
	return area{f.x(rank), f.y(rank), f.cardWidth, f.cardHeight}
}

// spread returns the left edges of count cards that share a line evenly.
func (f form) spread(count int, left, width float64) []float64 {
	at := make([]float64, count)
	pitch := width / float64(max(count, 1))
	for i := range at {
		at[i] = left + (float64(i)+0.5)*pitch - f.cardWidth/2
	}
	return at
}
