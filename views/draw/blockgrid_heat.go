package draw

import (
	"fmt"
	"strconv"
	"strings"
)

// Lengths of a grid that is a heat map, in units of the view box.
const (
	gridNarrow     = 326.0 // what the place on a phone holds
	gridRows       = 30.0  // for the numbers of the rows
	gridRowsNarrow = 24.0
	gridTall       = 448.0 // what the rows share
	gridTallNarrow = 330.0
	barTall        = 26.0 // of the bar of a rank that has no words
	barFoot        = 12.0 // below it, for its mark
)

// heatSVG draws the grid as a heat map. Without words a rank has, below its
// column, a bar that rises as far as the rank has come, and a mark: filled
// while it sends or receives, hollow while it waits, none when it is through.
func (g BlockGrid) heatSVG(rows int, words bool) string {
	m := heatMap{left: gridRows, top: gridHead, gap: 1, columns: len(g.Columns), rows: max(rows, 1), text: heatText}
	width, tall, least := gridWidth, gridTall, 24.0
	if g.Narrow {
		m.left, width, tall, least = gridRowsNarrow, gridNarrow, gridTallNarrow, 12
	}
	m.across = (width - m.left - gridPad) / float64(m.columns)
	m.down = min(tall/float64(m.rows), max(m.across, least))
	foot := gridHead + float64(m.rows)*m.down + 4
	height := foot + barTall + barFoot
	if words {
		height = foot + gridFoot
	}
	var s strings.Builder
	g.begin(&s, " dense", width, height)
	names := make([]string, len(g.Columns))
	for rank, column := range g.Columns {
		names[rank] = strconv.Itoa(rank)
		if words {
			names[rank] = column.Name
		}
	}
	m.writeNumbers(&s, names)
	m.writeGround(&s)
	m.begin(&s)
	for rank, column := range g.Columns {
		m.writeColumn(&s, rank, column.Cells)
	}
	s.WriteString(`</g>`)
	m.writeGuides(&s)
	for rank, column := range g.Columns {
		x, wide := m.left+float64(rank)*m.across, m.across-m.gap
		column.begin(&s, rank)
		if words {
			column.writeFoot(&s, columnPlace{x: x, foot: foot, height: height, size: CellSize{Width: wide}, words: true})
			continue
		}
		column.writeBar(&s, x, foot, wide)
		column.end(&s, x, wide, height)
	}
	s.WriteString(`</svg>`)
	return s.String()
}

// writeBar draws a bar that rises, and below it the mark.
func (c GridColumn) writeBar(s *strings.Builder, x, top, width float64) {
	fmt.Fprintf(s, `<rect class="rank-rail" x="%s" y="%s" width="%s" height="%s"/>`, number(x), number(top), number(width), number(barTall))
	fmt.Fprintf(s, `<g transform="translate(%s %s) rotate(-90)"><rect class="rank-bar" width="%s" height="%s" transform="scale(%s 1)"/></g>`,
		number(x), number(top+barTall), number(barTall), number(width), number(c.Share))
	side := min(width, 7)
	fmt.Fprintf(s, `<rect class="rank-mark" x="%s" y="%s" width="%s" height="%s"/>`, number(x+(width-side)/2), number(top+barTall+4), number(side), number(side))
}
