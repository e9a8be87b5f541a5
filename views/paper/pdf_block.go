package paper

import (
	"fmt"
	"strings"
	"unicode"

	"lockstep/sizing/report"
)

func (p *sheet) block(b report.Block) {
	switch b.Kind {
	case report.Heading:
		p.room(24)
		p.Ln(5)
		p.strong(black, 13)
		p.paragraph(marginSide, textWidth, 7, p.shown(b.Text))
		if b.Sub != "" {
			p.ink(grey, 8.5)
			p.paragraph(marginSide, textWidth, 4.4, p.shown(b.Sub))
		}
		p.Ln(1.5)
	case report.Text:
		p.ink(black, 10)
		p.paragraph(marginSide, textWidth, 5.4, p.shown(b.Text))
		p.Ln(1)
	case report.Note:
		p.note(b.Text)
	case report.List:
		p.list(b)
	case report.Figures:
		p.figures(b.Figures)
	case report.Grid:
		p.table(*b.Table)
	case report.Graph:
		p.chart(*b.Chart)
	}
}

// together is how high what a heading begins is at least: the heading, the
// sentences that lead to something, and the beginning of that.
func (p *sheet) together(blocks []report.Block) float64 {
	const line = 5.4
	height := 0.0
	for i, b := range blocks {
		switch b.Kind {
		case report.Heading:
			if i > 0 {
				return height
			}
			p.strong(black, 13)
			height = 6.5 + 7*float64(len(p.lines(p.shown(b.Text), textWidth)))
			if b.Sub != "" {
				p.ink(grey, 8.5)
				height += 4.4 * float64(len(p.lines(p.shown(b.Sub), textWidth)))
			}
		case report.Text:
			p.ink(black, 10)
			height += 1 + line*float64(len(p.lines(p.shown(b.Text), textWidth)))
		case report.Note:
			p.ink(black, 9.5)
			height += 8 + line*float64(len(p.lines(p.shown(b.Text), textWidth-10)))
		case report.List:
			p.ink(black, 10.5)
			for _, item := range b.Items[:min(len(b.Items), 1)] {
				height += 5.8 * float64(len(p.lines(p.shown(item), textWidth-7)))
			}
			return height
		case report.Figures:
			return height + 26
		case report.Grid:
			return height + p.tableStart(*b.Table)
		case report.Graph:
			return height + chartHeight(*b.Chart) + 14
		}
	}
	return height
}

func (p *sheet) list(b report.Block) {
	for i, item := range b.Items {
		size, height, mark := 9.5, 5.0, "·"
		if b.Ordered {
			size, height, mark = 10.5, 5.8, fmt.Sprint(i+1)
		}
		p.room(height)
		p.SetX(marginSide)
		p.strong(accent, size)
		p.CellFormat(7, height, mark, "", 0, "L", false, 0, "")
		if p.ink(black, size); b.Ordered && i == 0 {
			p.strong(black, size)
		}
		p.paragraph(marginSide+7, textWidth-7, height, p.shown(item))
		p.Ln(0.8)
	}
}

// note is a text on tinted ground.
func (p *sheet) note(text string) {
	p.ink(black, 9.5)
	const height = 5.0
	lines := p.lines(p.shown(text), textWidth-10)
	whole := float64(len(lines))*height + 5
	p.room(whole + 3)
	p.Ln(2)
	y := p.GetY()
	p.SetFillColor(tint[0], tint[1], tint[2])
	p.Rect(marginSide, y, textWidth, whole, "F")
	p.SetFillColor(accent[0], accent[1], accent[2])
	p.Rect(marginSide, y, 1, whole, "F")
	p.SetY(y + 2.5)
	for _, l := range lines {
		p.SetX(marginSide + 5)
		p.CellFormat(textWidth-10, height, l, "", 1, "L", false, 0, "")
	}
	p.SetY(y + whole + 1)
}

func (p *sheet) figures(all []report.Figure) {
	if len(all) == 0 {
		return
	}
	const across = 4
	for from := 0; from < len(all); from += across {
		row := all[from:min(from+across, len(all))]
		each := textWidth / float64(across)
		p.room(26)
		p.Ln(2)
		top, bottom := p.GetY(), 0.0
		for i, f := range row {
			x := marginSide + float64(i)*each
			p.SetY(top)
			p.ink(grey, 8.5)
			p.paragraph(x, each-3, 4.2, p.shown(f.Label))
			p.strong(black, 16)
			p.paragraph(x, each-3, 7.5, p.shown(f.Value.Text))
			p.ink(grey, 8)
			p.paragraph(x, each-3, 4, p.shown(f.Note))
			bottom = max(bottom, p.GetY())
		}
		p.SetY(bottom)
	}
	p.Ln(1)
}

// lines breaks text where a line may end: between words, and between Chinese
// characters, but not before the marks that end a phrase.
func (p *sheet) lines(text string, width float64) []string {
	var all []string
	for whole := range strings.SplitSeq(text, "\n") {
		line, wide := "", 0.0
		for _, piece := range pieces(whole) {
			long := p.GetStringWidth(piece)
			if line != "" && wide+p.GetStringWidth(strings.TrimRight(piece, " ")) > width-0.5 {
				all = append(all, strings.TrimRight(line, " "))
				line, wide = "", 0
			}
			for long > width-0.5 && len([]rune(piece)) > 1 { // a word that is longer than a line
				runes := []rune(piece)
				n := len(runes)
				for n > 1 && p.GetStringWidth(string(runes[:n])) > width-0.5 {
					n--
				}
				all = append(all, string(runes[:n]))
				piece = string(runes[n:])
				long = p.GetStringWidth(piece)
			}
			line, wide = line+piece, wide+long
		}
		all = append(all, strings.TrimRight(line, " "))
	}
	return all
}

// pieces cuts text into what stays on one line.
func pieces(text string) []string {
	var all []string
	runes := []rune(text)
	from := 0
	for i := 1; i < len(runes); i++ {
		before, after := runes[i-1], runes[i]
		han := unicode.Is(unicode.Han, before) || unicode.Is(unicode.Han, after) || strings.ContainsRune("，。；：、）》」！？”", before)
		ends := strings.ContainsRune("，。；：、）》」！？”’%", after)
		begins := strings.ContainsRune("（《「“", before)
		if (before == ' ' && after != ' ' || han && !ends && !begins) && after != ' ' {
			all = append(all, string(runes[from:i]))
			from = i
		}
	}
	return append(all, string(runes[from:]))
}
