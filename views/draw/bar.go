package draw

import (
	"fmt"
	"strings"
)

// Segment is a piece of a bar.
type Segment struct {
	Length float64 // in the unit of the scale
	Class  string  // g-solid or g-light
}

// barWidth and barHeight are the view box of a bar. It is stretched to the
// width of its place, so that bars of one width share one scale.
const (
	barWidth  = 1000.0
	barHeight = 16.0
)

// Bar draws segments end to end from zero on a scale that ends at full. It is
// decoration beside the figure itself, hence hidden from assistive technology.
func Bar(full float64, segments ...Segment) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="bar" viewBox="0 0 %s %s" preserveAspectRatio="none" aria-hidden="true" focusable="false">`,
		number(barWidth), number(barHeight))
	x := 0.0
	for _, segment := range segments {
		width := segment.Length / full * barWidth
		fmt.Fprintf(&s, `<rect class="%s" x="%s" width="%s" height="%s"/>`, segment.Class, number(x), number(width), number(barHeight))
		x += width
	}
	s.WriteString(`</svg>`)
	return s.String()
}
