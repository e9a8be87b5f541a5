package draw

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Reel is how a drawing changes over time: all that a script needs to play
// what Go has drawn, and what Go itself draws any moment from. Times are in
// the unit of the drawing's axis.
type Reel []Mover

// Mover is a moving part of a drawing: the nodes with its key as data-part.
type Mover struct {
	Key   string
	Looks []Look // by time, the first from the beginning
	Grow  *Grow
	Lines []Line // by time; where none holds the text is empty
}

// Look is what a part looks like from a moment on.
type Look struct {
	From      float64
	Class     string
	Transform string // empty for none
}

// Way is how a part follows the clock.
type Way string

// The ways: along the horizontal or the vertical from nothing to its full
// length, or moved sideways by a length.
const (
	Across Way = "x"
	Up     Way = "y"
	Slide  Way = "slide"
)

// Grow moves a part evenly from one moment to another.
type Grow struct {
	Way      Way
	From, To float64
	Length   float64 // of a Slide, in view-box units
}

// Line is a text that holds for some time. Percent in it stands for the share
// of that time that has passed.
type Line struct {
	From, To float64
	Text     string
}

// Percent is what a Line's text has in place of a growing number.
const Percent = "{%}"

// share is how much of the time between from and to has passed, 0 to 1.
func share(from, to, now float64) float64 {
	if to <= from {
		if now >= to {
			return 1
		}
		return 0
	}
	return math.Min(1, math.Max(0, (now-from)/(to-from)))
}

// Said is the text of lines at a moment: that of the last that has begun and
// not ended, and at the very end that of the last.
func Said(lines []Line, now float64) string {
	for i := len(lines) - 1; i >= 0; i-- {
		l := lines[i]
		if l.From <= now && (now < l.To || i == len(lines)-1 && now <= l.To) {
			percent := strconv.Itoa(int(math.Floor(share(l.From, l.To, now)*100 + 1e-9)))
			return strings.ReplaceAll(l.Text, Percent, percent)
		}
	}
	return ""
}

// look is how the part looks at a moment.
func (p Mover) look(now float64) Look {
	at := p.Looks[0]
	for _, l := range p.Looks[1:] {
		if l.From > now {
			break
		}
		at = l
	}
	return at
}

// attributes are those of the part's node at a moment.
func (p Mover) attributes(now float64) string {
	var s strings.Builder
	fmt.Fprintf(&s, ` data-part="%s"`, html.EscapeString(p.Key))
	transform := ""
	if len(p.Looks) > 0 {
		l := p.look(now)
		fmt.Fprintf(&s, ` class="%s"`, l.Class)
		transform = l.Transform
	}
	if p.Grow != nil {
		transform = p.Grow.transform(now)
	}
	if transform != "" {
		fmt.Fprintf(&s, ` transform="%s"`, transform)
	}
	return s.String()
}

func (g Grow) transform(now float64) string {
	f := share(g.From, g.To, now)
	switch g.Way {
	case Across:
		return fmt.Sprintf("scale(%s 1)", fine(f))
	case Up:
		return fmt.Sprintf("scale(1 %s)", fine(f))
	}
	return fmt.Sprintf("translate(%s 0)", number(f*g.Length))
}

// fine prints a share to a ten-thousandth.
func fine(v float64) string { return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64) }

func translate(x, y float64) string { return fmt.Sprintf("translate(%s %s)", number(x), number(y)) }

// reelCanvas is a drawing that is being made for one moment, with its reel.
type reelCanvas struct {
	*canvas
	now   float64
	parts Reel
}

// node writes a part as a node; shape holds the other attributes of the tag.
func (c *reelCanvas) node(tag, shape string, p Mover) {
	fmt.Fprintf(c, `<%s%s %s/>`, tag, p.attributes(c.now), shape)
	c.parts = append(c.parts, p)
}

// words writes a part that is a text.
func (c *reelCanvas) words(x, y float64, a anchor, class string, p Mover) {
	if len(p.Looks) == 0 && class != "" {
		class = ` class="` + class + `"`
	} else {
		class = ""
	}
	fmt.Fprintf(c, `<text%s%s x="%s" y="%s"%s>%s</text>`, p.attributes(c.now), class, number(x), number(y), a, html.EscapeString(Said(p.Lines, c.now)))
	c.parts = append(c.parts, p)
}

func box4(x, y, width, height float64) string {
	return fmt.Sprintf(`x="%s" y="%s" width="%s" height="%s"`, number(x), number(y), number(width), number(height))
}
