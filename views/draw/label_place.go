package draw

import (
	"math"
	"slices"
)

// ground is what labels stand on: where they may, and what they keep off.
type ground struct {
	left, width, top, bottom float64 // left of it is only room where there is no other
	lines                    []segment
	taken                    []area // by words that are written otherwise
}

// segment is a straight piece of a line.
type segment struct{ from, to spot }

// runs are the pieces of a line through points, with a gap at each that is not
// a number.
func runs(points []spot) []segment {
	var all []segment
	for i := 1; i < len(points); i++ {
		piece := segment{points[i-1], points[i]}
		if sum := piece.from.x + piece.from.y + piece.to.x + piece.to.y; !math.IsNaN(sum) && !math.IsInf(sum, 0) {
			all = append(all, piece)
		}
	}
	return all
}

// crosses reports whether a piece has a point in common with a rectangle.
func (s segment) crosses(a area) bool {
	if max(s.from.x, s.to.x) < a.left || min(s.from.x, s.to.x) > a.right() ||
		max(s.from.y, s.to.y) < a.top || min(s.from.y, s.to.y) > a.bottom() {
		return false
	}
	// Cut the piece at the four edges; what is left, if anything, is inside.
	first, last := 0.0, 1.0
	for _, edge := range [][2]float64{
		{s.from.x - s.to.x, s.from.x - a.left}, {s.to.x - s.from.x, a.right() - s.from.x},
		{s.from.y - s.to.y, s.from.y - a.top}, {s.to.y - s.from.y, a.bottom() - s.from.y},
	} {
		speed, room := edge[0], edge[1]
		switch {
		case speed > 0:
			last = min(last, room/speed)
		case speed < 0:
			first = max(first, room/speed)
		case room < 0:
			return false
		}
	}
	return first <= last
}

// crossed is how many pieces of lines run through a rectangle.
func (g ground) crossed(a area) int {
	count := 0
	for _, piece := range g.lines {
		if piece.crosses(a) {
			count++
		}
	}
	return count
}

// sides are those of a label, the dearest first.
func (l label) sides() []Side {
	all := []Side{l.side}
	for _, side := range []Side{AboveLeft, AboveRight, BelowRight, BelowLeft, Above, Below, Left, Right} {
		if side != l.side {
			all = append(all, side)
		}
	}
	return all
}

// place puts labels, those that come first as near to their places as can be,
// on no other label and, as far as there is such a place, on no line: on
// another side of the point, along the line that it names, or moved away from
// it with a line that leads back.
func (g ground) place(labels []label) []label {
	placed := slices.Clone(g.taken)
	for i := range labels {
		l := &labels[i]
		if l.words == "" && l.note == "" {
			continue
		}
		if !g.beside(l, placed) {
			g.away(l, placed)
		}
		placed = append(placed, l.box(g.width))
	}
	return labels
}

// free reports whether a label may stand in a rectangle as far as the others
// are concerned.
func (g ground) free(box area, placed []area) bool {
	if box.left < 0 || box.right() > g.width+1e-9 || box.top < g.top || box.bottom() > g.bottom {
		return false
	}
	for _, other := range placed {
		if box.meets(other) {
			return false
		}
	}
	return true
}

// beside puts a label beside a point that it belongs to where nothing runs
// through it.
func (g ground) beside(l *label, placed []area) bool {
	asked := *l
	if l.fixed {
		return g.free(l.box(g.width), placed)
	}
	for _, point := range append([]spot{l.point}, l.others...) {
		for _, side := range asked.sides() {
			moved := newLabel(point, side, l.class, l.words, l.note)
			box := moved.box(g.width)
			if box.left >= g.left && g.free(box, placed) && g.crossed(box.grow(-1)) == 0 {
				moved.others = l.others
				*l = moved
				return true
			}
		}
	}
	return false
}

// away moves a label up or down, and sideways where that is not enough, until
// it lies on no other; of the places near by it takes the one that the fewest
// lines run through.
func (g ground) away(l *label, placed []area) {
	const step, near = 2.0, 48.0
	box := l.box(g.width)
	to, fewest := box, math.MaxInt
	try := func(at area) {
		if !g.free(at, placed) {
			return
		}
		if count := g.crossed(at); count < fewest {
			to, fewest = at, count
		}
	}
	try(box)
	for aside := 0.0; fewest > 0 && aside <= g.width; aside += 4 * step { // sideways only where no height is free
		for away := step; fewest > 0 && away <= g.bottom-g.top+box.height; away += step {
			if fewest < math.MaxInt && (away > near || aside > near) {
				break
			}
			for _, by := range []spot{{-aside, -away}, {-aside, away}, {aside, -away}, {aside, away}} {
				try(area{box.left + by.x, box.top + by.y, box.width, box.height})
			}
		}
	}
	l.y += to.top - box.top
	if to.left != box.left {
		l.x, l.anchor = to.left, start
	}
	l.moved = math.Hypot(to.left-box.left, to.top-box.top) > labelNear
}
