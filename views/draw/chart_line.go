package draw

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Ink tells series apart by colour and by form, never by colour alone.
type Ink uint8

// The inks of lines and marks. Accent is for the one that the page is about.
const (
	Accent Ink = iota // solid and thick
	Dashed            // ink, dashed
	Thin              // ink, solid and thin
	Dotted            // grey, dotted
)

var inkNames = [...]string{"accent", "dashed", "thin", "dotted"}

func (i Ink) String() string { return inkNames[int(i)%len(inkNames)] }

// Side is where a label stands, seen from its point.
type Side uint8

// The sides.
const (
	Above Side = iota
	Below
	Left
	Right
	AboveLeft
	AboveRight
	BelowLeft
	BelowRight
)

// Point is a value on each axis.
type Point struct{ X, Y float64 }

// Series is one line. It is drawn through its points in their order; a point
// that is not a number interrupts it.
type Series struct {
	Points []Point
	Ink    Ink
	Dots   bool // a dot at each point, for few of them

	// Label names the line, beside the point that many before its last.
	Label     string
	LabelBack int
	LabelSide Side
}

// Mark is a point worth pointing at.
type Mark struct {
	At    Point
	Ink   Ink
	Ring  bool   // hollow: where lines meet
	Drop  bool   // a line down to the horizontal axis
	Label string // may be empty
	Note  string // a second line, not bold
	Side  Side
}

// Rule is a vertical line through the plot: a moment, a limit, a choice.
type Rule struct {
	At    float64
	Label string // above the plot
	Ink   Ink
}

// Area is what lies between two lines: a range that something should be in. Low
// and High have the same horizontal values.
type Area struct {
	Low, High []Point
	Label     string // beside its upper edge; may be empty
	LabelBack int    // how many points before the last of High the label stands
}

// LineChart draws series over two axes, each linear or logarithmic. Lines are
// cut off at the plot, so an axis may end before the data does.
type LineChart struct {
	Frame
	X, Y   Axis
	Areas  []Area // beneath everything else
	Series []Series
	Marks  []Mark
	Rules  []Rule
	Cursor *Cursor // nil for none
}

// SVG draws the chart.
func (l LineChart) SVG() string {
	c := l.open()
	p := l.plot()
	x := c.below(p, l.X, l.X.Log)
	y := c.beside(p, l.Y)
	// An inner svg cuts without an id, which would have to be unique on a page.
	fmt.Fprintf(c, `<svg x="%s" y="%s" width="%s" height="%s" viewBox="%[1]s %[2]s %[3]s %[4]s">`,
		number(p.left), number(p.top-2), number(p.right-p.left), number(p.bottom-p.top+4))
	for _, a := range l.Areas {
		fmt.Fprintf(c, `<path class="g-area" d="%s"/>`, a.trace(x, y))
	}
	for _, s := range l.Series {
		fmt.Fprintf(c, `<path class="g-line-%s" d="%s"/>`, s.Ink, trace(s.Points, x, y))
	}
	c.WriteString(`</svg>`)
	var rules, marks, names []label
	on := ground{left: p.left, width: l.Width, top: edgeSpace - 4, bottom: p.bottom}
	if l.Cursor != nil {
		on.taken = l.Places()[l.Cursor.At].taken(p)
	}
	for _, r := range l.Rules {
		c.line("g-line-"+r.Ink.String(), x.At(r.At), p.top, x.At(r.At), p.bottom)
		on.lines = append(on.lines, segment{spot{x.At(r.At), p.top}, spot{x.At(r.At), p.bottom}})
		rules = append(rules, label{point: spot{x.At(r.At), p.top}, x: x.At(r.At), y: p.top - 7, anchor: middle, class: "g-text-" + r.Ink.String(), words: r.Label, fixed: true})
	}
	for _, s := range l.Series {
		way := places(s.Points, x, y)
		on.lines = append(on.lines, runs(way)...)
		if s.Dots {
			for _, at := range s.Points {
				if math.IsNaN(at.X) || math.IsNaN(at.Y) {
					continue
				}
				c.dot(x.At(at.X), y.At(at.Y), s.Ink, false)
			}
		}
		if s.Label != "" && len(s.Points) > 0 {
			from := max(0, len(s.Points)-1-s.LabelBack)
			name := newLabel(way[from], s.LabelSide, "g-text-"+s.Ink.String(), s.Label, "")
			name.others = p.along(way, from)
			names = append(names, name)
		}
	}
	for _, a := range l.Areas {
		if a.Label != "" && len(a.High) > 0 {
			way := places(a.High, x, y)
			from := max(0, len(way)-1-a.LabelBack)
			name := newLabel(way[from], Above, "g-quiet", a.Label, "")
			name.others = p.along(way, from)
			names = append(names, name)
		}
	}
	for _, m := range l.Marks {
		at := spot{x.At(m.At.X), y.At(m.At.Y)}
		on.lines = append(on.lines, segment{spot{at.x - 5, at.y}, spot{at.x + 5, at.y}})
		if m.Drop {
			c.line("g-drop", at.x, at.y, at.x, p.bottom)
			on.lines = append(on.lines, segment{at, spot{at.x, p.bottom}})
		}
		c.dot(x.At(m.At.X), y.At(m.At.Y), m.Ink, m.Ring)
		marks = append(marks, newLabel(spot{x.At(m.At.X), y.At(m.At.Y)}, m.Side, "g-strong g-text-"+m.Ink.String(), m.Label, m.Note))
	}
	// What is pointed at keeps its place, the lines' names give way.
	c.writeLabels(on.place(slices.Concat(rules, marks, names)))
	if l.Cursor != nil {
		c.cursor(l, p)
	}
	return c.close()
}

// places are where points lie in the drawing.
func places(points []Point, x, y Scale) []spot {
	all := make([]spot, len(points))
	for i, at := range points {
		all[i] = spot{x.At(at.X), y.At(at.Y)}
	}
	return all
}

// along are the points of a line that lie in the plot, the nearest to one of
// them first; of points close together one is enough, and between points far
// apart there are more.
func (p plot) along(way []spot, from int) []spot {
	const apart = 8.0
	var all []spot
	for _, piece := range runs(way) {
		steps := max(1, math.Ceil(math.Hypot(piece.to.x-piece.from.x, piece.to.y-piece.from.y)/apart))
		for k := range int(steps) {
			at := piece.from.between(piece.to, float64(k)/steps)
			if n := len(all); n > 0 && math.Hypot(at.x-all[n-1].x, at.y-all[n-1].y) < apart/2 {
				continue
			}
			if at.x >= p.left && at.x <= p.right && at.y >= p.top && at.y <= p.bottom {
				all = append(all, at)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b spot) int {
		return cmp.Compare(math.Hypot(a.x-way[from].x, a.y-way[from].y), math.Hypot(b.x-way[from].x, b.y-way[from].y))
	})
	return all
}

// trace is the path through points, with a new start after each gap.
func trace(points []Point, x, y Scale) string {
	var d strings.Builder
	command := "M"
	for _, at := range points {
		if math.IsNaN(at.X) || math.IsNaN(at.Y) {
			command = "M"
			continue
		}
		fmt.Fprintf(&d, "%s%s %s", command, number(x.At(at.X)), number(y.At(at.Y)))
		command = "L"
	}
	return d.String()
}

// trace is the closed path around an area: along its upper edge and back along
// its lower one.
func (a Area) trace(x, y Scale) string {
	back := slices.Clone(a.Low)
	slices.Reverse(back)
	if len(a.High) == 0 {
		return ""
	}
	return trace(slices.Concat(a.High, back), x, y) + "Z"
}

func (c *canvas) dot(x, y float64, ink Ink, ring bool) {
	class, radius := "g-dot-"+ink.String(), 5.0
	if ring {
		class, radius = "g-ring", 6
	}
	fmt.Fprintf(c, `<circle class="%s" cx="%s" cy="%s" r="%s"/>`, class, number(x), number(y), number(radius))
}
