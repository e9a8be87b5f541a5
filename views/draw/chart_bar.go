package draw

import (
	"fmt"
	"math"
)

// Tone is what a bar stands for. Each has a fill of its own: plain, or with a
// pattern.
type Tone uint8

// The tones of time and of state.
const (
	Compute Tone = iota // grey
	Comm                // accent: communication that costs time
	Hidden              // accent hatch: communication behind computing
	Bubble              // dots: waiting
	Latency             // ink hatch: α
	Stuck               // red hatch
	Paper               // outline only: still to come
	Done                // ink
)

var toneNames = [...]string{"compute", "comm", "hidden", "bubble", "latency", "stuck", "paper", "done"}

func (t Tone) String() string { return toneNames[int(t)%len(toneNames)] }

// hatches are the patterns of the tones that have one; see Patterns.
var hatches = map[Tone]string{Hidden: "hxa", Bubble: "hxb", Latency: "hx", Stuck: "hxf"}

// bar draws a rectangle in a tone.
func (c *canvas) bar(t Tone, x, y, width, height float64) {
	fill := ""
	if id, hatched := hatches[t]; hatched {
		fill = fmt.Sprintf(` fill="url(#%s)"`, id)
	}
	fmt.Fprintf(c, `<rect class="g-%s"%s x="%s" y="%s" width="%s" height="%s"/>`, t, fill, number(x), number(y), number(width), number(height))
}

// Column is one bar of a BarChart.
type Column struct {
	Label     string
	Value     float64 // zero draws none: not measured yet
	Figure    string  // inside the bar at its foot where it fits, may be empty
	Tone      Tone
	Predicted float64 // a thick line in ink; zero for none
	Current   bool    // the label is in the accent
}

// Group names neighbouring columns below their labels; a dashed line parts it
// from the next.
type Group struct {
	Columns int
	Label   string
}

// BarChart draws columns over a vertical axis that begins at zero, each with
// the line it was predicted to reach.
type BarChart struct {
	Frame
	Y       Axis
	Columns []Column
	Groups  []Group // may be empty
}

// SVG draws the chart.
func (b BarChart) SVG() string {
	c := b.open()
	p := b.inside(Axis{Ticks: []Tick{{}}}, b.Y, 0)
	if len(b.Groups) > 0 {
		p.bottom -= nameLine
	}
	y := c.beside(p, b.Y)
	each := (p.right - p.left) / math.Max(1, float64(len(b.Columns)))
	// Labels that would run into each other are written every second, third…
	widest := 0.0
	for _, column := range b.Columns {
		widest = math.Max(widest, measure(column.Label)+6)
	}
	every := max(1, int(math.Ceil(widest/each)))
	for i, column := range b.Columns {
		left := p.left + float64(i)*each
		center, width := left+each/2, each*0.7
		if column.Value > 0 {
			top := y.At(column.Value)
			c.bar(column.Tone, center-width/2, top, width, p.bottom-top)
			foot := p.bottom - 8
			if line := y.At(column.Predicted); column.Predicted > 0 && line > foot-labelRise-4 && line < foot+labelDepth+2 {
				foot = line - 8 // over the line, not through it
			}
			if foot-labelRise-3 > top && measure(column.Figure) < width {
				c.text(center, foot, middle, "g-on-"+column.Tone.String(), column.Figure)
			}
		}
		if column.Predicted > 0 {
			c.line("g-predicted", left+each*0.06, y.At(column.Predicted), left+each*0.94, y.At(column.Predicted))
		}
		class := "g-quiet"
		if column.Current {
			class = "g-strong g-text-accent"
		}
		if i%every == 0 || column.Current {
			c.text(center, p.bottom+tickLine-2, middle, class, column.Label)
		}
	}
	at := 0
	for i, g := range b.Groups {
		left, right := p.left+float64(at)*each, p.left+float64(at+g.Columns)*each
		c.within((left+right)/2, p.bottom+tickLine-2+nameLine, middle, "g-quiet", g.Label)
		if at += g.Columns; i < len(b.Groups)-1 {
			c.line("g-drop", right, p.top-edgeSpace, right, p.bottom+2) // not through the labels
			c.line("g-drop", right, p.bottom+tickLine+2, right, p.bottom+tickLine+nameLine-4)
		}
	}
	return c.close()
}

// Piece is a part of a StackedBar.
type Piece struct {
	Length float64
	Tone   Tone
	Label  string // inside, where it fits; the caller's table or legend says it in any case
}

// StackedBar is one row of pieces, end to end from zero.
type StackedBar struct {
	Name   string // left of the bar
	Pieces []Piece
	Beside []Piece // a thin strip under the bar from zero: time that is hidden and adds nothing
	Figure string  // right of the bar, bold
	Note   string  // after the figure
}

// StackedBars draws rows on one scale that begins at zero, so that lengths
// compare across rows.
type StackedBars struct {
	Frame // Height is that of all rows and the axis; see RowsHeight
	X     Axis
	Rows  []StackedBar
}

// Heights of stacked bars, in view-box units.
const (
	barThick   = 32.0
	stripThick = 12.0
	barGap     = 16.0
)

// RowsHeight is the frame height that n stacked bars need, with a strip
// beneath each or without, and an axis that may have a name.
func RowsHeight(n int, strip, named bool) float64 {
	height := float64(n)*(barThick+barGap) + tickLine + edgeSpace
	if strip {
		height += float64(n) * (stripThick + 3)
	}
	if named {
		height += nameLine
	}
	return height
}

// SVG draws the bars. In a frame that is too narrow for names and notes beside
// the bars, make Name and Note empty and say them in the page.
func (b StackedBars) SVG() string {
	c := b.open()
	p := b.inside(b.X, Axis{}, 0)
	p.top = 0
	strips := false
	for _, row := range b.Rows {
		if row.Name != "" {
			p.left = math.Max(p.left, math.Ceil(boldWidth(row.Name))+12)
		}
		strips = strips || len(row.Beside) > 0
	}
	// The axis gives way so that words fit right of the bars.
	for _, row := range b.Rows {
		if share := row.length() / b.X.High; share > 0 && row.Figure+row.Note != "" {
			p.right = math.Min(p.right, p.left+(b.Width-p.left-row.words())/share)
		}
	}
	x := c.below(p, b.X, false)
	step := barThick + barGap
	if strips {
		step += stripThick + 3
	}
	for i, row := range b.Rows {
		top := float64(i) * step
		c.text(0, top+barThick/2+5, start, "g-strong", row.Name)
		right := c.pieces(row.Pieces, x, top, barThick)
		c.pieces(row.Beside, x, top+barThick+3, stripThick)
		c.text(right+10, top+barThick/2+5, start, "g-strong", row.Figure)
		if row.Note != "" {
			c.text(right+18+boldWidth(row.Figure), top+barThick/2+5, start, "g-quiet", row.Note)
		}
	}
	return c.close()
}

// length is where the row ends, in the unit of the scale.
func (b StackedBar) length() float64 {
	total := 0.0
	for _, piece := range b.Pieces {
		total += piece.Length
	}
	return total
}

// words is the width of what stands right of the bar, with its distance.
func (b StackedBar) words() float64 {
	return 26 + boldWidth(b.Figure) + measure(b.Note)
}

func boldWidth(words string) float64 { return measure(words) * 1.06 }

// pieces draws pieces end to end and returns where they end.
func (c *canvas) pieces(pieces []Piece, x Scale, top, height float64) float64 {
	at := 0.0
	for _, piece := range pieces {
		left, right := x.At(at), x.At(at+piece.Length)
		c.bar(piece.Tone, left, top, right-left, height)
		if height >= barThick && measure(piece.Label)+8 < right-left {
			c.text((left+right)/2, top+height/2+5, middle, "g-on-"+piece.Tone.String(), piece.Label)
		}
		at += piece.Length
	}
	return x.At(at)
}
