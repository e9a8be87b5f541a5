package raster

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"strings"
	"testing"
	"time"
)

// paint draws what stands in a drawing of 20 × 10 units under some rules.
func paint(t *testing.T, rules, body string, scale float64) *image.RGBA {
	t.Helper()
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	img, err := p.Draw(`<svg viewBox="0 0 20 10"><style>`+rules+`</style>`+body+`</svg>`, scale)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestShapesAreFilledAsTheSheetSays(t *testing.T) {
	red, blue, white := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{255, 255, 255, 255}
	for name, c := range map[string]struct {
		rules, body string
		at          image.Point
		want        color.RGBA
	}{
		"a class":              {".a { fill: #ff0000; }", `<rect class="a" width="20" height="10"/>`, image.Pt(5, 5), red},
		"the stronger rule":    {"g .a { fill: #ff0000; } .a { fill: #0000ff; }", `<g><rect class="a" width="20" height="10"/></g>`, image.Pt(5, 5), red},
		"a rule over a number": {".a { fill: #ff0000; }", `<rect class="a" fill="#0000ff" width="20" height="10"/>`, image.Pt(5, 5), red},
		"a child only":         {".a > rect { fill: #ff0000; } rect { fill: #0000ff; }", `<g class="a"><g><rect width="20" height="10"/></g></g>`, image.Pt(5, 5), blue},
		"without a class":      {".a:not(.b) { fill: #ff0000; } .b { fill: #0000ff; }", `<rect class="a b" width="20" height="10"/>`, image.Pt(5, 5), blue},
		"a beginning":          {`[class^="a-"] { fill: #ff0000; }`, `<rect class="a-7" width="20" height="10"/>`, image.Pt(5, 5), red},
		"not shown":            {".a { display: none; }", `<g class="a"><rect width="20" height="10"/></g>`, image.Pt(5, 5), white},
		"moved":                {"", `<g transform="translate(10)"><rect fill="#0000ff" width="5" height="10"/></g>`, image.Pt(12, 5), blue},
		"left of it":           {"", `<g transform="translate(10)"><rect fill="#0000ff" width="5" height="10"/></g>`, image.Pt(8, 5), white},
		"a path":               {"", `<path fill="#ff0000" d="M0 0h20v10H0z"/>`, image.Pt(19, 9), red},
		"a line":               {"", `<path fill="none" stroke="#ff0000" stroke-width="4" d="M0 5L20 5"/>`, image.Pt(10, 6), red},
		"beside a line":        {"", `<path fill="none" stroke="#ff0000" stroke-width="4" d="M0 5L20 5"/>`, image.Pt(10, 8), white},
		"a corner":             {"", `<path fill="none" stroke="#ff0000" stroke-width="4" d="M10 10V4H20"/>`, image.Pt(8, 2), red},
		"a round corner":       {"", `<rect fill="#ff0000" width="20" height="10" rx="5"/>`, image.Pt(0, 0), white},
		"between dashes":       {".a { stroke-dasharray: 5 5; }", `<path class="a" fill="none" stroke="#ff0000" stroke-width="4" d="M0 5L20 5"/>`, image.Pt(7, 5), white},
		"a dash":               {".a { stroke-dasharray: 5 5; }", `<path class="a" fill="none" stroke="#ff0000" stroke-width="4" d="M0 5L20 5"/>`, image.Pt(12, 5), red},
		"a pattern": {"", `<defs><pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><rect fill="#0000ff" width="4" height="4"/><rect fill="#ff0000" width="2" height="4"/></pattern></defs>` +
			`<rect fill="url(#p)" width="20" height="10"/>`, image.Pt(13, 5), red},
		"the tip of an arrow": {"", `<defs><marker id="m" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="3" markerHeight="3"><path fill="#ff0000" d="M0 0h10v10H0z"/></marker></defs>` +
			`<path stroke="#0000ff" stroke-width="2" marker-end="url(#m)" d="M0 5L10 5"/>`, image.Pt(12, 7), red},
	} {
		if got := paint(t, c.rules, c.body, 1).RGBAAt(c.at.X, c.at.Y); got != c.want {
			t.Errorf("%s: %v is %v, want %v", name, c.at, got, c.want)
		}
	}
}

// What nobody has taught it to draw must not come out as something else.
func TestUnknownPartsAreErrors(t *testing.T) {
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, svg := range []string{
		``, `<p/>`, `<svg viewBox="0 0 9 9"><ellipse/></svg>`, `<svg viewBox="0 0 9 9"><path d="M0 0T3 3"/></svg>`, `<svg viewBox="0 0 9 9"><path d="0 0"/></svg>`,
		`<svg viewBox="0 0 9 9"><rect fill="red" width="9" height="9"/></svg>`, `<svg viewBox="0 0 9 9"><g transform="skewX(3)"/></svg>`,
		`<svg viewBox="0 0 9 9"><rect fill="url(#none)" width="9" height="9"/></svg>`, `<svg viewBox="0 0 900000 900000"/>`, `<svg viewBox="0 0 9"/>`, `<svg viewBox="0 0 9 9"><rect`,
	} {
		if _, err := p.Draw(svg, 1); err == nil {
			t.Errorf("%s was drawn", svg)
		}
	}
}

// Chinese words come out as themselves, not as the box of a missing shape.
func TestChineseWordsAreDrawn(t *testing.T) {
	word := func(text string) *image.RGBA {
		return paint(t, "", `<text x="0" y="9" font-size="10">`+text+`</text>`, 4)
	}
	missing := word("\U0001f600") // nobody writes that into a picture
	seen := map[string]string{string(missing.Pix): "the missing"}
	for _, text := range []string{"环", "形", "规", "约", "R", "8"} {
		pixels := string(word(text).Pix)
		if other := seen[pixels]; other != "" {
			t.Errorf("%s looks like %s", text, other)
		}
		seen[pixels] = text
	}
	if !bytes.Equal(word("环").Pix, word("环").Pix) {
		t.Error("the same drawing gives different pixels")
	}
}

func TestPNGSaysWhatItIs(t *testing.T) {
	var file bytes.Buffer
	img := paint(t, "", `<rect fill="#ff0000" width="20" height="10"/>`, 2)
	if err := WritePNG(&file, img, Label{"环形 · 3", "http://host/en/learn?a=1&b=2"}); err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if decoded.Bounds() != image.Rect(0, 0, 40, 20) {
		t.Errorf("it is %v", decoded.Bounds())
	}
	texts := map[string]string{}
	for rest := file.Bytes()[8:]; len(rest) > 12; {
		n := binary.BigEndian.Uint32(rest)
		if kind := string(rest[4:8]); kind == "tEXt" || kind == "iTXt" {
			keyword, text, _ := strings.Cut(string(rest[8:8+n]), "\x00")
			texts[keyword] = strings.Trim(text, "\x00")
		}
		rest = rest[12+n:]
	}
	if texts["Title"] != "环形 · 3" || texts["URL"] != "http://host/en/learn?a=1&b=2" {
		t.Errorf("it says %q", texts)
	}
}

func TestFilmKeepsWhatChanges(t *testing.T) {
	stills := []*image.RGBA{
		paint(t, "", `<rect fill="#ff0000" width="5" height="5"/>`, 1),
		paint(t, "", `<rect fill="#ff0000" width="5" height="5"/><rect fill="#0000ff" x="10" width="5" height="5"/>`, 1),
		paint(t, "", `<rect fill="#0000ff" x="10" width="5" height="5"/>`, 1),
	}
	var file bytes.Buffer
	if err := WriteGIF(&file, Film{
		Label: Label{"a film", "http://host/"}, Colours: 8, Rests: []time.Duration{time.Second, 600 * time.Millisecond, 3 * time.Second},
		Paint: func(i int) (*image.RGBA, error) { return stills[i], nil },
	}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(file.Bytes(), []byte("http://host/")) {
		t.Error("it does not say where it comes from")
	}
	film, err := gif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	if film.LoopCount != 0 || film.Delay[0] != 100 || film.Delay[1] != 60 || film.Delay[2] != 300 {
		t.Errorf("it loops %d times with delays %v", film.LoopCount, film.Delay)
	}
	if got := film.Image[1].Rect; got != image.Rect(10, 0, 15, 5) {
		t.Errorf("the second still holds %v", got)
	}
	shown := image.NewRGBA(image.Rect(0, 0, 20, 10))
	for i, part := range film.Image {
		for y := part.Rect.Min.Y; y < part.Rect.Max.Y; y++ {
			for x := part.Rect.Min.X; x < part.Rect.Max.X; x++ {
				if _, _, _, a := part.At(x, y).RGBA(); a > 0 {
					shown.Set(x, y, part.At(x, y))
				}
			}
		}
		if !bytes.Equal(shown.Pix, stills[i].Pix) {
			t.Errorf("still %d is not what was painted", i)
		}
	}
}
