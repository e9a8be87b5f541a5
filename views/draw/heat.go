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

// heatClass is the class of a cell of a heat map.
func (c BlockCell) heatClass() string {
	class := HeatClass(c.have(), len(c.Ticks))
	if c.Final {
		class += " done"
	}
	switch c.Role {
	case Receives:
		class += " now"
	case RoleStuck:
		class += " stuck"
	}
	if c.Wrong {
		class += " wrong"
	}
	return class
}

// Lengths around the heat map of a stage, in units of the view box.
const (
	heatLeft       = 46.0 // for the numbers of blocks
	heatLeftNarrow = 24.0
	heatTop        = 40.0 // for the numbers of ranks
	heatTall       = 388.0
	heatTallNarrow = 322.0
	heatText       = 13.0
	heatFoot       = 14.0 // for the marks of ranks that do nothing
)

// heatForm lays the grid out: columns over the whole width, rows no taller
// than they are wide unless they are few.
func (s Stage) heatForm(f form) form {
	tall, least := heatTall, 24.0
	f.left, f.top = heatLeft, heatTop
	if s.Narrow {
		tall, least, f.left = heatTallNarrow, 12, heatLeftNarrow
	}
	rows := float64(len(s.Cards[0].Cells))
	f.cardWidth = (f.width - f.left - 4) / float64(len(s.Cards))
	f.pitch = min(tall/rows, max(f.cardWidth, least))
	f.height = f.top + rows*f.pitch + heatFoot
	return f
}

// heatMap is the map of a stage that is one.
func (s Stage) heatMap(f form) heatMap {
	return heatMap{
		left: f.left, top: f.top, across: f.cardWidth, down: f.pitch, gap: 1,
		columns: len(s.Cards), rows: len(s.Cards[0].Cells), split: s.Split, text: heatText,
	}
}

// writeHeat draws the map, and below each column the card of its rank, which
// is a mark there.
func (s Stage) writeHeat(c *canvas, f form) {
	m := s.heatMap(f)
	names := make([]string, len(s.Cards))
	for rank, card := range s.Cards {
		names[rank] = card.Short
	}
	m.writeNumbers(c, names)
	fmt.Fprintf(c, `<text class="t-mut" x="%s" y="14" font-size="%s">%s</text>`, number(f.left), number(heatText), html.EscapeString(s.WrapWord))
	m.writeGround(c)
	m.begin(c)
	for rank, card := range s.Cards {
		m.writeColumn(c, rank, card.Cells)
	}
	c.WriteString(`</g>`)
	m.writeGuides(c)
	side := min(f.cardWidth-m.gap, 7)
	c.WriteString(`<g class="heat-cards">`)
	for rank, card := range s.Cards {
		class := "stage-card"
		if card.Idle {
			class += " idle"
		}
		fmt.Fprintf(c, `<rect class="%s" data-card="%d" x="%s" y="%s" width="%s" height="%s"/>`, class, rank,
			number(f.left+float64(rank)*f.cardWidth+(f.cardWidth-m.gap-side)/2), number(f.height-10), number(side), number(side))
	}
	c.WriteString(`</g>`)
}

// writeDots draws the cells of a card as a map of its own, line by line.
func (f form) writeDots(c *canvas, rank int, cells []BlockCell) {
	at := f.cellAt(rank, 0)
	columns := min(f.columns, len(cells))
	m := heatMap{left: at.x, top: at.y, across: f.pitch, down: f.pitch, gap: 0.6, columns: columns, rows: (len(cells) + columns - 1) / columns, last: len(cells) % columns}
	m.writeGround(c)
	m.begin(c)
	side := number(f.pitch - m.gap)
	for block, cell := range cells {
		fmt.Fprintf(c, `<path class="%s" d="M%s %sh%sv%[4]sh-%[4]sz"/>`, cell.heatClass(),
			number(float64(block%columns)*f.pitch), number(float64(block/columns)*f.pitch), side)
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
