package draw

import (
	"fmt"
	"strings"
)

// hatching defines the patterns of time and state: hx is ink hatched on
// nothing, hxa accent, hxf red the other way, hxb dots.
const hatching = `<pattern id="hx" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-ink" d="M0 0v6"/></pattern>` +
	`<pattern id="hxa" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-accent-paper" width="7" height="7"/><path class="hatch-accent" d="M0 0v7"/></pattern>` +
	`<pattern id="hxb" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="hatch-paper" width="6" height="6"/><circle class="hatch-dot" cx="3" cy="3" r="1"/></pattern>` +
	`<pattern id="hxf" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect class="hatch-bad-paper" width="6" height="6"/><path class="hatch-bad" d="M0 0v6"/></pattern>`

// Patterns is the hidden SVG that defines p0 to p7, one pattern for each hue,
// and the hatches of time and state. A page includes it once.
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
	s.WriteString(hatching)
	s.WriteString(`</defs></svg>`)
	return s.String()
}
