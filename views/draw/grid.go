package draw

import (
	"fmt"
	"strings"
)

// Hues is how many hues the style sheet has; beyond them hues repeat.
const Hues = 8

// Fill is how much of a cell is there.
type Fill uint8

// The fills of a cell.
const (
	Empty Fill = iota
	Part       // one contribution of several
	Full
)

// Cell is one block on one rank.
type Cell struct {
	Fill Fill
	Hue  int // of the data, 0 to Hues-1
	Part int // which contribution, for Part: 0 to the number of ranks - 1
}

// Grid holds cells by rank, then by block: a column is a rank, a row a block.
type Grid [][]Cell

// Lengths of a grid, in units of the view box.
const (
	cellSide = 15.0
	cellGap  = 3.0
	arrowGap = 42.0 // between two grids, with the arrow inside
)

// BeforeAfter draws two grids of the same shape with an arrow from the first
// to the second. It is decoration beside words that say the same, hence hidden
// from assistive technology.
//
// With flights the second grid is drawn as
//
//	path.cell-none  g.there  g.fly.fxCOLUMNS.fyROWS ...
//
// so that a style sheet can let each flight come from its place in the first
// grid, which is so many columns and rows away from its place in the second.
// Flights are drawn where they arrive.
func BeforeAfter(before, after Grid, flights ...Flight) string {
	width, height := extent(before)
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="glyph" viewBox="0 0 %s %s" aria-hidden="true" focusable="false">`,
		number(2*width+arrowGap), number(height))
	drawGrid(&s, before, 0)
	middle := height / 2
	fmt.Fprintf(&s, `<path class="g-arrow" d="M%s %sh18"/><path class="g-head" d="M%s %sl9 4.5l-9 4.5z"/>`,
		number(width+8), number(middle), number(width+25), number(middle-4.5))
	if len(flights) == 0 {
		drawGrid(&s, after, width+arrowGap)
	} else {
		drawFlights(&s, after, width+arrowGap, flights)
	}
	s.WriteString(`</svg>`)
	return s.String()
}

// extent returns the width and height of a grid.
func extent(g Grid) (width, height float64) {
	side := func(n int) float64 { return float64(n)*(cellSide+cellGap) - cellGap }
	return side(len(g)), side(len(g[0]))
}

// drawGrid draws g with its left edge at x: one path for each class, in the
// order in which they must lie over one another.
func drawGrid(s *strings.Builder, g Grid, x float64) {
	var none strings.Builder
	var full, pattern, frame, bar [Hues]strings.Builder
	for rank, column := range g {
		for block, cell := range column {
			// Half a unit inward, so that the edge lies inside the cell.
			left := x + float64(rank)*(cellSide+cellGap) + 0.5
			top := float64(block)*(cellSide+cellGap) + 0.5
			side, hue := cellSide-1, cell.Hue%Hues
			switch cell.Fill {
			case Empty:
				box(&none, left, top, side, side)
			case Part:
				box(&frame[hue], left, top, side, side)
				width := (side - 1) / float64(len(g))
				box(&bar[hue], left+0.5+float64(cell.Part)*width, top+0.5, width, side-1)
			case Full:
				box(&full[hue], left, top, side, side)
				if hue > 0 { // pattern 0 is the plain hue
					box(&pattern[hue], left, top+side/2, side, side/2)
				}
			}
		}
	}
	path(s, `class="cell-none"`, &none)
	for hue := range Hues {
		path(s, fmt.Sprintf(`class="cell-%d"`, hue), &full[hue])
		path(s, fmt.Sprintf(`fill="url(#p%d)"`, hue), &pattern[hue])
		path(s, fmt.Sprintf(`class="cell-frame cell-edge-%d"`, hue), &frame[hue])
		path(s, fmt.Sprintf(`class="cell-fill-%d"`, hue), &bar[hue])
	}
}

func box(d *strings.Builder, x, y, width, height float64) {
	fmt.Fprintf(d, "M%s %sh%sv%sh-%sz", number(x), number(y), number(width), number(height), number(width))
}

func path(s *strings.Builder, attributes string, d *strings.Builder) {
	if d.Len() > 0 {
		fmt.Fprintf(s, `<path %s d="%s"/>`, attributes, d)
	}
}
