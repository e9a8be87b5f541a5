package draw

import (
	"fmt"
	"html"
)

// Clock is the cost of a run of steps on one axis of time: a step is as wide
// as it costs, latency hatched, transfer plain.
type Clock struct {
	Narrow bool
	ID     string // of the svg; unique in the page
	Title  string
	Desc   string
	Steps  []ClockStep
	Step   int     // the current one, from 1; 0 for none
	Now    float64 // where the playhead stands
	Word   string  // on the playhead
	Ticks  []ClockTick
	Bound  float64 // a time that nothing can beat; 0 for none
	Limit  string  // what the bound is called
}

// ClockStep is one step, in the unit of the axis.
type ClockStep struct {
	Start, Latency, End float64
	Parts               int    // transfers one after the other; 1 where they run side by side
	Name, Number        string // where there is room for the name, where only for the number
}

// ClockTick is a mark on the axis of a clock.
type ClockTick struct {
	At    float64
	Label string
}

// clockForm is the geometry of a clock.
type clockForm struct {
	Scale
	width, height, top, tall, text float64
}

func (k Clock) form() clockForm {
	full := k.Ticks[len(k.Ticks)-1].At
	if len(k.Steps) > 0 {
		full = k.Steps[len(k.Steps)-1].End
	}
	if k.Narrow {
		return clockForm{Linear(0, full, 2, narrowStage-2), narrowStage, 106, 42, 34, 13}
	}
	return clockForm{Linear(0, full, 1, wideStage-1), wideStage, 108, 44, 34, 14}
}

// SVG draws the clock. A script moves the playhead with transforms: its ends
// stand in data-from and data-to.
func (k Clock) SVG() string {
	f := k.form()
	c := &canvas{width: f.width}
	class := "clock wide"
	if k.Narrow {
		class = "clock narrow"
	}
	fmt.Fprintf(c, `<svg class="%s" id="%s" viewBox="0 0 %s %s" role="img" aria-labelledby="%[2]s-t %[2]s-d" focusable="false" data-from="%[5]s" data-to="%[6]s">`+
		`<title id="%[2]s-t">%[7]s</title><desc id="%[2]s-d">%[8]s</desc>`,
		class, k.ID, number(f.width), number(f.height), number(f.from), number(f.to), html.EscapeString(k.Title), html.EscapeString(k.Desc))
	for i, step := range k.Steps {
		k.writeStep(c, f, i+1, step)
	}
	now := f.At(k.Now)
	from := now
	if k.Step > 0 {
		from = f.At(k.Steps[k.Step-1].Start + k.Steps[k.Step-1].Latency)
	}
	fmt.Fprintf(c, `<rect class="clock-fill" x="0" y="%s" width="1" height="%s" transform="translate(%s) scale(%s 1)"/>`,
		number(f.top), number(f.tall), number(from), number(max(now-from, 0)))
	for i, step := range k.Steps {
		k.writeName(c, f, i+1, step)
	}
	k.writeAxis(c, f)
	return c.close()
}

// tense is the class of a step.
func (k Clock) tense(step int) string {
	switch {
	case step < k.Step:
		return "past"
	case step == k.Step:
		return "now"
	}
	return "next"
}

func (k Clock) writeStep(c *canvas, f clockForm, i int, step ClockStep) {
	a, b, e := f.At(step.Start), f.At(step.Start+step.Latency), f.At(step.End)
	fmt.Fprintf(c, `<g class="clock-step %s" data-clock="%d"><rect class="clock-wire" x="%s" y="%s" width="%s" height="%s"/>`+
		`<rect class="clock-latency" fill="url(#hx)" x="%s" y="%[4]s" width="%[8]s" height="%[6]s"/>`,
		k.tense(i), i, number(b), number(f.top), number(max(e-b, 0)), number(f.tall), number(a), number(b-a))
	c.WriteString(`</g>`)
}

// writeParts marks where one transfer ends and the next begins.
func (k Clock) writeParts(c *canvas, f clockForm, step ClockStep) {
	b, e := f.At(step.Start+step.Latency), f.At(step.End)
	if pitch := (e - b) / float64(max(step.Parts, 1)); step.Parts > 1 && pitch > 3 {
		c.WriteString(`<path class="clock-part" d="`)
		for p := 1; p < step.Parts; p++ {
			fmt.Fprintf(c, "M%s %sv%s", number(b+float64(p)*pitch), number(f.top+f.tall-9), number(9))
		}
		c.WriteString(`"/>`)
	}
}

func (k Clock) writeName(c *canvas, f clockForm, i int, step ClockStep) {
	b, e := f.At(step.Start+step.Latency), f.At(step.End)
	k.writeParts(c, f, step)
	words := step.Name
	if measure(words)+8 > e-b {
		words = step.Number
	}
	if measure(words)+6 > e-b {
		return
	}
	fmt.Fprintf(c, `<text class="clock-name %s" data-clock-name="%d" x="%s" y="%s" font-size="%s" text-anchor="middle">%s</text>`,
		k.tense(i), i, number(k.nameAt(f, b, e, words)), number(f.top+f.tall/2+5), number(f.text), html.EscapeString(words))
}

// nameAt is the middle of a step's transfer, or beside the bound where that
// would run through the name.
func (k Clock) nameAt(f clockForm, from, to float64, words string) float64 {
	at, half, bound := (from+to)/2, measure(words)/2+4, f.At(k.Bound)
	switch {
	case k.Bound == 0 || bound < at-half || bound > at+half:
		return at
	case bound+2*half < to:
		return bound + half
	case bound-2*half > from:
		return bound - half
	}
	return at
}

// writeAxis draws what lies over and under the steps: the marks of time, the
// bound, the playhead.
func (k Clock) writeAxis(c *canvas, f clockForm) {
	foot := f.top + f.tall
	c.line("g-axis", f.from, foot+7, f.to, foot+7)
	for i, t := range k.Ticks {
		x := f.At(t.At)
		if x > f.to+0.5 {
			continue
		}
		c.line("g-axis", x, foot+7, x, foot+12)
		a := middle
		if i == 0 {
			a = start
		} else if x > f.width-40 {
			a = end
		}
		fmt.Fprintf(c, `<text class="t-mut" x="%s" y="%s" font-size="%s"%s>%s</text>`, number(x), number(foot+27), number(f.text), a, html.EscapeString(t.Label))
	}
	if x := f.At(k.Bound); k.Bound > 0 && x <= f.to {
		c.line("clock-bound", x, f.top-8, x, foot+7)
		at, a := x+6, start
		if x > f.width*0.6 {
			at, a = x-6, end
		}
		fmt.Fprintf(c, `<text x="%s" y="%s" font-size="%s"%s>%s</text>`, number(at), number(f.top-10), number(f.text), a, html.EscapeString(k.Limit))
	}
	x := f.At(k.Now)
	fmt.Fprintf(c, `<g class="clock-head" transform="translate(%s)"><path class="clock-now" d="M0 %sV%s"/><path class="g-tip" d="M-6 %sh12l-6 9z"/></g>`,
		number(x), number(f.top-12), number(foot+12), number(f.top-15))
	fmt.Fprintf(c, `<text class="clock-word" x="0" y="%s" font-size="%s" text-anchor="middle" transform="translate(%s)">%s</text>`,
		number(f.top-28), number(f.text), number(min(max(x, 55), f.width-55)), html.EscapeString(k.Word))
}
