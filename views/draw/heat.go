package draw

import (
	"fmt"
	"html"
	"math"
	"strings"
	"unicode/utf8"
)

// heatSteps is how many steps the ramp has above empty.
const heatSteps = 8

// HeatClass is the class of a heat-mapped cell to which have of all ranks have
// contributed. Only a cell that has everything gets the last one.
func HeatClass(have, all int) string {
	if have >= all {
		return fmt.Sprintf("h%d", heatSteps)
	}
	return fmt.Sprintf("h%d", int(math.Ceil(float64(have)/float64(all)*(heatSteps-1))))
}

// heatClass is the class of a cell that is painted in the ramp.
func (c BlockCell) heatClass() string {
	class := HeatClass(c.have(), len(c.Ticks))
	if c.Role == Receives {
		class += " now"
	}
	if c.Wrong {
		class += " wrong"
	}
	return class
}

// Lengths around a heat map, in units of the view box.
const (
	heatLeft = 46.0 // for the numbers of blocks
	heatTop  = 40.0 // for the numbers of ranks
	heatTall = 400.0
	heatText = 13.0
)

// heatForm lays the grid out: columns over the whole width, rows no taller
// than they are wide unless they are few.
func (s Stage) heatForm(f form) form {
	rows := float64(len(s.Cards[0].Cells))
	f.cardWidth = (f.width - heatLeft - 4) / float64(len(s.Cards))
	tall := heatTall
	if s.Narrow {
		tall = 300
	}
	f.pitch = min(tall/rows, max(f.cardWidth, 24))
	f.height = heatTop + rows*f.pitch + 4
	return f
}

// rowNumber is the number of a row: below a gap they begin again.
func (s Stage) rowNumber(row int) int {
	if s.Split > 0 && row >= s.Split {
		return row - s.Split
	}
	return row
}

// writeHeat draws the grid: a group a rank, a path a block, in the order of
// ranks and blocks.
func (s Stage) writeHeat(c *canvas, f form) {
	rows := len(s.Cards[0].Cells)
	every := func(n int, pitch, room float64) int { return max(1, int(math.Ceil(room/pitch/4))*4*min(1, n/8)) }
	for rank, step := 0, every(len(s.Cards), f.cardWidth, 26); rank < len(s.Cards); rank += step {
		fmt.Fprintf(c, `<text class="t-mut" x="%s" y="%s" font-size="%s" text-anchor="middle">%s</text>`,
			number(heatLeft+(float64(rank)+0.5)*f.cardWidth), number(heatTop-8), number(heatText), html.EscapeString(s.Cards[rank].Short))
	}
	for block, step := 0, every(rows, f.pitch, 20); block < rows; block += step {
		fmt.Fprintf(c, `<text class="t-mut" x="%s" y="%s" font-size="%s" text-anchor="end">%d</text>`,
			number(heatLeft-7), number(heatTop+(float64(block)+0.5)*f.pitch+4), number(heatText), s.rowNumber(block))
	}
	fmt.Fprintf(c, `<text class="t-mut" x="%s" y="14" font-size="%s">%s</text>`, number(heatLeft), number(heatText), html.EscapeString(s.WrapWord))
	fmt.Fprintf(c, `<g class="heat" transform="translate(%s %s)">`, number(heatLeft), number(heatTop))
	for rank, card := range s.Cards {
		fmt.Fprintf(c, `<g transform="translate(%s)">`, number(float64(rank)*f.cardWidth))
		for block, cell := range card.Cells {
			class := cell.heatClass()
			fmt.Fprintf(c, `<path class="%s" d="M0 %sh%sv%sh-%sz"/>`, class, number(float64(block)*f.pitch),
				number(f.cardWidth-1), number(f.pitch-1), number(f.cardWidth-1))
		}
		c.WriteString(`</g>`)
	}
	c.WriteString(`</g>`)
}

// writeDots draws the cells of a card as dots of the ramp, line by line.
func (f form) writeDots(c *canvas, rank int, cells []BlockCell) {
	c.WriteString(`<g class="heat">`)
	for block, cell := range cells {
		class := cell.heatClass()
		at, side := f.cellAt(rank, block), f.pitch-0.6
		fmt.Fprintf(c, `<path class="%s" d="M%s %sh%sv%sh-%[4]sz"/>`, class, number(at.x), number(at.y), number(side), number(side))
	}
	c.WriteString(`</g>`)
}

// dotLines is what a dot is, in as many lines as the width takes; they break
// after a comma.
func (s Stage) dotLines(f form) []string {
	var lines []string
	for rest := s.WrapWord; rest != ""; {
		part := rest
		if i := strings.IndexAny(rest, ",，"); i >= 0 {
			_, comma := utf8.DecodeRuneInString(rest[i:])
			part = rest[:i+comma]
		}
		rest = strings.TrimPrefix(rest, part)
		if n := len(lines); n > 0 && measure(lines[n-1]+part)*heatText/textSize <= f.width-12 {
			lines[n-1] += part
		} else {
			lines = append(lines, strings.TrimSpace(part))
		}
	}
	return lines
}
