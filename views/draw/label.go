package draw

import "math"

// Lengths of labels, in view-box units.
const (
	labelLine  = 18.0 // from a line of a label to the next
	labelRise  = 13.0 // of letters over their base line
	labelDepth = 4.0  // and under it
	labelBold  = 1.07 // bold letters are so much wider than measure says
	labelNear  = 5.0  // moved farther than that a label needs a leader
)

// label is one or two lines of text that belong to a point.
type label struct {
	point  spot
	x, y   float64 // of the first base line
	anchor anchor
	class  string
	words  string
	note   string
	moved  bool // far enough from its place that a line leads back to the point

	side   Side
	fixed  bool   // its side has a reason of its own
	others []spot // where it may stand as well, the dearest first: a line's name belongs to all of the line
}

// newLabel stands beside a point, on a side of it.
func newLabel(point spot, side Side, class, words, note string) label {
	l := label{point: point, x: point.x, y: point.y, anchor: middle, class: class, words: words, note: note, side: side}
	switch side {
	case Left, AboveLeft, BelowLeft:
		l.x, l.anchor = l.x-10, end
	case Right, AboveRight, BelowRight:
		l.x, l.anchor = l.x+10, start
	}
	lines := 0.0 // beyond the first
	if note != "" {
		lines = 1
	}
	switch side {
	case Above, AboveLeft, AboveRight:
		l.y -= 9 + lines*labelLine
	case Below, BelowLeft, BelowRight:
		l.y += 21
	default:
		l.y += 5 - lines*labelLine/2
	}
	return l
}

// box is what the label covers, inside a drawing of some width.
func (l label) box(width float64) area {
	wide := math.Max(measure(l.words)*labelBold, measure(l.note))
	a := area{l.x, l.y - labelRise, wide, labelRise + labelDepth}
	switch l.anchor {
	case middle:
		a.left -= wide / 2
	case end:
		a.left -= wide
	}
	a.left = math.Max(math.Min(a.left, width-wide), 0)
	if l.note != "" {
		a.height += labelLine
	}
	return a
}

// writeLabels writes labels where they stand, with a leader to the point of
// those that have moved.
func (c *canvas) writeLabels(labels []label) {
	for _, l := range labels {
		if l.moved {
			box := l.box(c.width)
			to := spot{math.Max(math.Min(l.point.x, box.right()), box.left), box.bottom() - 1}
			if l.point.y < box.middle().y {
				to.y = box.top + 2
			}
			if math.Abs(to.y-l.point.y) > 2 {
				c.line("g-lead", l.point.x, l.point.y, to.x, to.y)
			}
		}
		c.within(l.x, l.y, l.anchor, "g-label "+l.class, l.words)
		c.within(l.x, l.y+labelLine, l.anchor, "g-label", l.note)
	}
}
