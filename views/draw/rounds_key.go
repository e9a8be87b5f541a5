package draw

import (
	"fmt"
	"strings"
)

// writeFoot draws the key and what is to be said about the picture.
func (r Rounds) writeFoot(c *canvas, f roundForm, left int) {
	y, x := f.bottom+54, roundEdge
	if f.counts {
		c.text(x, y, start, "ink", r.Words.Summary)
		y += roundLine
		c.text(x, y, start, "mut", r.Words.Less)
		x += measure(r.Words.Less) + 10
		for step := 1; step <= heatSteps-3; step++ {
			fmt.Fprintf(c, `<rect class="h%d" x="%s" y="%s" width="18" height="12"/>`, step, number(x), number(y-11))
			x += 18
		}
		c.text(x+8, y, start, "mut", r.Words.More)
	} else {
		used := map[RoundKind]bool{}
		locals := false
		for _, t := range r.Transfers {
			used[t.Kind] = used[t.Kind] || t.From != t.To
			locals = locals || t.From == t.To
		}
		for kind, word := range r.Words.Kinds {
			if !used[RoundKind(kind)] {
				continue
			}
			fmt.Fprintf(c, `<path class="arrow %s" d="M%s %sh46" marker-end="url(#tip)"/>`, RoundKind(kind), number(x), number(y-5))
			if k := RoundKind(kind); k == RoundReduce || k == RoundNetReduce {
				writePlus(c, spot{x + 31, y - 5})
			}
			c.text(x+54, y, start, "mut", word)
			x += 54 + measure(word) + 26
		}
		if locals {
			fmt.Fprintf(c, `<rect class="local" x="%s" y="%s" width="%s" height="%s"/>`, number(x), number(y-9), number(roundLocal), number(roundLocal))
			c.text(x+14, y, start, "mut", r.Words.Local)
		}
		if left > 0 {
			y += roundLine
			c.text(roundEdge, y, start, "mut", strings.ReplaceAll(r.Words.Left, "{}", fmt.Sprint(left)))
		}
	}
	c.text(roundEdge, y+roundLine, start, "mut", r.Source)
}
