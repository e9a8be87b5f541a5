package draw

import (
	"fmt"
	"strings"
)

// Patterns is the hidden SVG that defines p0 to p7, one pattern for each hue.
// A page that holds drawings of cells includes it once.
func Patterns() string {
	var s strings.Builder
	s.WriteString(`<svg class="defs" aria-hidden="true" focusable="false"><defs>`)
	for hue, marks := range [Hues]string{
		"",
		`<path class="cell-line-1" d="M-1 3L3-1M-1 9L9-1M5 9L9 5"/>`,
		`<circle class="cell-mark-2" cx="4" cy="4" r="1.7"/>`,
		`<path class="cell-line-3" d="M0 2h8M0 6h8"/>`,
		`<path class="cell-line-4" d="M-1 5L3 9M-1-1L9 9M5-1L9 3"/>`,
		`<path class="cell-line-5" d="M0 4h8M4 0v8"/>`,
		`<path class="cell-line-6" d="M2 0v8M6 0v8"/>`,
		`<path class="cell-mark-7" d="M0 0h4v4H0zM4 4h4v4H4z"/>`,
	} {
		fmt.Fprintf(&s, `<pattern id="p%d" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="cell-fill-%d" width="8" height="8"/>%s</pattern>`,
			hue, hue, marks)
	}
	s.WriteString(`</defs></svg>`)
	return s.String()
}
