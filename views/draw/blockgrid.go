package draw

import (
	"fmt"
	"html"
	"strings"
)

// BlockGrid is who has what: a column is a rank, a row is a block, and under
// each column stands what the rank does.
//
// It is drawn so that a script reaches any state: cells as BlockCell says, or,
// where there are too many, as one rect each, whose class g-heat-0 to
// g-heat-8 is the share that is there; and under them, in g[data-rank=R],
// rect.rank-bar with its share as x scale and text[data-line=0 and 1].
type BlockGrid struct {
	Title   string
	Desc    string
	Columns []GridColumn
}

// GridColumn is one rank.
type GridColumn struct {
	Name   string
	Cells  []BlockCell
	Share  float64   // of what the rank has to do, 0 to 1
	Lines  [2]string // what it does; the first is bold
	State  RankState
	Framed bool // the one to blame
}

// RankState is how a rank stands. Its name is a class of the column.
type RankState string

// The states of a rank.
const (
	RankMoves RankState = "moves"
	RankWaits RankState = "waits"
	RankDone  RankState = "finished"
	RankStuck RankState = "stuck"
	RankHeld  RankState = "held" // by the one that is stuck
)

// RoleStuck is the role of a cell whose block did not arrive.
const RoleStuck Role = "stuck"

// Geometry of a grid, in units of the view box.
const (
	gridWidth   = 904.0 // what the place on a wide page holds
	gridHead    = 30.0
	gridPad     = 4.0 // for the frame
	gridGap     = 4.0 // between rows
	gridColumn  = 10.0
	gridFoot    = 60.0
	heatLeast   = 12.0  // side of a cell that is one rect
	heatHigh    = 416.0 // what all of them share of a column's height, while they are above the least
	heatRows    = 28.0  // for the numbers of the rows
	maxCellCols = 16
)

// HeatLevels is how many shares a cell of a large grid tells apart, besides
// none.
const HeatLevels = 8

// GridDetail says how much of a grid of so many ranks and rows can be read:
// cells with their numbers, and words under the columns.
func GridDetail(ranks, rows int) (cells, words bool) {
	return ranks <= maxCellCols && rows <= 2*maxCellCols, ranks <= maxTicks
}

// cellSize is the largest cell with which so many columns fit.
func cellSize(ranks int) CellSize {
	switch {
	case ranks <= 5:
		width := min(gridWidth/float64(ranks)-gridColumn, 214)
		return CellSize{Width: width, Height: 40, swatch: 26, number: 17, tick: 13, tickAt: 14, count: 14, countAt: 25, countEnd: 8}
	case ranks <= maxTicks:
		size := CellMedium
		size.Width = gridWidth/float64(ranks) - gridColumn
		return size
	}
	return CellSmall
}

// SVG draws the grid.
func (g BlockGrid) SVG() string {
	rows := 0
	for _, column := range g.Columns {
		rows = max(rows, len(column.Cells))
	}
	cells, words := GridDetail(len(g.Columns), rows)
	size := cellSize(len(g.Columns))
	gap := gridGap
	if !cells {
		size, gap = heatSize(len(g.Columns), rows), 1
	}
	pitch := size.Width + gridColumn
	if !words {
		pitch = size.Width + gap
	}
	foot := gridHead + float64(rows)*(size.Height+gap) + 4
	height := foot + 14
	if words {
		height = foot + gridFoot
	}
	width := 2*gridPad + float64(len(g.Columns))*pitch
	if !cells {
		width += heatRows
	}
	class := "blockgrid"
	if !cells {
		class += " dense"
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="%s" viewBox="0 0 %s %s" width="%[2]s" height="%[3]s" role="img" focusable="false"><title>%[4]s</title>`,
		class, number(width), number(height), html.EscapeString(g.Title))
	if g.Desc != "" {
		fmt.Fprintf(&s, `<desc>%s</desc>`, html.EscapeString(g.Desc))
	}
	for rank, column := range g.Columns {
		x := gridPad + float64(rank)*pitch
		if !cells {
			x += heatRows
		}
		column.write(&s, rank, columnPlace{x: x, foot: foot, height: height, size: size, gap: gap, cells: cells, words: words, every: named(pitch, 24)})
	}
	if !cells {
		for row := 0; row < rows; row += named(size.Height+gap, 17) {
			fmt.Fprintf(&s, `<text class="rank-note" x="24" y="%s" text-anchor="end">%d</text>`, number(gridHead+float64(row)*(size.Height+gap)+size.Height/2+4.5), row)
		}
	}
	s.WriteString(`</svg>`)
	return s.String()
}

// heatSize is the size of a cell that is one rect: so many columns fill the
// width, and rows are no taller than columns are wide.
func heatSize(columns, rows int) CellSize {
	width := max((gridWidth-heatRows)/float64(columns)-1, heatLeast)
	height := min(width, max(heatHigh/float64(rows)-1, heatLeast))
	return CellSize{Width: width, Height: height}
}

// named is every how manieth of things so far apart has room for its number: a
// power of two.
func named(pitch, room float64) int {
	every := 1
	for float64(every)*pitch < room {
		every *= 2
	}
	return every
}

// columnPlace is where a column stands and how much of it is drawn.
type columnPlace struct {
	x, foot, height float64
	size            CellSize
	gap             float64
	cells, words    bool
	every           int // so manieth column has its number
}

func (c GridColumn) write(s *strings.Builder, rank int, at columnPlace) {
	class := "rank " + string(c.State)
	if c.Framed {
		class += " blamed"
	}
	fmt.Fprintf(s, `<g class="%s" data-rank="%d">`, class, rank)
	switch {
	case at.words:
		fmt.Fprintf(s, `<text class="rank-name" x="%s" y="20">%s</text>`, number(at.x+2), html.EscapeString(c.Name))
	case at.cells:
		fmt.Fprintf(s, `<text class="rank-note" x="%s" y="20">%d</text>`, number(at.x+2), rank)
	case rank%at.every == 0:
		fmt.Fprintf(s, `<text class="rank-note" x="%s" y="20" text-anchor="middle">%d</text>`, number(at.x+at.size.Width/2), rank)
	}
	for row, cell := range c.Cells {
		y := gridHead + float64(row)*(at.size.Height+at.gap)
		if at.cells {
			cell.Write(s, at.size, at.x, y)
			continue
		}
		fmt.Fprintf(s, `<rect class="g-heat-%d%s" data-cell="%d-%d" x="%s" y="%s" width="%s" height="%s"/>`,
			cell.heat(), roleClass(cell.Role), rank, row, number(at.x), number(y), number(at.size.Width), number(at.size.Height))
	}
	width := at.size.Width
	fmt.Fprintf(s, `<rect class="rank-rail" x="%s" y="%s" width="%s" height="8"/>`, number(at.x), number(at.foot), number(width))
	fmt.Fprintf(s, `<g transform="translate(%s %s)"><rect class="rank-bar" width="%s" height="8" transform="scale(%s 1)"/></g>`,
		number(at.x), number(at.foot), number(width), number(c.Share))
	if at.words {
		for line, text := range c.Lines {
			name := "rank-says"
			if line > 0 {
				name = "rank-note"
			}
			fmt.Fprintf(s, `<text class="%s" data-line="%d" x="%s" y="%s">%s</text>`,
				name, line, number(at.x+2), number(at.foot+27+19*float64(line)), html.EscapeString(text))
		}
	}
	if c.Framed {
		fmt.Fprintf(s, `<rect class="rank-frame" x="%s" y="2" width="%s" height="%s" rx="4"/>`, number(at.x-3), number(width+6), number(at.height-4))
	}
	s.WriteString(`</g>`)
}

// heat is the share of contributions that are there, in steps of an eighth.
func (c BlockCell) heat() int {
	have := 0
	for _, tick := range c.Ticks {
		if tick == TickOn || tick == TickNew {
			have++
		}
	}
	if have == 0 {
		return 0
	}
	return max(1, have*HeatLevels/max(len(c.Ticks), 1))
}

func roleClass(r Role) string {
	if r == Idle {
		return ""
	}
	return " " + string(r)
}
