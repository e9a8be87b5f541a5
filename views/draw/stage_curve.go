package draw

import (
	"fmt"
	"math"
)

// spot is a point of a drawing.
type spot struct{ x, y float64 }

// between is the point that lies at share t of the way from p to q.
func (p spot) between(q spot, t float64) spot {
	return spot{p.x + (q.x-p.x)*t, p.y + (q.y-p.y)*t}
}

// area is an upright rectangle.
type area struct{ left, top, width, height float64 }

func (a area) right() float64  { return a.left + a.width }
func (a area) bottom() float64 { return a.top + a.height }
func (a area) middle() spot    { return spot{a.left + a.width/2, a.top + a.height/2} }

// grow is the rectangle with a margin around it.
func (a area) grow(by float64) area {
	return area{a.left - by, a.top - by, a.width + 2*by, a.height + 2*by}
}

func (a area) holds(p spot) bool {
	return p.x >= a.left && p.x <= a.right() && p.y >= a.top && p.y <= a.bottom()
}

// meets reports whether two rectangles have an inner point in common.
func (a area) meets(b area) bool {
	return a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom()
}

// curve is a quadratic Bézier curve.
type curve struct{ from, bend, to spot }

// bow is the curve from p to q that leaves the straight line by so much, to
// the left of somebody who walks from p to q.
func bow(p, q spot, by float64) curve {
	length := math.Hypot(q.x-p.x, q.y-p.y)
	bend := p.between(q, 0.5)
	if length > 0 { // the bend of a quadratic curve lies twice as far out as the curve
		bend.x += (q.y - p.y) / length * 2 * by
		bend.y -= (q.x - p.x) / length * 2 * by
	}
	return curve{p, bend, q}
}

// at is the point at share t of the curve.
func (c curve) at(t float64) spot {
	return c.from.between(c.bend, t).between(c.bend.between(c.to, t), t)
}

// cut is the part of the curve between two shares.
func (c curve) cut(from, to float64) curve {
	bend := c.from.between(c.bend, from).between(c.bend.between(c.to, from), to)
	return curve{c.at(from), bend, c.at(to)}
}

// outside is the part of the curve between two rectangles that its ends lie
// in; where they leave nothing, all of it.
func (c curve) outside(a, b area) curve {
	const fine = 96
	first, last := 0, fine
	for first < last && a.holds(c.at(float64(first)/fine)) {
		first++
	}
	for last > first && b.holds(c.at(float64(last)/fine)) {
		last--
	}
	if first >= last {
		return c
	}
	return c.cut(float64(first)/fine, float64(last)/fine)
}

// d is the curve as the data of a path.
func (c curve) d() string {
	return fmt.Sprintf("M%s %sQ%s %s %s %s", number(c.from.x), number(c.from.y), number(c.bend.x), number(c.bend.y), number(c.to.x), number(c.to.y))
}

// path is the curve as a move that rests at share t.
func (c curve) path(t float64, kind string) MovePath {
	rest := c.at(t)
	return MovePath{D: c.d(), X: rest.x, Y: rest.y, Kind: kind}
}
