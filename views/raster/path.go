package raster

import (
	"fmt"
	"math"
	"strconv"
)

// flat is how far, in units of a drawing, a curve may be from the lines that
// stand for it: a tenth of a pixel at the largest scale.
const flat = 0.03

// pen follows the commands of a path.
type pen struct {
	lines []line
	at    point
}

// readPath turns a path into lines. It knows M, L, H, V, Q, C, A and Z, in
// either case; arcs are of circles.
func readPath(d string) ([]line, error) {
	p := &pen{}
	words := pathWords{text: d}
	for command := byte(0); ; {
		c, more := words.command()
		switch {
		case !more:
			return p.lines, nil
		case c != 0:
			command = c
		case command == 'M': // further points after a move are lines
			command = 'L'
		case command == 'm':
			command = 'l'
		case command == 0 || command == 'z' || command == 'Z':
			return nil, fmt.Errorf("read path %.40q: a number stands where a command is due", d)
		}
		if err := p.do(command, &words); err != nil {
			return nil, fmt.Errorf("read path %.40q: %w", d, err)
		}
	}
}

// counts are how many numbers each command takes.
var counts = map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'q': 4, 'c': 6, 'a': 7, 'z': 0}

// do carries out one command.
func (p *pen) do(command byte, words *pathWords) error {
	lower := command | 0x20
	count, known := counts[lower]
	if !known {
		return fmt.Errorf("command %q is none that drawings use", command)
	}
	var v [7]float64
	for i := range count {
		var err error
		if lower == 'a' && (i == 3 || i == 4) {
			v[i], err = words.flag()
		} else {
			v[i], err = words.number()
		}
		if err != nil {
			return err
		}
	}
	var from point // of relative coordinates
	if command == lower {
		from = p.at
	}
	to := func(i int) point { return point{from.x + v[i], from.y + v[i+1]} }
	switch lower {
	case 'm':
		p.at = to(0)
		p.lines = append(p.lines, line{points: []point{p.at}})
	case 'l':
		p.add(to(0))
	case 'h':
		p.add(point{from.x + v[0], p.at.y})
	case 'v':
		p.add(point{p.at.x, from.y + v[0]})
	case 'q': // a cubic that looks the same
		c, end := to(0), to(2)
		p.curve(blend(p.at, c, 2.0/3), blend(end, c, 2.0/3), end)
	case 'c':
		p.curve(to(0), to(2), to(4))
	case 'a':
		p.arc(v[0], v[3] != 0, v[4] != 0, to(5))
	case 'z':
		if n := len(p.lines); n > 0 {
			last := &p.lines[n-1]
			last.closed = true
			p.at = last.points[0]
		}
	}
	return nil
}

// add draws a line.
func (p *pen) add(to point) {
	if n := len(p.lines); n == 0 || p.lines[n-1].closed {
		p.lines = append(p.lines, line{points: []point{p.at}})
	}
	last := &p.lines[len(p.lines)-1]
	last.points = append(last.points, to)
	p.at = to
}

// blend is the point at a share of the way from a to b.
func blend(a, b point, share float64) point {
	return point{a.x + (b.x-a.x)*share, a.y + (b.y-a.y)*share}
}

// curve draws a cubic in as many lines as keep it flat.
func (p *pen) curve(c1, c2, end point) {
	from := p.at
	bend := math.Hypot(from.x-2*c1.x+c2.x, from.y-2*c1.y+c2.y) + math.Hypot(c1.x-2*c2.x+end.x, c1.y-2*c2.y+end.y)
	parts := int(math.Ceil(math.Sqrt(bend * 0.75 / flat / 2)))
	for i := 1; i < parts; i++ {
		t := float64(i) / float64(parts)
		a, b, c := blend(from, c1, t), blend(c1, c2, t), blend(c2, end, t)
		p.add(blend(blend(a, b, t), blend(b, c, t), t))
	}
	p.add(end)
}

// arc draws part of a circle, as large as it must be to reach the end.
func (p *pen) arc(radius float64, large, sweep bool, end point) {
	from := p.at
	half := math.Hypot(end.x-from.x, end.y-from.y) / 2
	if half == 0 || radius == 0 {
		p.add(end)
		return
	}
	radius = max(math.Abs(radius), half)
	// The center lies beside the middle of the chord.
	aside := math.Sqrt(max(radius*radius-half*half, 0))
	if large == sweep {
		aside = -aside
	}
	center := point{(from.x+end.x)/2 - aside*(end.y-from.y)/(2*half), (from.y+end.y)/2 + aside*(end.x-from.x)/(2*half)}
	first, last := math.Atan2(from.y-center.y, from.x-center.x), math.Atan2(end.y-center.y, end.x-center.x)
	if sweep && last < first {
		last += 2 * math.Pi
	} else if !sweep && last > first {
		last -= 2 * math.Pi
	}
	p.bow(center, radius, first, last)
	p.add(end)
}

// bow draws along a circle, up to but without its last point.
func (p *pen) bow(center point, radius, first, last float64) {
	parts := int(math.Ceil(math.Abs(last-first) / (2 * math.Acos(1-min(flat/radius, 0.5)))))
	for i := 1; i < parts; i++ {
		sin, cos := math.Sincos(first + (last-first)*float64(i)/float64(parts))
		p.add(point{center.x + radius*cos, center.y + radius*sin})
	}
}

// box is a rectangle with round corners.
func box(x, y, width, height, radius float64) []line {
	radius = min(radius, width/2, height/2)
	if radius <= 0 {
		return []line{{points: []point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}, closed: true}}
	}
	p := &pen{at: point{x + radius, y}}
	p.add(point{x + width - radius, y})
	p.arc(radius, false, true, point{x + width, y + radius})
	p.add(point{x + width, y + height - radius})
	p.arc(radius, false, true, point{x + width - radius, y + height})
	p.add(point{x + radius, y + height})
	p.arc(radius, false, true, point{x, y + height - radius})
	p.add(point{x, y + radius})
	p.arc(radius, false, true, point{x + radius, y})
	p.lines[0].closed = true
	return p.lines
}

// disc is a circle.
func disc(center point, radius float64) []line {
	p := &pen{at: point{center.x + radius, center.y}}
	p.bow(center, radius, 0, 2*math.Pi)
	if len(p.lines) == 0 {
		return nil
	}
	p.lines[0].closed = true
	return p.lines
}

// pathWords reads a path word by word.
type pathWords struct {
	text string
	at   int
}

func (w *pathWords) skip() {
	for w.at < len(w.text) && (w.text[w.at] == ' ' || w.text[w.at] == ',' || w.text[w.at] == '\n') {
		w.at++
	}
}

// command reads a letter, or 0 where a number follows; more is false at the end.
func (w *pathWords) command() (letter byte, more bool) {
	w.skip()
	if w.at == len(w.text) {
		return 0, false
	}
	if c := w.text[w.at]; c|0x20 >= 'a' && c|0x20 <= 'z' {
		w.at++
		return c, true
	}
	return 0, true
}

// flag reads a 0 or 1, which may stand close to what follows.
func (w *pathWords) flag() (float64, error) {
	w.skip()
	if w.at == len(w.text) || w.text[w.at] != '0' && w.text[w.at] != '1' {
		return 0, fmt.Errorf("a flag is missing at %d", w.at)
	}
	w.at++
	return float64(w.text[w.at-1] - '0'), nil
}

func (w *pathWords) number() (float64, error) {
	w.skip()
	end, dot := w.at, false
	for ; end < len(w.text); end++ {
		c := w.text[end]
		if c >= '0' && c <= '9' || end == w.at && (c == '-' || c == '+') {
			continue
		}
		if c == '.' && !dot {
			dot = true
			continue
		}
		break
	}
	v, err := strconv.ParseFloat(w.text[w.at:end], 64)
	if err != nil {
		return 0, fmt.Errorf("a number is missing at %d", w.at)
	}
	w.at = end
	return v, nil
}
