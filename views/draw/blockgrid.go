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
// where there are too many, as heatMap says; and under them, in
// g[data-rank=R], rect.rank-bar with its share as x scale and
// text[data-line=0 and 1].
type BlockGrid struct {
	Title   string
	Desc    string
	Narrow  bool // for a phone, where GridNarrows
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
	maxCellCols = 16
)

// GridDetail says how much of a grid of so many ranks and rows can be read:
// cells with their numbers, and words under the columns.
func GridDetail(ranks, rows int) (cells, words bool) {
	return ranks <= maxCellCols && rows <= 2*maxCellCols, ranks <= maxTicks
}

// GridNarrows reports whether a grid of so many ranks has a drawing of its own
// for a phone. Fewer have words under the columns, and are moved sideways.
func GridNarrows(ranks int) bool { return ranks > maxTicks }

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
	if !cells || g.Narrow {
		return g.heatSVG(rows, words && !g.Narrow)
	}
	size := cellSize(len(g.Columns))
	pitch := size.Width + gridColumn
	if !words {
		pitch = size.Width + gridGap
	}
	foot := gridHead + float64(rows)*(size.Height+gridGap) + 4
	height := foot + 14
	if words {
		height = foot + gridFoot
	}
	var s strings.Builder
	g.begin(&s, "", 2*gridPad+float64(len(g.Columns))*pitch, height)
	for rank, column := range g.Columns {
		column.write(&s, rank, columnPlace{x: gridPad + float64(rank)*pitch, foot: foot, height: height, size: size, words: words})
	}
	s.WriteString(`</svg>`)
	return s.String()
}

// begin opens the drawing.
func (g BlockGrid) begin(s *strings.Builder, more string, width, height float64) {
	class := "blockgrid"
	switch {
	case g.Narrow:
		class += " narrow"
	case GridNarrows(len(g.Columns)):
		class += " wide"
	}
	fmt.Fprintf(s, `<svg class="%s%s" viewBox="0 0 %s %s" width="%[3]s" height="%[4]s" role="img" focusable="false"><title>%[5]s</title>`,
		class, more, number(width), number(height), html.EscapeString(g.Title))
	if g.Desc != "" {
		fmt.Fprintf(s, `<desc>%s</desc>`, html.EscapeString(g.Desc))
	}
}

// columnPlace is where a column stands and how much of it is drawn.
type columnPlace struct {
	x, foot, height float64
	size            CellSize
	words           bool
}

func (c GridColumn) write(s *strings.Builder, rank int, at columnPlace) {
	c.begin(s, rank)
	if at.words {
		fmt.Fprintf(s, `<text class="rank-name" x="%s" y="20">%s</text>`, number(at.x+2), html.EscapeString(c.Name))
	} else {
		fmt.Fprintf(s, `<text class="rank-note" x="%s" y="20">%d</text>`, number(at.x+2), rank)
	}
	for row, cell := range c.Cells {
		cell.Write(s, at.size, at.x, gridHead+float64(row)*(at.size.Height+gridGap))
	}
	c.writeFoot(s, at)
}

// begin opens the group of a rank.
func (c GridColumn) begin(s *strings.Builder, rank int) {
	class := "rank " + string(c.State)
	if c.Framed {
		class += " blamed"
	}
	fmt.Fprintf(s, `<g class="%s" data-rank="%d">`, class, rank)
}

// writeFoot draws what stands below the cells, and closes the group.
func (c GridColumn) writeFoot(s *strings.Builder, at columnPlace) {
	width := number(at.size.Width)
	fmt.Fprintf(s, `<rect class="rank-rail" x="%s" y="%s" width="%s" height="8"/>`, number(at.x), number(at.foot), width)
	fmt.Fprintf(s, `<g transform="translate(%s %s)"><rect class="rank-bar" width="%s" height="8" transform="scale(%s 1)"/></g>`,
		number(at.x), number(at.foot), width, number(c.Share))
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
	c.end(s, at.x, at.size.Width, at.height)
}

// end frames the rank, if it is to blame, and closes its group.
func (c GridColumn) end(s *strings.Builder, x, width, height float64) {
	if c.Framed {
		fmt.Fprintf(s, `<rect class="rank-frame" x="%s" y="2" width="%s" height="%s" rx="4"/>`, number(x-3), number(width+6), number(height-4))
	}
	s.WriteString(`</g>`)
}
