package raster

import "math"

// point is a place in the units of a drawing, or in pixels.
type point struct{ x, y float64 }

// affine maps (x, y) to (a·x + c·y + e, b·x + d·y + f), as SVG writes it.
type affine struct{ a, b, c, d, e, f float64 }

func identity() affine               { return affine{a: 1, d: 1} }
func translated(x, y float64) affine { return affine{a: 1, d: 1, e: x, f: y} }
func scaled(x, y float64) affine     { return affine{a: x, d: y} }
func turned(radians float64) affine {
	sin, cos := math.Sincos(radians)
	return affine{a: cos, b: sin, c: -sin, d: cos}
}

// then applies inner first and m after it.
func (m affine) then(inner affine) affine {
	return affine{
		a: m.a*inner.a + m.c*inner.b, b: m.b*inner.a + m.d*inner.b,
		c: m.a*inner.c + m.c*inner.d, d: m.b*inner.c + m.d*inner.d,
		e: m.a*inner.e + m.c*inner.f + m.e, f: m.b*inner.e + m.d*inner.f + m.f,
	}
}

func (m affine) apply(p point) point {
	return point{m.a*p.x + m.c*p.y + m.e, m.b*p.x + m.d*p.y + m.f}
}

// factor is by how much m enlarges lengths, on the whole.
func (m affine) factor() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

// lines are strokes of points, closed or not.
type line struct {
	points []point
	closed bool
}

// mapped is what lines become under m.
func mapped(lines []line, m affine) []line {
	all := make([]line, len(lines))
	for i, l := range lines {
		all[i] = line{make([]point, len(l.points)), l.closed}
		for k, p := range l.points {
			all[i].points[k] = m.apply(p)
		}
	}
	return all
}
