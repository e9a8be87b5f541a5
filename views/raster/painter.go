package raster

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"

	"golang.org/x/image/vector"
)

// Painter paints drawings. It is safe for concurrent use.
type Painter struct{ regular, bold letters }

// New reads the fonts.
func New() (*Painter, error) {
	regular, err := readLetters(regularFont)
	if err != nil {
		return nil, err
	}
	bold, err := readLetters(boldFont)
	if err != nil {
		return nil, err
	}
	return &Painter{regular, bold}, nil
}

// Has reports whether both weights have a shape for a character. One that has
// none is painted as a box.
func (p *Painter) Has(r rune) bool { return p.regular.has(r) && p.bold.has(r) }

// mostPixels is the size that a drawing may have: twice a screen of
// 3840 × 2160.
const mostPixels = 16 << 20

// Draw paints a drawing that stands alone, such as draw.Picture makes, with so
// many pixels to a unit of its viewBox. The same drawing gives the same pixels
// on every machine of one kind.
//
// Elements are svg, g, a, rect, path, circle and text, with pattern and marker
// to refer to; style sheets choose by names, classes and beginnings of
// attributes. Anything else that would be seen is an error.
func (p *Painter) Draw(svg string, scale float64) (*image.RGBA, error) {
	t, err := read(svg)
	if err != nil {
		return nil, err
	}
	view, err := t.root.box()
	if err != nil {
		return nil, err
	}
	width, height := int(math.Round(view[2]*scale)), int(math.Round(view[3]*scale))
	if width < 1 || height < 1 || width*height > mostPixels {
		return nil, fmt.Errorf("paint drawing: %d × %d pixels are not between 1 and %d", width, height, mostPixels)
	}
	b := &brush{Painter: p, tree: t, sheet: readSheet(t.css), to: image.NewRGBA(image.Rect(0, 0, width, height)), tiles: map[tileKey]*image.RGBA{}}
	draw.Draw(b.to, b.to.Bounds(), image.White, image.Point{}, draw.Src)
	m := scaled(scale, scale).then(translated(-view[0], -view[1]))
	look, err := plain().under(t.root, b.sheet)
	if err != nil {
		return nil, err
	}
	if err := b.within(t.root, m, look); err != nil {
		return nil, err
	}
	return b.to, nil
}

// brush paints one drawing.
type brush struct {
	*Painter
	tree   *tree
	sheet  *sheet
	to     *image.RGBA
	raster vector.Rasterizer
	tiles  map[tileKey]*image.RGBA
}

// within paints what stands in n.
func (b *brush) within(n *node, m affine, l look) error {
	for _, child := range n.children {
		if err := b.node(child, m, l); err != nil {
			return err
		}
	}
	return nil
}

// node paints an element below one that looks like l.
func (b *brush) node(n *node, m affine, l look) error {
	switch n.name {
	case "title", "desc", "style", "defs", "metadata", "marker", "pattern":
		return nil
	}
	l, err := l.under(n, b.sheet)
	if err != nil || l.hidden {
		return err
	}
	own, err := n.transform()
	if err != nil {
		return err
	}
	m = m.then(own)
	switch n.name {
	case "svg":
		if m, err = inset(n, m); err != nil {
			return err
		}
		return b.within(n, m, l)
	case "g", "a":
		return b.within(n, m, l)
	case "rect":
		v, err := n.numbers("x", "y", "width", "height", "rx")
		if err != nil {
			return err
		}
		return b.shape(box(v[0], v[1], v[2], v[3], v[4]), m, l)
	case "circle":
		v, err := n.numbers("cx", "cy", "r")
		if err != nil {
			return err
		}
		return b.shape(disc(point{v[0], v[1]}, v[2]), m, l)
	case "path":
		lines, err := readPath(n.attrs["d"])
		if err != nil {
			return err
		}
		if err := b.shape(lines, m, l); err != nil {
			return err
		}
		return b.mark(lines, m, l)
	case "text":
		return b.text(n, m, l)
	}
	return fmt.Errorf("paint drawing: a %s is none that drawings use", n.name)
}

// inset is the ground of a drawing within the drawing.
func inset(n *node, m affine) (affine, error) {
	if n.attrs["viewBox"] == "" { // holds definitions alone
		return m, nil
	}
	view, err := n.box()
	if err != nil {
		return m, err
	}
	v, err := n.numbers("x", "y", "width", "height")
	if err != nil {
		return m, err
	}
	if view[2] <= 0 || view[3] <= 0 {
		return m, fmt.Errorf("read viewBox of svg: %v × %v is nothing to fill", view[2], view[3])
	}
	return m.then(translated(v[0], v[1])).then(scaled(v[2]/view[2], v[3]/view[3])).then(translated(-view[0], -view[1])), nil
}

// shape paints lines as a look says, given in units of m.
func (b *brush) shape(lines []line, m affine, l look) error {
	fill := func() error {
		if !l.fill.on {
			return nil
		}
		return b.fill(mapped(lines, m), m, l.fill, l.opacity)
	}
	stroke := func() error {
		if !l.stroke.on || l.width <= 0 {
			return nil
		}
		k := m.factor()
		drawn := mapped(lines, m)
		if l.dashes != nil {
			dashes := make([]float64, len(l.dashes))
			for i, dash := range l.dashes {
				dashes[i] = dash * k
			}
			drawn = dashed(drawn, dashes)
		}
		return b.fill(stroked(drawn, l.width*k, l.round), m, l.stroke, l.opacity)
	}
	first, second := fill, stroke
	if l.outlineFirst {
		first, second = stroke, fill
	}
	if err := first(); err != nil {
		return err
	}
	return second()
}

// fill paints the inside of lines, given in pixels.
func (b *brush) fill(lines []line, m affine, with ink, opacity float64) error {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, l := range lines {
		for _, p := range l.points {
			low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	if !(low.x < high.x) { // nothing
		return nil
	}
	bounds := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x)), int(math.Ceil(high.y))).Intersect(b.to.Bounds())
	if bounds.Empty() {
		return nil
	}
	b.raster.Reset(bounds.Dx(), bounds.Dy())
	x, y := float64(bounds.Min.X), float64(bounds.Min.Y)
	for _, l := range lines {
		for i, p := range l.points {
			if i == 0 {
				b.raster.MoveTo(float32(p.x-x), float32(p.y-y))
			} else {
				b.raster.LineTo(float32(p.x-x), float32(p.y-y))
			}
		}
		b.raster.ClosePath()
	}
	if with.pattern != "" {
		tile, err := b.tile(with.pattern, m)
		if err != nil {
			return err
		}
		b.raster.Draw(b.to, bounds, tile, bounds.Min)
		return nil
	}
	share := uint32(math.Round(opacity * 255))
	c := with.colour
	through := func(v uint8) uint8 { return uint8(uint32(v) * share / 255) }
	b.raster.Draw(b.to, bounds, image.NewUniform(color.RGBA{through(c.R), through(c.G), through(c.B), uint8(share)}), image.Point{})
	return nil
}

// mark paints what stands at the end of lines.
func (b *brush) mark(lines []line, m affine, l look) error {
	if l.marker == "" || len(lines) == 0 {
		return nil
	}
	n := b.tree.ids[l.marker]
	if n == nil {
		return fmt.Errorf("paint drawing: there is no marker %s", l.marker)
	}
	points := distinct(line{points: lines[len(lines)-1].points})
	if len(points) < 2 {
		return nil
	}
	view, err := n.box()
	if err != nil {
		return err
	}
	v, err := n.numbers("refX", "refY", "markerWidth", "markerHeight")
	if err != nil {
		return err
	}
	end, before := points[len(points)-1], points[len(points)-2]
	k := min(v[2]/view[2], v[3]/view[3]) * l.width
	m = m.then(translated(end.x, end.y)).then(turned(math.Atan2(end.y-before.y, end.x-before.x))).then(scaled(k, k)).then(translated(-v[0], -v[1]))
	inherited := plain()
	inherited.opacity = l.opacity
	return b.within(n, m, inherited)
}

func (b *brush) text(n *node, m affine, l look) error {
	v, err := n.numbers("x", "y")
	if err != nil {
		return err
	}
	weight := b.regular
	if l.bold {
		weight = b.bold
	}
	lines, width, err := weight.set(strings.TrimSpace(n.text), l.size)
	if err != nil {
		return err
	}
	switch l.anchor {
	case "middle":
		v[0] -= width / 2
	case "end":
		v[0] -= width
	}
	return b.shape(lines, m.then(translated(v[0], v[1])), l)
}
