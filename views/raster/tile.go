package raster

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// tileKey is a pattern at a size.
type tileKey struct {
	id     string
	pixels int
}

// tiled is a tile again and again in both directions, its corner at a point.
type tiled struct {
	tile *image.RGBA
	at   image.Point
}

func (t tiled) ColorModel() color.Model { return color.RGBAModel }

// Bounds is everywhere.
func (t tiled) Bounds() image.Rectangle { return image.Rect(-1e9, -1e9, 1e9, 1e9) }

// At is the colour of the tile that lies there.
func (t tiled) At(x, y int) color.Color {
	side := t.tile.Rect.Dx()
	wrap := func(v int) int { return ((v % side) + side) % side }
	return t.tile.RGBAAt(wrap(x-t.at.X), wrap(y-t.at.Y))
}

// tile paints a pattern as it repeats on the ground of m. A tile is a whole
// number of pixels wide, so that its edges do not show.
func (b *brush) tile(id string, m affine) (image.Image, error) {
	n := b.tree.ids[id]
	if n == nil {
		return nil, fmt.Errorf("paint drawing: there is no pattern %s", id)
	}
	v, err := n.numbers("width", "height")
	if err != nil {
		return nil, err
	}
	if v[0] <= 0 || v[0] != v[1] || n.attrs["patternTransform"] != "" || n.attrs["patternUnits"] != "userSpaceOnUse" {
		return nil, fmt.Errorf("paint drawing: the pattern %s is not a square in the units of what it fills", id)
	}
	side := max(int(math.Round(v[0]*m.factor())), 1)
	key := tileKey{id, side}
	if b.tiles[key] == nil {
		k := float64(side) / v[0]
		inner := &brush{Painter: b.Painter, tree: b.tree, sheet: b.sheet, to: image.NewRGBA(image.Rect(0, 0, side, side)), tiles: b.tiles}
		if err := inner.within(n, scaled(k, k), plain()); err != nil {
			return nil, err
		}
		b.tiles[key] = inner.to
	}
	return tiled{b.tiles[key], image.Pt(int(math.Round(m.e)), int(math.Round(m.f)))}, nil
}
