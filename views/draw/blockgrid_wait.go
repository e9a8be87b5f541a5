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
	w.open(&s, "wide", width+4, height)
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
		for row, box := range boxes {
			box.draw(&s, column, lefts[column], top(column, row), waitBoxWidth)
		}
	}
	s.WriteString(`</svg>`)
	return s.String()
}

// open begins a drawing, with all of the graph in its title.
func (w WaitGraph) open(s *strings.Builder, class string, width, height float64) {
	fmt.Fprintf(s, `<svg class="waitgraph %s" viewBox="-2 0 %s %s" width="%[2]s" height="%[3]s" role="img" focusable="false"><title>%[4]s</title>`,
		class, number(width), number(height), html.EscapeString(w.Title))
}

// draw puts a box of one of the three columns.
func (b WaitBox) draw(s *strings.Builder, column int, x, y, width float64) {
	fmt.Fprintf(s, `<g class="wait-box %s"><rect x="%s" y="%s" width="%s" height="%s" rx="5"/><text class="wait-title" x="%s" y="%s">%s</text><text class="wait-note" x="%s" y="%s">%s</text></g>`,
		[...]string{"far", "near", "cause"}[column], number(x), number(y), number(width), number(waitBoxHeight),
		number(x+14), number(y+25), html.EscapeString(b.Title), number(x+14), number(y+46), html.EscapeString(b.Note))
}

// Geometry of a graph for a phone: boxes below each other, and beside them a
// lane each way for those that have to go around a box.
const (
	waitLane       = 26.0
	waitTallWidth  = 268.0
	waitTallGap    = 44.0
	waitTallHeight = waitBoxHeight + waitTallGap
)

// Tall draws the same from top to bottom, for a phone.
func (w WaitGraph) Tall() string {
	far, near := len(w.Far), len(w.Near)
	left, right := waitLane, waitLane+waitTallWidth
	height := float64(far+near+1)*waitTallHeight - waitTallGap + 4
	var s strings.Builder
	w.open(&s, "tall", right+waitLane+4, height)
	top := func(place int) float64 { return 2 + float64(place)*waitTallHeight }
	head := func(class, path string, x, y float64, shape string) {
		fmt.Fprintf(&s, `<path class="wait-way %s" d="%s"/><path class="wait-head %[1]s" d="M%[3]s %[4]s%[5]s"/>`, class, path, number(x), number(y), shape)
	}
	says := func(class string, x, y float64, anchor, text string) {
		if text != "" {
			fmt.Fprintf(&s, `<text class="wait-says %s" x="%s" y="%s" text-anchor="%s">%s</text>`, class, number(x), number(y), anchor, html.EscapeString(text))
		}
	}
	down := func(class string, from float64) {
		x, y := left+40, from+waitBoxHeight
		head(class, fmt.Sprintf("M%s %sV%s", number(x), number(y), number(y+waitTallGap-9)), x-5, y+waitTallGap-11, "l5 10l5 -10z")
	}
	for i := range w.Far {
		for j := range w.Near {
			if i == far-1 && j == 0 {
				down("", top(i))
				says("", left+54, top(i)+waitBoxHeight+27, "start", w.WaitFor)
				continue
			}
			y1, y2 := top(i)+waitBoxHeight/2, top(far+j)+waitBoxHeight/2
			head("", fmt.Sprintf("M%s %sH6V%sH%s", number(left), number(y1), number(y2), number(left-9)), left-11, y2-5, "l10 5l-10 5z")
		}
	}
	cause := top(far + near)
	for j, box := range w.Near {
		y := top(far + j)
		if j == near-1 {
			down("cause", y)
			says("cause", left+54, y+waitBoxHeight+27, "start", box.Says)
			continue
		}
		y1, y2 := y+waitBoxHeight/2, cause+waitBoxHeight/2
		head("cause", fmt.Sprintf("M%s %sH%sV%sH%s", number(right), number(y1), number(right+waitLane-6), number(y2), number(right+9)), right+11, y2-5, "l-10 5l10 5z")
		says("cause", right, y+waitBoxHeight+20, "end", box.Says)
	}
	for i, box := range w.Far {
		box.draw(&s, 0, left, top(i), waitTallWidth)
	}
	for j, box := range w.Near {
		box.draw(&s, 1, left, top(far+j), waitTallWidth)
	}
	w.Cause.draw(&s, 2, left, cause, waitTallWidth)
	s.WriteString(`</svg>`)
	return s.String()
}
