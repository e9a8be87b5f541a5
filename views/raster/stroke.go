package raster

import "math"

// sharpest is how far a corner may stand out, in widths of the line; SVG's own
// limit is 4.
const sharpest = 4.0

// stroked is the outline of lines of a width, as pieces that lie over each
// other: all turn the same way round, so that their union is filled.
func stroked(lines []line, width float64, round bool) []line {
	var pieces []line
	for _, l := range lines {
		points := distinct(l)
		if len(points) < 2 {
			continue
		}
		closed := l.closed && len(points) > 2
		last := len(points) - 1
		if closed {
			last++
		}
		at := func(i int) point { return points[i%len(points)] }
		for i := range last {
			a, b := at(i), at(i+1)
			n := normal(a, b, width/2)
			pieces = append(pieces, piece(point{a.x + n.x, a.y + n.y}, point{b.x + n.x, b.y + n.y}, point{b.x - n.x, b.y - n.y}, point{a.x - n.x, a.y - n.y}))
			if i+1 < last || closed {
				pieces = append(pieces, corner(a, b, at(i+2), width/2))
			}
		}
		if round && !closed {
			pieces = append(pieces, disc(points[0], width/2)...)
			pieces = append(pieces, disc(points[len(points)-1], width/2)...)
		}
	}
	return pieces
}

// distinct are the points of a line without those that stand on the one before.
func distinct(l line) []point {
	var points []point
	for _, p := range l.points {
		if n := len(points); n == 0 || math.Hypot(p.x-points[n-1].x, p.y-points[n-1].y) > 1e-6 {
			points = append(points, p)
		}
	}
	if n := len(points); l.closed && n > 1 && math.Hypot(points[0].x-points[n-1].x, points[0].y-points[n-1].y) <= 1e-6 {
		points = points[:n-1]
	}
	return points
}

// normal is a vector across the way from a to b, of a length.
func normal(a, b point, length float64) point {
	far := math.Hypot(b.x-a.x, b.y-a.y)
	return point{-(b.y - a.y) / far * length, (b.x - a.x) / far * length}
}

// corner fills the gap outside of a turn at b, to a point where that is not
// too far.
func corner(a, b, c point, half float64) line {
	n, m := normal(a, b, half), normal(b, c, half)
	if n.x*m.y-n.y*m.x > 0 { // it turns to the side of the normals: the gap is on the other
		n, m = point{-n.x, -n.y}, point{-m.x, -m.y}
	}
	from, to := point{b.x + n.x, b.y + n.y}, point{b.x + m.x, b.y + m.y}
	middle := point{n.x + m.x, n.y + m.y}
	long := middle.x*middle.x + middle.y*middle.y
	if long == 0 || 2*half/math.Sqrt(long) > sharpest {
		return piece(b, from, to)
	}
	reach := 2 * half * half / long
	return piece(b, from, point{b.x + middle.x*reach, b.y + middle.y*reach}, to)
}

// piece is a closed line that turns the one way round.
func piece(points ...point) line {
	area := 0.0
	for i, p := range points {
		q := points[(i+1)%len(points)]
		area += p.x*q.y - q.x*p.y
	}
	if area < 0 {
		for i, k := 0, len(points)-1; i < k; i, k = i+1, k-1 {
			points[i], points[k] = points[k], points[i]
		}
	}
	return line{points: points, closed: true}
}

// dashed cuts lines into dashes.
func dashed(lines []line, dashes []float64) []line {
	whole := 0.0
	for _, dash := range dashes {
		whole += dash
	}
	if whole <= 0 {
		return lines
	}
	var all []line
	for _, l := range lines {
		points := l.points
		if l.closed && len(points) > 0 {
			points = append(points[:len(points):len(points)], points[0])
		}
		at, left := 0, dashes[0]
		var dash []point
		if len(points) > 0 {
			dash = []point{points[0]}
		}
		for i := 1; i < len(points); i++ {
			from, to := points[i-1], points[i]
			far := math.Hypot(to.x-from.x, to.y-from.y)
			for gone := 0.0; gone < far; {
				run := min(left, far-gone)
				gone, left = gone+run, left-run
				here := blend(from, to, gone/far)
				if at%2 == 0 {
					dash = append(dash, here)
				}
				if left > 1e-9 {
					continue
				}
				if at%2 == 0 {
					all = append(all, line{points: dash})
				}
				at++
				left, dash = dashes[at%len(dashes)], []point{here}
			}
		}
		if at%2 == 0 && len(dash) > 1 {
			all = append(all, line{points: dash})
		}
	}
	return all
}
