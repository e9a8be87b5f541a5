package draw

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// heatMap is a grid of cells that are too small for hues and numbers: a column
// a rank, a row a block. A cell that is filling has a shade of one ramp; a
// final one shows the ground, a pale field with a dot in its middle. So a grid
// that is through is calm, however large it is, and a final cell differs from
// a light one in form too.
//
// It is drawn as
//
//	g.heat-ground > path.heat-done, path.heat-dot
//	g.heat > g a rank > path.h0 … path.h8, with done where it is final, and
//	now, stuck or wrong, a block; all in the order of ranks and blocks
//
// so that a script reaches any state by setting classes. Guides divide it
// every few ranks and blocks, where the numbers stand.
type heatMap struct {
	left, top     float64
	across, down  float64 // from one cell to the next, with the gap between them
	gap           float64
	columns, rows int
	last          int     // cells in the last row, where they are not as many as columns; else 0
	split         int     // rows above a second block of rows, which are numbered anew; 0 for none
	text          float64 // size of the numbers
}

func (h heatMap) width() float64  { return float64(h.columns)*h.across - h.gap }
func (h heatMap) height() float64 { return float64(h.rows)*h.down - h.gap }

// row is the number of a row in its block of rows.
func (h heatMap) row(at int) int {
	if h.split > 0 && at >= h.split {
		return at - h.split
	}
	return at
}

// writeGround draws what final cells show: dashes as large as cells, and in
// their middles dots.
func (h heatMap) writeGround(w io.Writer) {
	wide, high := h.across-h.gap, h.down-h.gap
	dot := min(max(min(wide, high)*0.4, 1.2), 5)
	lines := func(inset float64) string {
		var d strings.Builder
		for row := range h.rows {
			right := h.width()
			if row == h.rows-1 && h.last > 0 {
				right -= float64(h.columns-h.last) * h.across
			}
			fmt.Fprintf(&d, "M%s %sH%s", number(inset), number(float64(row)*h.down+high/2), number(right-inset))
		}
		return d.String()
	}
	inset := (wide - dot) / 2
	fmt.Fprintf(w, `<g class="heat-ground" transform="translate(%s %s)">`, number(h.left), number(h.top))
	fmt.Fprintf(w, `<path class="heat-done" stroke-width="%s" stroke-dasharray="%s %s" d="%s"/>`, number(high), fine(wide), fine(h.gap), lines(0))
	if min(wide, high) >= leastDotted {
		fmt.Fprintf(w, `<path class="heat-dot" stroke-width="%s" stroke-dasharray="%s %s" d="%s"/>`, number(dot), fine(dot), fine(h.across-dot), lines(inset))
	}
	fmt.Fprint(w, `</g>`)
}

// leastDotted is the least side of a cell that has room for a dot.
const leastDotted = 3.0

// begin opens the group of the cells.
func (h heatMap) begin(w io.Writer) {
	fmt.Fprintf(w, `<g class="heat" transform="translate(%s %s)">`, number(h.left), number(h.top))
}

// writeColumn draws the cells of a rank, inside the group.
func (h heatMap) writeColumn(w io.Writer, rank int, cells []BlockCell) {
	fmt.Fprintf(w, `<g transform="translate(%s)">`, number(float64(rank)*h.across))
	wide, high := number(h.across-h.gap), number(h.down-h.gap)
	for row, cell := range cells {
		fmt.Fprintf(w, `<path class="%s" d="M0 %sh%sv%sh-%[3]sz"/>`, cell.heatClass(), number(float64(row)*h.down), wide, high)
	}
	fmt.Fprint(w, `</g>`)
}

// guideEvery is how many cells stand between two guides.
func guideEvery(cells int) int {
	if cells > maxCellCols {
		return 8
	}
	return 4
}

// writeGuides divides the map, and one block of rows from the other.
func (h heatMap) writeGuides(w io.Writer) {
	var d strings.Builder
	for rank, every := guideEvery(h.columns), guideEvery(h.columns); rank < h.columns; rank += every {
		fmt.Fprintf(&d, "M%s 0V%s", number(float64(rank)*h.across-h.gap/2), number(h.height()))
	}
	for row := 1; row < h.rows; row++ {
		if at := h.row(row); at%guideEvery(h.rows) == 0 {
			fmt.Fprintf(&d, "M0 %sH%s", number(float64(row)*h.down-h.gap/2), number(h.width()))
		}
	}
	if d.Len() > 0 {
		fmt.Fprintf(w, `<path class="heat-guide" transform="translate(%s %s)" d="%s"/>`, number(h.left), number(h.top), d.String())
	}
}

// writeNumbers names ranks above the map and rows left of it, as many as there
// is room for.
func (h heatMap) writeNumbers(w io.Writer, names []string) {
	widest := 0.0
	for _, name := range names {
		widest = max(widest, measure(name)*h.text/textSize)
	}
	for rank, every := 0, named(h.across, widest+6); rank < len(names); rank += every {
		fmt.Fprintf(w, `<text class="t-mut" x="%s" y="%s" font-size="%s" text-anchor="middle">%s</text>`,
			number(h.left+float64(rank)*h.across+(h.across-h.gap)/2), number(h.top-8), number(h.text), html.EscapeString(names[rank]))
	}
	for row, every := 0, named(h.down, h.text*1.3); row < h.rows; row++ {
		if h.row(row)%every == 0 {
			fmt.Fprintf(w, `<text class="t-mut" x="%s" y="%s" font-size="%s" text-anchor="end">%d</text>`,
				number(h.left-6), number(h.top+float64(row)*h.down+(h.down-h.gap)/2+h.text*0.35), number(h.text), h.row(row))
		}
	}
}

// named is every how manieth of things so far apart has room for its name: a
// power of two.
func named(pitch, room float64) int {
	every := 1
	for float64(every)*pitch < room {
		every *= 2
	}
	return every
}
