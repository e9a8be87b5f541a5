package draw

import (
	"fmt"
	"html"
	"math"
	"strconv"
)

// Region is one of several that share a plane: a hue, a pattern and a name
// tell it apart, and where the name has no room its number does.
type Region struct {
	Name string
	Hue  int    // 0 to Hues-1
	URL  string // where it leads; empty for nowhere
	Says string // what the link is called
}

// Number is what stands in a region too small for its name.
func (r RegionChart) Number(region int) string { return strconv.Itoa(region + 1) }

// Run is where a region holds within a row, on the horizontal axis.
type Run struct {
	From, To float64
	Region   int // an index into Regions
}

// RegionChart shows which of several holds where in a plane: the horizontal
// axis measures, the vertical one counts in whole numbers, a row each.
type RegionChart struct {
	Frame
	Key     string // before the ids of its patterns, which are unique on a page
	X       Axis
	Y       Axis // its ticks are whole numbers; Low and High are those of the first and the last row
	Rows    [][]Run
	Regions []Region
	Here    Point  // what the page is about
	HereSay string // empty where there is no such point
}

// SVG draws the chart. Regions with a URL that are large enough to be hit are
// links, the drawing then is a group of them and not an image.
func (r RegionChart) SVG() string {
	for _, region := range r.Regions {
		r.Linked = r.Linked || region.URL != ""
	}
	c := r.open()
	r.writePatterns(c)
	p := r.inside(r.X, r.Y, 0)
	x := r.X.scale(p.left, p.right)
	y := Linear(r.Y.Low-0.5, r.Y.High+0.5, p.bottom, p.top)
	here := r.here(x, y)
	taken := []area{here.box(r.Width), {here.point.x - 9, here.point.y - 9, 18, 18}}
	if r.HereSay == "" {
		taken = nil
	}
	var names []func()
	for i, region := range r.Regions {
		patches := r.patches(i, x, y)
		if len(patches) == 0 {
			continue
		}
		linked := region.URL != "" && hit(patches)
		if linked {
			fmt.Fprintf(c, `<a class="region" href="%s" aria-label="%s">`, html.EscapeString(region.URL), html.EscapeString(region.Says))
		} else {
			c.WriteString(`<g class="region">`)
		}
		fmt.Fprintf(c, `<path class="region-edge-%d" fill="url(#%s%[1]d)" d="`, region.Hue, html.EscapeString(r.Key))
		for _, patch := range patches {
			patch.write(c)
		}
		c.WriteString(`"/>`)
		if linked {
			c.WriteString(`</a>`)
		} else {
			c.WriteString(`</g>`)
		}
		for _, words := range []string{region.Name, r.Number(i)} {
			if at, fits := placeIn(patches, words, taken); fits {
				box := label{x: at.x, y: at.y, anchor: middle, words: words}.box(r.Width)
				taken = append(taken, box)
				names = append(names, func() { c.text(at.x, at.y, middle, "g-over g-strong region-name", words) })
				break
			}
		}
	}
	c.frame(p)
	r.marks(c, p, x, y)
	for _, write := range names {
		write()
	}
	if r.HereSay != "" {
		at := here.point
		c.line("g-drop", at.x, at.y, at.x, p.bottom)
		c.line("g-drop", p.left, at.y, at.x, at.y)
		c.dot(at.x, at.y, Accent, true)
		c.dot(at.x, at.y, Accent, false)
		c.writeLabels([]label{here})
	}
	return c.close()
}

// marks writes the axes' words; lines would run through the patterns.
func (r RegionChart) marks(c *canvas, p plot, x, y Scale) {
	for _, t := range r.X.Ticks {
		c.line("g-axis", x.At(t.At), p.bottom, x.At(t.At), p.bottom+5)
		c.within(x.At(t.At), p.bottom+tickLine, middle, "g-quiet", t.Label)
	}
	c.text(p.right, p.bottom+tickLine+nameLine, end, "g-quiet", r.X.Name)
	for _, t := range r.Y.Ticks {
		c.line("g-axis", p.left-4, y.At(t.At), p.left, y.At(t.At))
		c.text(p.left-tickGap, y.At(t.At)+5, end, "g-quiet", t.Label)
	}
	c.text(0, 12, start, "g-quiet", r.Y.Name)
}

// frame draws the edge of a plot.
func (c *canvas) frame(p plot) {
	fmt.Fprintf(c, `<rect class="g-axis" %s/>`, box4(p.left, p.top, p.right-p.left, p.bottom-p.top))
}

// here is the label of the point that the page is about.
func (r RegionChart) here(x, y Scale) label {
	at := spot{x.At(math.Min(math.Max(r.Here.X, r.X.Low), r.X.High)), y.At(r.Here.Y)}
	side := AboveRight
	if at.x > r.Width*0.6 {
		side = AboveLeft
	}
	if r.Here.Y > (r.Y.Low+r.Y.High)/2 {
		side += BelowLeft - AboveLeft
	}
	return newLabel(at, side, "g-over g-strong g-text-accent", r.HereSay, "")
}

// writePatterns defines the fill of each hue in use: paler than a block's, for
// words stand on it.
func (r RegionChart) writePatterns(c *canvas) {
	c.WriteString(`<defs>`)
	seen := map[int]bool{}
	for _, region := range r.Regions {
		if seen[region.Hue] {
			continue
		}
		seen[region.Hue] = true
		fmt.Fprintf(c, `<pattern id="%s%d" width="14" height="14" patternUnits="userSpaceOnUse">%s</pattern>`, html.EscapeString(r.Key), region.Hue, regionFill(region.Hue))
	}
	c.WriteString(`</defs>`)
}

// regionFill is the content of a pattern of 14 by 14.
func regionFill(hue int) string {
	marks := [Hues]string{
		"",
		`<path d="M-2 4L4-2M-2 18L18-2M10 18L18 10"/>`,
		`<circle cx="4" cy="4" r="1.6"/><circle cx="11" cy="11" r="1.6"/>`,
		`<path d="M0 3.5h14M0 10.5h14"/>`,
		`<path d="M-2 10L4 16M-2-2L16 16M10-2L16 4"/>`,
		`<path d="M0 7h14M7 0v14"/>`,
		`<path d="M3.5 0v14M10.5 0v14"/>`,
		`<path class="solid" d="M0 0h5v5H0zM7 7h5v5H7z"/>`,
	}[hue]
	return fmt.Sprintf(`<rect class="region-fill-%d" width="14" height="14"/><g class="region-mark-%[1]d">%s</g>`, hue, marks)
}

// RegionSwatch is a sample of a region's fill for a legend. Decoration: the
// legend says the name.
func RegionSwatch(hue int) string {
	return `<svg class="swatch" viewBox="0 0 28 20" aria-hidden="true" focusable="false">` +
		fmt.Sprintf(`<g>%s<g transform="translate(14 0)">%[1]s</g><g transform="translate(0 14)">%[1]s</g><g transform="translate(14 14)">%[1]s</g></g><rect class="region-edge-%d" fill="none" x="1" y="1" width="26" height="18"/></svg>`, regionFill(hue), hue)
}
