package draw

import "math"

// patch is a part of a region without a gap: on each of several rows on end a
// stretch that overlaps the one before.
type patch struct {
	first    int // its first row
	stripes  []stripe
	top, low func(row int) float64 // the edges of a row
}

// stripe is the part of a patch within one row.
type stripe struct{ left, right float64 }

// patches are the parts of a region, from the first row up.
func (r RegionChart) patches(region int, x, y Scale) []patch {
	first := int(r.Y.Low)
	low := func(row int) float64 { return tenths(y.At(float64(first+row) - 0.5)) }
	top := func(row int) float64 { return tenths(y.At(float64(first+row) + 0.5)) }
	at := func(v float64) float64 { return tenths(x.At(math.Min(math.Max(v, r.X.Low), r.X.High))) }
	var all []patch
	for row, runs := range r.Rows {
		for _, run := range runs {
			here := stripe{at(run.From), at(run.To)}
			if run.Region != region || here.right <= here.left {
				continue
			}
			continued := false
			for i := range all {
				p := &all[i]
				last := p.stripes[len(p.stripes)-1]
				if p.first+len(p.stripes) == row && last.left < here.right && here.left < last.right {
					p.stripes, continued = append(p.stripes, here), true
					break
				}
			}
			if !continued {
				all = append(all, patch{row, []stripe{here}, top, low})
			}
		}
	}
	return all
}

func tenths(v float64) float64 { return math.Round(v*10) / 10 }

// write draws the outline: up the left edge and down the right one.
func (p patch) write(c *canvas) {
	from, last := p.first, p.first+len(p.stripes)-1
	c.WriteString("M" + number(p.stripes[0].left) + " " + number(p.low(from)))
	for row := from; row <= last; row++ {
		if s := p.stripes[row-from]; row > from && s.left != p.stripes[row-from-1].left {
			c.WriteString("H" + number(s.left))
		}
		if row == last || p.stripes[row-from+1].left != p.stripes[row-from].left {
			c.WriteString("V" + number(p.top(row)))
		}
	}
	for row := last; row >= from; row-- {
		if s := p.stripes[row-from]; row == last || s.right != p.stripes[row-from+1].right {
			c.WriteString("H" + number(s.right))
		}
		if row == from || p.stripes[row-from-1].right != p.stripes[row-from].right {
			c.WriteString("V" + number(p.low(row)))
		}
	}
	c.WriteString("Z")
}

// bounds is the upright rectangle around a patch.
func (p patch) bounds() area {
	left, right := math.Inf(1), math.Inf(-1)
	for _, s := range p.stripes {
		left, right = math.Min(left, s.left), math.Max(right, s.right)
	}
	top := p.top(p.first + len(p.stripes) - 1)
	return area{left, top, right - left, p.low(p.first) - top}
}

// hit reports whether patches are large enough to be pointed at.
func hit(patches []patch) bool {
	const least = 48 // twice the 24 that people can hit, for a drawing is shrunk on narrow screens
	for _, p := range patches {
		if box := p.bounds(); box.width >= least && box.height >= least {
			return true
		}
	}
	return false
}

// placeIn finds room for a word in the largest upright rectangle inside of
// patches that keeps off what is taken.
func placeIn(patches []patch, words string, taken []area) (at spot, fits bool) {
	width, most := boldWidth(words)+8, 0.0
	for _, p := range patches {
		for from := range p.stripes {
			left, right := math.Inf(-1), math.Inf(1)
			for to := from; to < len(p.stripes); to++ {
				left, right = math.Max(left, p.stripes[to].left), math.Min(right, p.stripes[to].right)
				if right-left < width {
					break
				}
				room := area{left, p.top(p.first + to), right - left, p.low(p.first+from) - p.top(p.first+to)}
				// A word is wide: height beyond some lines is worth less.
				if worth := math.Min(room.height, 80) * math.Min(room.width, 3*width); room.height >= 20 && worth > most {
					if free, found := room.seat(width, taken); found {
						at, fits, most = free, true, worth
					}
				}
			}
		}
	}
	return at, fits
}

// seat is where a word stands in a rectangle: in its middle, or nearer to an
// edge where the middle is taken. It returns the middle of its base line.
func (a area) seat(width float64, taken []area) (spot, bool) {
	center := a.middle()
	for _, by := range []spot{{0, 0}, {0, -0.3}, {0, 0.3}, {-0.3, 0}, {0.3, 0}, {-0.3, -0.3}, {0.3, -0.3}, {-0.3, 0.3}, {0.3, 0.3}} {
		at := spot{center.x + by.x*(a.width-width), center.y + by.y*(a.height-20)}
		box := area{at.x - width/2, at.y - 10, width, 20}
		free := true
		for _, other := range taken {
			free = free && !box.meets(other)
		}
		if free {
			return spot{at.x, at.y + 5}, true
		}
	}
	return spot{}, false
}
