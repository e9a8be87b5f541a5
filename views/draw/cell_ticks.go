package draw

import (
	"fmt"
	"html"
	"strings"
)

// digitPitch is the distance of two digits, and of the ticks below them.
func (size CellSize) digitPitch() float64 { return size.digit * 0.6 }

// digits reports whether there is a digit over each tick.
func (c BlockCell) digits(size CellSize, left float64) bool {
	return size.digit > 0 && c.Digit != "" && float64(len(c.Ticks))*size.digitPitch() <= size.Width-left
}

func (c BlockCell) writeDigits(s *strings.Builder, size CellSize, left float64) {
	if !c.digits(size, left) {
		return
	}
	for k, tick := range c.Ticks {
		text, class := c.Digit, "cell-digit"
		if tick != TickOn && tick != TickNew {
			text, class = "0", "cell-digit miss"
		}
		fmt.Fprintf(s, `<text class="%s" data-digit="%d" data-value="%s" x="%s" y="%s" font-size="%s">%s</text>`, class, k, html.EscapeString(c.Digit),
			number(left+(float64(k)+0.5)*size.digitPitch()), number(size.digitAt), number(size.digit), html.EscapeString(text))
	}
}

// writeFrom says whose a copy is, which the style sheet shows while it is there.
func (c BlockCell) writeFrom(s *strings.Builder, size CellSize, left, right float64) {
	from := c.From
	text, at, x, anchor := size.count, size.Height/2+size.count*0.36, right, "end"
	switch {
	case size.digit > 0:
		text, at, x, anchor = size.digit*0.8, size.Height/2+size.digit*0.28, left+2, "start"
	case size.tick == 0: // no room for an arrow
		from = strings.TrimPrefix(from, "→ ")
	}
	if from == "" || text == 0 {
		return
	}
	fmt.Fprintf(s, `<text class="cell-from" x="%s" y="%s" font-size="%s" text-anchor="%s">%s</text>`, number(x), number(at), number(text), anchor, html.EscapeString(from))
}

// writeTicks writes a tick a rank, in two rows where one has no room for them
// and the digits are left out.
func (c BlockCell) writeTicks(s *strings.Builder, size CellSize, left, right float64) {
	if size.count > 0 && size.countAt > size.tickAt && size.countAt-size.count < size.tickAt+size.tick { // the count ends the row
		right = size.Width - size.countEnd - measure(c.count(size))*size.count/textSize - 6
	}
	room, side, perRow := right-left, size.tick, max(len(c.Ticks), 1)
	pitch := size.digitPitch()
	if pitch == 0 || c.Digit == "" || float64(perRow)*pitch > room {
		if room/float64(perRow) < size.tick*1.15 && size.digit > 0 && !c.digits(size, left) {
			perRow = (perRow + 1) / 2
		}
		pitch = min(room/float64(perRow), size.tick*1.3)
		side = min(side, pitch*0.9)
	}
	rows := (len(c.Ticks) + perRow - 1) / perRow
	for k, tick := range c.Ticks {
		top := size.tickAt + (size.tick-side)/2 - float64(rows-1-k/perRow)*size.tick*1.4
		fmt.Fprintf(s, `<rect class="%s" data-tick="%d" x="%s" y="%s" width="%s" height="%s"/>`, tick, k,
			number(left+float64(k%perRow)*pitch+(pitch-side)/2), number(top), number(side), number(side))
	}
}

func (c BlockCell) writeBar(s *strings.Builder, size CellSize, left, right float64) {
	thick, top := 4.0, size.Height-7
	switch {
	case size.chip:
		top = size.Height - 5.5
	case size.bar > 0: // close to the edge, so that it keeps clear of the count
		thick, top = size.bar, size.Height-size.bar-2
	}
	fmt.Fprintf(s, `<rect class="cell-rail" x="%s" y="%s" width="%s" height="%s"/>`, number(left), number(top), number(right-left), number(thick))
	share := float64(c.have()) / float64(max(len(c.Ticks), 1))
	fmt.Fprintf(s, `<g transform="translate(%s %s)"><rect class="cell-bar" width="%s" height="%s" transform="scale(%s 1)"/></g>`,
		number(left), number(top), number(right-left), number(thick), number(share))
}
