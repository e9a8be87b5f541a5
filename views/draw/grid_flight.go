package draw

import (
	"fmt"
	"strings"
)

// Flight is what comes from one column of the first grid of a BeforeAfter into
// one column of the second.
type Flight struct {
	From, To int // columns
	Up       int // by how many rows it comes from further down; negative from further up
	Cells    []Flown
}

// Flown is a cell of a flight: the row in which it arrives, and what it was.
type Flown struct {
	Row  int
	Cell Cell
}

// drawFlights draws the second grid with its left edge at x, and over it what
// comes into it. A part flies as the bar that it is, to its own place in the
// cell, so that all parts together fill it.
func drawFlights(s *strings.Builder, after Grid, x float64, flights []Flight) {
	empty := make(Grid, len(after))
	for column := range after {
		empty[column] = make([]Cell, len(after[column]))
	}
	drawGrid(s, empty, x)
	s.WriteString(`<g class="there">`)
	drawGrid(s, after, x)
	s.WriteString(`</g>`)
	for _, f := range flights {
		fmt.Fprintf(s, `<g class="fly fx%d fy%d">`, f.From-f.To, f.Up)
		var full, bar [Hues]strings.Builder
		for _, flown := range f.Cells {
			left := x + float64(f.To)*(cellSide+cellGap) + 0.5
			top := float64(flown.Row)*(cellSide+cellGap) + 0.5
			side, hue := cellSide-1, flown.Cell.Hue%Hues
			if flown.Cell.Fill == Part {
				width := (side - 1) / float64(len(after))
				box(&bar[hue], left+0.5+float64(flown.Cell.Part)*width, top+0.5, width, side-1)
			} else {
				box(&full[hue], left, top, side, side)
			}
		}
		for hue := range Hues {
			path(s, fmt.Sprintf(`class="cell-%d"`, hue), &full[hue])
			path(s, fmt.Sprintf(`class="cell-fill-%d"`, hue), &bar[hue])
		}
		s.WriteString(`</g>`)
	}
}
