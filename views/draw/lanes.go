package draw

import (
	"fmt"
	"math"
)

// Lane is one competitor on the axis of time.
type Lane struct {
	Name   string
	Spans  []LaneSpan // end to end from zero
	Figure string     // right of the last span, bold
	Note   string     // after the figure where a label did not fit
}

// LaneSpan is a phase of a lane.
type LaneSpan struct {
	From, To float64
	Label    string // under the span where it fits
}

// Lanes draws competitors on one axis of time with a playhead. What is past is
// filled, the phase under way in the accent; what is to come is paper. All
// lanes have one scale.
type Lanes struct {
	Frame         // Height from LanesHeight
	Key    string // before the keys of the parts
	X      Axis
	Rows   []Lane
	Rules  []Rule
	Now    float64
	End    float64 // of the clock
	Clock  string  // the word on the playhead
	Stated bool    // the names stand over the bars, for a narrow frame
}

// Distances of lanes, in view-box units.
const (
	laneHead  = 40.0 // for the playhead's word and the rules'
	laneThick = 26.0
	laneStep  = 52.0
	laneName  = 20.0 // the line of a name over its bar
)

// LanesHeight is the frame height that n lanes need.
func LanesHeight(n int, stated bool) float64 {
	step := laneStep
	if stated {
		step += laneName
	}
	return laneHead + float64(n)*step + tickLine + 6
}

// SVG draws the lanes at their moment and returns how they change.
func (l Lanes) SVG() (string, Reel) {
	c := &reelCanvas{canvas: l.open(), now: l.Now}
	p := plot{left: edgeSpace, top: laneHead - 6, right: l.Width - 24, bottom: l.Height - tickLine - 4}
	step := laneStep
	if l.Stated {
		step += laneName
	} else {
		for _, row := range l.Rows {
			p.left = math.Max(p.left, math.Ceil(boldWidth(row.Name))+14)
		}
	}
	x := c.below(p, l.X, false)
	above := 0.0 // the name over a bar
	if l.Stated {
		above = laneName
	}
	for i, row := range l.Rows {
		c.lane(l, i, row, x, laneHead+float64(i)*step+above)
	}
	for _, r := range l.Rules {
		at := x.At(r.At)
		c.line("g-line-dashed", at, laneHead-4, at, laneHead+laneThick+8)
		c.within(at, 13, middle, "g-label", r.Label)
	}
	c.playhead(l, x, p)
	// Words lie over the playhead, which stops at their edge.
	for i, row := range l.Rows {
		top := laneHead + float64(i)*step
		if l.Stated {
			c.text(0, top+12, start, "g-over g-strong", row.Name)
		} else {
			c.text(0, top+laneThick/2+5, start, "g-over g-strong", row.Name)
		}
		c.laneWords(row, x, top+above)
	}
	return c.close(), c.parts
}

// lane draws the spans of a row.
func (c *reelCanvas) lane(l Lanes, i int, row Lane, x Scale, top float64) {
	for j, span := range row.Spans {
		left, right := x.At(span.From), x.At(span.To)
		c.canvas.bar(Paper, left, top, right-left, laneThick)
		past := span.To + l.End*1e-6 // at its very end a span still counts as under way
		fmt.Fprintf(c, `<g transform="%s">`, translate(left, top))
		c.node("rect", box4(0, 0, right-left, laneThick), Mover{
			Key:   fmt.Sprintf("%slane-%d-%d", l.Key, i, j),
			Looks: []Look{{0, "g-comm", ""}, {past, "g-done", ""}},
			Grow:  &Grow{Way: Across, From: span.From, To: span.To},
		})
		c.WriteString(`</g>`)
	}
}

// laneWords writes what the spans of a row are under them, and what the row
// comes to beside them.
func (c *reelCanvas) laneWords(row Lane, x Scale, top float64) {
	last, fits := x.At(0), true
	for _, span := range row.Spans {
		left, right := x.At(span.From), x.At(span.To)
		if measure(span.Label) >= right-left {
			fits = false
		} else {
			c.text((left+right)/2, top+laneThick+17, middle, "g-over g-quiet", span.Label)
		}
		last = right
	}
	if room := c.width - last - 18 - boldWidth(row.Figure); room > 0 {
		c.text(last+10, top+laneThick/2+5, start, "g-over g-strong", row.Figure)
		if !fits && measure(row.Note) < room-8 {
			c.text(last+18+boldWidth(row.Figure), top+laneThick/2+5, start, "g-over g-quiet", row.Note)
		}
	}
}

// playhead draws the line of the moment with the clock's word on it.
func (c *reelCanvas) playhead(l Lanes, x Scale, p plot) {
	length := x.At(l.End) - x.At(0)
	fmt.Fprintf(c, `<g transform="%s">`, translate(x.At(0), 0))
	slide := Mover{Key: l.Key + "head", Grow: &Grow{Way: Slide, To: l.End, Length: length}}
	fmt.Fprintf(c, `<g%s>`, slide.attributes(l.Now))
	c.parts = append(c.parts, slide)
	c.line("g-now", 0, 30, 0, p.bottom)
	c.WriteString(`<path class="g-now-tip" d="M-7 22h14l-7 10z"/>`)
	// The word stands on the side where there is room.
	turn := l.End * 0.7
	for _, word := range []struct {
		key    string
		x      float64
		anchor anchor
		looks  []Look
	}{
		{"now-r", 12, start, []Look{{0, "g-label g-strong g-text-accent", ""}, {turn, "g-away", ""}}},
		{"now-l", -12, end, []Look{{0, "g-away", ""}, {turn, "g-label g-strong g-text-accent", ""}}},
	} {
		part := Mover{Key: l.Key + word.key, Looks: word.looks}
		fmt.Fprintf(c, `<text%s x="%s" y="34"%s data-clock="">%s</text>`, part.attributes(l.Now), number(word.x), word.anchor, l.Clock)
		c.parts = append(c.parts, part)
	}
	c.WriteString(`</g></g>`)
}
