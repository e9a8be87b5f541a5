package draw

import (
	"fmt"
	"html"
	"strings"
)

// WaitGraph reads from left to right: who waits, on whom, and last, in red,
// the root cause.
type WaitGraph struct {
	Title   string
	Far     []WaitBox // those who wait for the near ones; one box, or none
	Near    []WaitBox // those who wait for the cause itself
	Cause   WaitBox
	WaitFor string // on the way from far to near
}

// WaitBox is one rank, or several that are in the same case.
type WaitBox struct {
	Title string
	Note  string
	Says  string // what keeps it, on the way to the next box
}

// Geometry of a graph, in units of the view box.
const (
	waitBoxWidth  = 216.0
	waitBoxHeight = 60.0
	waitBoxGap    = 36.0
	waitBetween   = 148.0
)

// SVG draws the graph.
func (w WaitGraph) SVG() string {
	columns := [][]WaitBox{w.Far, w.Near, {w.Cause}}
	rows, width := 1, 0.0
	var lefts []float64
	for _, boxes := range columns {
		lefts = append(lefts, width)
		if len(boxes) > 0 {
			rows = max(rows, len(boxes))
			width += waitBoxWidth + waitBetween
		}
	}
	width -= waitBetween
	height := float64(rows)*(waitBoxHeight+waitBoxGap) + 10
	top := func(column, row int) float64 {
		count := float64(len(columns[column]))
		return height/2 - (count*(waitBoxHeight+waitBoxGap)-waitBoxGap)/2 + float64(row)*(waitBoxHeight+waitBoxGap)
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="waitgraph" viewBox="-2 0 %s %s" width="%[1]s" height="%[2]s" role="img" focusable="false"><title>%[3]s</title>`,
		number(width+4), number(height), html.EscapeString(w.Title))
	arrow := func(class string, from, fromRow, to, toRow int, says string) {
		x1, y1 := lefts[from]+waitBoxWidth, top(from, fromRow)+waitBoxHeight/2
		x2, y2 := lefts[to]-9, top(to, toRow)+waitBoxHeight/2
		middle := (x1 + x2) / 2
		fmt.Fprintf(&s, `<path class="wait-way %s" d="M%s %sC%s %s %s %s %s %s"/>`, class,
			number(x1), number(y1), number(middle), number(y1), number(middle), number(y2), number(x2), number(y2))
		fmt.Fprintf(&s, `<path class="wait-head %s" d="M%s %sl10 5l-10 5z"/>`, class, number(x2-1), number(y2-5))
		if says == "" {
			return
		}
		y := min(y1, y2) - 10
		if (y1 > y2) == (from == 1) && y1 != y2 { // the way bends up from below, or down: outside of the bend
			y = max(y1, y2) + 22
		}
		fmt.Fprintf(&s, `<text class="wait-says %s" x="%s" y="%s" text-anchor="middle">%s</text>`, class, number(middle), number(y), html.EscapeString(says))
	}
	for far := range w.Far {
		for near := range w.Near {
			says := ""
			if near == 0 {
				says = w.WaitFor
			}
			arrow("", 0, far, 1, near, says)
		}
	}
	for near, box := range w.Near {
		arrow("cause", 1, near, 2, 0, box.Says)
	}
	for column, boxes := range columns {
		class := [...]string{"far", "near", "cause"}[column]
		for row, box := range boxes {
			x, y := lefts[column], top(column, row)
			fmt.Fprintf(&s, `<g class="wait-box %s"><rect x="%s" y="%s" width="%s" height="%s" rx="5"/><text class="wait-title" x="%s" y="%s">%s</text><text class="wait-note" x="%s" y="%s">%s</text></g>`,
				class, number(x), number(y), number(waitBoxWidth), number(waitBoxHeight),
				number(x+14), number(y+25), html.EscapeString(box.Title), number(x+14), number(y+46), html.EscapeString(box.Note))
		}
	}
	s.WriteString(`</svg>`)
	return s.String()
}
