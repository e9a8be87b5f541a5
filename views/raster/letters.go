package raster

import (
	_ "embed"
	"fmt"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:embed fonts/regular.otf
var regularFont []byte

//go:embed fonts/bold.otf
var boldFont []byte

//go:embed fonts/OFL.txt
var fontLicence string

// FontLicence is the licence that the embedded fonts come under.
func FontLicence() string { return fontLicence }

// letters are the shapes of one weight. They are safe for concurrent use.
type letters struct {
	font *sfnt.Font
	em   float64 // units
}

func readLetters(file []byte) (letters, error) {
	font, err := sfnt.Parse(file)
	if err != nil {
		return letters{}, fmt.Errorf("read font: %w", err)
	}
	return letters{font, float64(font.UnitsPerEm())}, nil
}

// has reports whether there is a shape for a character.
func (l letters) has(r rune) bool {
	glyph, err := l.font.GlyphIndex(nil, r)
	return err == nil && glyph != 0
}

// set returns the outlines of words of a size, standing at (0, 0), and how far
// they reach. A character without a shape is a box.
func (l letters) set(words string, size float64) (lines []line, width float64, err error) {
	var buffer sfnt.Buffer
	em := fixed.I(int(l.em))
	k := size / l.em
	for _, r := range words {
		glyph, err := l.font.GlyphIndex(&buffer, r)
		if err != nil {
			return nil, 0, fmt.Errorf("find %q in font: %w", r, err)
		}
		segments, err := l.font.LoadGlyph(&buffer, glyph, em, nil)
		if err != nil {
			return nil, 0, fmt.Errorf("draw %q: %w", r, err)
		}
		at := func(p fixed.Point26_6) point { return point{width + float64(p.X)/64*k, float64(p.Y) / 64 * k} }
		p := &pen{}
		for _, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				p.at = at(s.Args[0])
				p.lines = append(p.lines, line{points: []point{p.at}, closed: false})
			case sfnt.SegmentOpLineTo:
				p.add(at(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				c, end := at(s.Args[0]), at(s.Args[1])
				p.curve(blend(p.at, c, 2.0/3), blend(end, c, 2.0/3), end)
			case sfnt.SegmentOpCubeTo:
				p.curve(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
			}
		}
		lines = append(lines, p.lines...)
		advance, err := l.font.GlyphAdvance(&buffer, glyph, em, 0)
		if err != nil {
			return nil, 0, fmt.Errorf("measure %q: %w", r, err)
		}
		width += float64(advance) / 64 * k
	}
	for i := range lines {
		lines[i].closed = true
	}
	return lines, width, nil
}
