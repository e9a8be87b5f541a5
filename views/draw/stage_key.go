package draw

import (
	"fmt"
	"html"
)

// Lengths of the key below a stage, in units of the view box.
const (
	keyLine   = 24.0
	keySample = 38.0 // a sample of an edge, and the distance to its word
	keyGap    = 24.0
)

// key is where the words of a stage's kinds of edges begin, line by line.
func (s Stage) key() (at []spot, lines int) {
	width, x := wideStage, 6.0
	if s.Narrow {
		width = narrowStage
	}
	for i, word := range s.EdgeWords {
		if i == 0 {
			lines = 1
		} else if x+keySample+measure(word) > width {
			x, lines = 6, lines+1
		}
		at = append(at, spot{x, float64(lines) * keyLine})
		x += keySample + measure(word) + keyGap
	}
	return at, lines
}

// keyHeight is the height of the key, 0 without words.
func (s Stage) keyHeight() float64 {
	_, lines := s.key()
	return float64(lines) * keyLine
}

// writeKey says below the stage what its kinds of edges are.
func (s Stage) writeKey(c *canvas, f form) {
	at, _ := s.key()
	for i, word := range s.EdgeWords {
		class := edgeClass(i)
		if s.Layout == NodesLayout {
			class = [...]string{"g-move", "g-move far", "g-rail"}[min(i, 2)]
		}
		x, y := at[i].x, f.keyTop+at[i].y-6
		fmt.Fprintf(c, `<path class="%s" d="M%s %sh30"/><text class="t-mut" x="%s" y="%s" font-size="13">%s</text>`,
			class, number(x), number(y-4.5), number(x+keySample), number(y), html.EscapeString(word))
	}
}
