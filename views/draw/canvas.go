package draw

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// Frame is the view box of a chart and what it is called.
//
// Text is 14 units high, so a chart is made about as many units wide as it is
// pixels wide on its page; make a narrower one for a phone instead of
// shrinking the wide one. With a Title the drawing is an image with that name
// and Desc as its description; without, it is decoration beside words or a
// table that say the same, hidden from assistive technology.
type Frame struct {
	Width, Height float64
	Title         string
	Desc          string
	Class         string // more classes of the svg element
	Linked        bool   // holds links: a group of them, not an image
}

// textSize is the height of text in view-box units; the style sheet's .chart
// text has the same.
const textSize = 14.0

// canvas is an SVG being written.
type canvas struct {
	strings.Builder
	width float64
}

// open begins the drawing.
func (f Frame) open() *canvas {
	c := &canvas{width: f.Width}
	class := "chart"
	if f.Class != "" {
		class += " " + html.EscapeString(f.Class)
	}
	fmt.Fprintf(c, `<svg class="%s" viewBox="0 0 %s %s" focusable="false"`, class, number(f.Width), number(f.Height))
	if f.Title == "" {
		c.WriteString(` aria-hidden="true">`)
		return c
	}
	role := "img"
	if f.Linked {
		role = "group"
	}
	fmt.Fprintf(c, ` role="%s"><title>%s</title>`, role, html.EscapeString(f.Title))
	if f.Desc != "" {
		fmt.Fprintf(c, `<desc>%s</desc>`, html.EscapeString(f.Desc))
	}
	return c
}

// close ends the drawing.
func (c *canvas) close() string {
	c.WriteString(`</svg>`)
	return c.String()
}

// anchor is which point of a text stands at its coordinate.
type anchor string

const (
	start  anchor = ""
	middle anchor = ` text-anchor="middle"`
	end    anchor = ` text-anchor="end"`
)

// text writes a line of text with its base line at y.
func (c *canvas) text(x, y float64, a anchor, class, words string) {
	if words == "" {
		return
	}
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(c, `<text%s x="%s" y="%s"%s>%s</text>`, class, number(x), number(y), a, html.EscapeString(words))
}

// within writes a text like text does, moved sideways as far as it must to
// stay inside the drawing.
func (c *canvas) within(x, y float64, a anchor, class, words string) {
	width := measure(words)
	left := x
	switch a {
	case middle:
		left = x - width/2
	case end:
		left = x - width
	}
	if over := left + width - c.width; over > 0 {
		x, left = x-over, left-over
	}
	if left < 0 {
		x -= left
	}
	c.text(x, y, a, class, words)
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(c, `<path class="%s" d="M%s %sL%s %s"/>`, class, number(x1), number(y1), number(x2), number(y2))
}

// measure estimates the width of a text in view-box units: a full-width
// character is an em, another a little over half of one.
func measure(words string) float64 {
	em := 0.0
	for _, r := range words {
		switch {
		case utf8.RuneLen(r) >= 3 && r >= 0x2e80: // CJK and full-width forms
			em++
		case strings.ContainsRune("iljtf.,:;|!'() ", r):
			em += 0.34
		case r == '×' || r == '÷': // as wide as a letter m, in some fonts an em
			em += 0.85
		default:
			em += 0.58
		}
	}
	return em * textSize
}
