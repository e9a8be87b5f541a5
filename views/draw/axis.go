package draw

import "math"

// Axis is one direction of a chart: which values it holds, where it is marked
// and what the marks are called. The caller prints the values, with their
// unit in at least one label or in Name.
type Axis struct {
	Low, High float64 // Low is zero unless Log
	Log       bool    // every decade is as long as the next; Low must be above zero
	Ticks     []Tick
	Name      string // what is measured; may be empty
}

// Tick is one mark.
type Tick struct {
	At    float64
	Label string // empty for a mark without words
}

// Marked returns the axis whose marks stand at the given values, the first and
// the last of which are its ends, named by label. NiceTicks and DecadeTicks
// find values.
func Marked(values []float64, log bool, name string, label func(float64) string) Axis {
	a := Axis{Low: values[0], High: values[len(values)-1], Log: log, Name: name}
	for _, v := range values {
		a.Ticks = append(a.Ticks, Tick{v, label(v)})
	}
	return a
}

// scale places the axis on a length.
func (a Axis) scale(from, to float64) Scale {
	if a.Log {
		return Log(a.Low, a.High, from, to)
	}
	return Linear(a.Low, a.High, from, to)
}

// widest is the width of the longest label, in view-box units.
func (a Axis) widest() float64 {
	widest := 0.0
	for _, t := range a.Ticks {
		widest = math.Max(widest, measure(t.Label))
	}
	return widest
}

// Distances of an axis, in view-box units.
const (
	tickGap   = 7.0  // between the plot and a label
	tickLine  = 20.0 // height of the line of labels below a plot
	nameLine  = 20.0 // height of an axis' name
	edgeSpace = 8.0  // so that a line's own width is not cut
)

// plot is the rectangle inside the axes.
type plot struct {
	left, top, right, bottom float64
}

// below draws the horizontal axis under p: a line with ticks, or, with grid,
// lines through the plot.
func (c *canvas) below(p plot, a Axis, grid bool) Scale {
	s := a.scale(p.left, p.right)
	if !grid {
		c.line("g-axis", p.left, p.bottom, p.right, p.bottom)
	}
	for _, t := range a.Ticks {
		x := s.At(t.At)
		if grid {
			c.line("g-grid", x, p.top, x, p.bottom)
		} else {
			c.line("g-axis", x, p.bottom, x, p.bottom+5)
		}
		c.within(x, p.bottom+tickLine, middle, "g-quiet", t.Label)
	}
	c.text(p.right, p.bottom+tickLine+nameLine, end, "g-quiet", a.Name)
	return s
}

// beside draws the vertical axis left of p, with a line through the plot at
// every tick.
func (c *canvas) beside(p plot, a Axis) Scale {
	s := a.scale(p.bottom, p.top)
	for _, t := range a.Ticks {
		y := s.At(t.At)
		class := "g-grid"
		if !a.Log && t.At == 0 {
			class = "g-axis"
		}
		c.line(class, p.left, y, p.right, y)
		c.text(p.left-tickGap, y+5, end, "g-quiet", t.Label)
	}
	c.text(0, 12, start, "g-quiet", a.Name)
	return s
}

// inside is the plot that axes and a head of so many units leave of a frame.
func (f Frame) inside(x, y Axis, head float64) plot {
	p := plot{left: edgeSpace, top: edgeSpace + head, right: f.Width - edgeSpace, bottom: f.Height - edgeSpace}
	if len(y.Ticks) > 0 {
		p.left = math.Ceil(y.widest()) + tickGap
	}
	if y.Name != "" {
		p.top += nameLine
	}
	if len(x.Ticks) > 0 {
		p.bottom -= tickLine - 2
		// Half of the last label stands right of the plot.
		p.right = f.Width - math.Max(edgeSpace, math.Ceil(measure(x.Ticks[len(x.Ticks)-1].Label)/2))
	}
	if x.Name != "" {
		p.bottom -= nameLine
	}
	return p
}
