package draw

import (
	"fmt"
	"html"
	"strings"
)

// Matrix is a square code of dark and light modules, such as a QR code, with
// the quiet edge around it that readers need. It is dark on light in every
// theme: readers expect that.
type Matrix struct {
	Size  int // modules on a side
	Dark  func(x, y int) bool
	Title string
}

// matrixQuiet is how many light modules stand around a code.
const matrixQuiet = 4

// SVG draws the code, to stand alone in a file or within a page. A row of dark
// modules is one stroke, so that no hairlines show between them.
func (m Matrix) SVG() string {
	var s strings.Builder
	side := m.Size + 2*matrixQuiet
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" class="matrix" viewBox="0 0 %d %[1]d" role="img" focusable="false" shape-rendering="crispEdges"><title>%s</title>`+
		`<path fill="#ffffff" d="M0 0h%[1]dv%[1]dH0z"/><path fill="#000000" d="`, side, html.EscapeString(m.Title))
	for y := range m.Size {
		for x := 0; x < m.Size; x++ {
			from := x
			for x < m.Size && m.Dark(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&s, "M%d %dh%dv1h-%[3]dz", from+matrixQuiet, y+matrixQuiet, x-from)
			}
		}
	}
	s.WriteString(`"/></svg>`)
	return s.String()
}
