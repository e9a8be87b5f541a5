package draw

import (
	"fmt"
	"html"
	"math"
	"slices"
)

// Cursor is a vertical line on a LineChart that can be moved from stop to
// stop, with a dot on every line. The chart's plot then lies at CursorLeft and
// CursorRight, where the style sheet puts the range input that moves it.
type Cursor struct {
	At    int // an index into Stops
	Stops []CursorStop
}

// CursorStop is a place of the cursor.
type CursorStop struct {
	X     float64
	Label string       // over the plot
	Dots  []CursorMark // one for each series
}

// CursorMark is where the cursor meets a line.
type CursorMark struct {
	Y     float64
	Label string
	Upper bool // it is the upper one there
}

// The plot's distances from the edges of a chart with a cursor, in view-box
// units; race.css has the same.
const (
	CursorLeft  = 64.0
	CursorRight = 24.0
)

// CursorSides are where the word of a dot stands, seen from it.
var CursorSides = [...]CursorSide{
	{-10, -9, "end"}, {10, -9, "start"}, {10, 21, "start"}, {-10, 21, "end"},
}

// CursorSide is such a place, with the side on which the text is held.
type CursorSide struct {
	X, Y   float64
	Anchor string
}

// CursorPlace is where everything of the cursor lies at one stop, in view-box
// units: what a script needs to move it.
type CursorPlace struct {
	X     float64
	Word  float64 // the middle of its word
	Label string
	Dots  []DotPlace
}

// DotPlace is where a dot lies and its word stands.
type DotPlace struct {
	Y     float64
	Side  int // an index into CursorSides
	Label string
}

// Places returns where the cursor is at every stop; nil without a cursor.
func (l LineChart) Places() []CursorPlace {
	if l.Cursor == nil {
		return nil
	}
	p := l.plot()
	x, y := l.X.scale(p.left, p.right), l.Y.scale(p.bottom, p.top)
	var all []CursorPlace
	for _, stop := range l.Cursor.Stops {
		at := tenths(x.At(stop.X))
		half := boldWidth(stop.Label) / 2
		place := CursorPlace{X: at, Word: tenths(math.Min(math.Max(at, half), l.Width-half)), Label: stop.Label}
		for _, dot := range stop.Dots {
			d := DotPlace{Y: tenths(y.At(dot.Y)), Label: dot.Label}
			wide := boldWidth(dot.Label) + 12
			switch {
			case dot.Upper && at-wide < p.left:
				d.Side = 1
			case dot.Upper:
				d.Side = 0
			case at+wide > l.Width:
				d.Side = 3
			default:
				d.Side = 2
			}
			place.Dots = append(place.Dots, d)
		}
		all = append(all, place)
	}
	return all
}

// plot is the rectangle inside of the axes.
func (l LineChart) plot() plot {
	head := 0.0
	if l.Cursor != nil || slices.ContainsFunc(l.Rules, func(r Rule) bool { return r.Label != "" }) {
		head = nameLine
	}
	p := l.inside(l.X, l.Y, head)
	if l.Cursor != nil {
		p.left, p.right = CursorLeft, l.Width-CursorRight
	}
	return p
}

// taken is what the words at the cursor cover.
func (s CursorPlace) taken(p plot) []area {
	all := []area{{s.X - 1, p.top, 2, p.bottom - p.top}}
	for _, dot := range s.Dots {
		side := CursorSides[dot.Side]
		width := boldWidth(dot.Label)
		box := area{s.X + side.X, dot.Y + side.Y - labelRise, width, labelRise + labelDepth}
		if side.Anchor == "end" {
			box.left -= width
		}
		all = append(all, box, area{s.X - 6, dot.Y - 6, 12, 12})
	}
	return all
}

// cursor draws the cursor at its stop.
func (c *canvas) cursor(l LineChart, p plot) {
	here := l.Places()[l.Cursor.At]
	fmt.Fprintf(c, `<g data-cursor="line" transform="%s"><path class="g-now" d="M0 %sV%s"/><path class="g-grip" d="M-7 %[3]sh14l-7 9z"/></g>`,
		translate(here.X, 0), number(p.top), number(p.bottom))
	fmt.Fprintf(c, `<text data-cursor="word" class="g-strong g-text-accent" x="%s" y="%s" text-anchor="middle">%s</text>`,
		number(here.Word), number(p.top-7), html.EscapeString(here.Label))
	for i, dot := range here.Dots {
		side := CursorSides[dot.Side]
		fmt.Fprintf(c, `<g data-cursor="dot" transform="%s"><circle class="g-dot-%s" r="5"/><text class="g-label g-strong g-text-%[2]s" x="%s" y="%s" text-anchor="%s">%s</text></g>`,
			translate(here.X, dot.Y), l.Series[i].Ink, number(side.X), number(side.Y), side.Anchor, html.EscapeString(dot.Label))
	}
}
