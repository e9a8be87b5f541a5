package paper

import (
	"cmp"
	"slices"
	"strconv"

	"lockstep/sizing/report"
)

// fills are the colours of tones.
var fills = map[report.Tone][3]int{
	"compute": {152, 158, 168}, "comm": accent, "hidden": {176, 180, 228}, "bubble": {232, 233, 236}, "latency": black, "paper": {255, 255, 255},
}

// chartHeight is how high the drawing of a chart is with its key.
func chartHeight(c report.Chart) float64 {
	if len(c.Lines) > 0 {
		return 74
	}
	return 18 + 9*float64(len(c.Bars))
}

func (p *sheet) chart(c report.Chart) {
	p.room(chartHeight(c) + 14)
	p.Ln(3)
	p.strong(black, 10)
	p.paragraph(marginSide, textWidth, 5.5, p.shown(c.Title))
	p.Ln(1)
	if len(c.Bars) > 0 {
		p.bars(c)
	}
	if len(c.Lines) > 0 {
		p.plot(c)
	}
	p.ink(grey, 8.5)
	p.paragraph(marginSide, textWidth, 4.4, p.shown(c.Caption))
	p.Ln(2)
}

// legend says what the colours of bars stand for, on as many lines as it takes.
func (p *sheet) legend(keys []report.Key) {
	const height = 5.2
	x := marginSide
	p.ink(grey, 8.5)
	for _, key := range keys {
		name := p.shown(key.Name)
		width := p.GetStringWidth(name)
		if x > marginSide && x+width+6 > pageWidth-marginSide {
			x = marginSide
			p.Ln(height)
		}
		p.fill(key.Tone)
		p.Rect(x, p.GetY()+0.8, 3, 3, "FD")
		p.SetX(x + 4)
		p.CellFormat(width+2, 4.6, name, "", 0, "L", false, 0, "")
		x += width + 9
	}
	p.Ln(height + 1)
}

// bars draws rows of pieces on one scale, with their key below.
func (p *sheet) bars(c report.Chart) {
	names, figures, longest := 0.0, 0.0, 0.0
	p.ink(black, 9)
	for _, b := range c.Bars {
		whole := 0.0
		for _, piece := range b.Pieces {
			whole += piece.Length
		}
		names, figures, longest = max(names, p.GetStringWidth(b.Name)), max(figures, p.GetStringWidth(b.Figure)), max(longest, whole)
	}
	if longest <= 0 {
		return
	}
	from := marginSide + min(names+3, 60)
	scale := (textWidth - (from - marginSide) - figures - 4) / longest
	for _, b := range c.Bars {
		y, at := p.GetY(), from
		p.ink(black, 9)
		p.SetXY(marginSide, y)
		p.CellFormat(from-marginSide, 7, p.shown(b.Name), "", 0, "L", false, 0, "")
		for _, piece := range b.Pieces {
			width := piece.Length * scale
			p.fill(piece.Tone)
			p.Rect(at, y, width, 7, "FD")
			ink := black
			if piece.Tone == "comm" || piece.Tone == "latency" {
				ink = [3]int{255, 255, 255}
			}
			if p.ink(ink, 8.5); p.GetStringWidth(piece.Label)+2 < width {
				p.SetXY(at, y)
				p.CellFormat(width, 7, p.shown(piece.Label), "", 0, "C", false, 0, "")
			}
			at += width
		}
		p.strong(black, 9)
		p.SetXY(at+1, y)
		p.CellFormat(figures+2, 7, p.shown(b.Figure), "", 0, "L", false, 0, "")
		p.SetY(y + 9)
	}
	p.legend(c.Legend)
}

func (p *sheet) fill(tone report.Tone) {
	colour, known := fills[tone]
	if !known {
		colour = fills["paper"]
	}
	p.SetFillColor(colour[0], colour[1], colour[2])
	p.SetDrawColor(black[0], black[1], black[2])
	p.SetLineWidth(0.15)
}

// plot draws lines over two axes from zero, with the value at each mark and the
// name of each line at its end.
func (p *sheet) plot(c report.Chart) {
	const height, left, right = 60.0, 6.0, 46.0
	top := p.GetY() + 5
	across, up := 0.0, 0.0
	for _, l := range c.Lines {
		for _, at := range l.Points {
			across, up = max(across, at[0]), max(up, at[1])
		}
	}
	if across <= 0 || up <= 0 {
		return
	}
	x := func(v float64) float64 { return marginSide + left + v/across*(textWidth-left-right) }
	y := func(v float64) float64 { return top + height - v/up*height }
	p.ink(grey, 8)
	p.SetXY(marginSide, top-5)
	p.CellFormat(textWidth, 4, p.shown(c.Up), "", 0, "L", false, 0, "")
	p.SetXY(marginSide, top+height+1)
	p.CellFormat(textWidth-right, 4, p.shown(c.Across)+" 0–"+strconv.FormatFloat(across, 'g', 4, 64), "", 0, "R", false, 0, "")
	p.SetDrawColor(black[0], black[1], black[2])
	p.SetLineWidth(0.2)
	p.Line(x(0), y(0), x(across), y(0))
	p.Line(x(0), y(0), x(0), top)
	used := map[int]bool{}
	for _, l := range c.Lines {
		colour, width := black, 0.3
		if l.Ink == "accent" {
			colour, width = accent, 0.7
		}
		p.SetDrawColor(colour[0], colour[1], colour[2])
		p.SetLineWidth(width)
		if l.Ink == "dashed" {
			p.SetDashPattern([]float64{1.5, 1.2}, 0)
		}
		p.MoveTo(x(l.Points[0][0]), y(l.Points[0][1]))
		for _, at := range l.Points[1:] {
			p.LineTo(x(at[0]), y(at[1]))
		}
		p.DrawPath("D")
		p.SetDashPattern(nil, 0)
		end := l.Points[len(l.Points)-1]
		row := int((y(end[1]) - top) / 4)
		for used[row] { // names that would stand on each other move down
			row++
		}
		used[row] = true
		p.ink(colour, 8.5)
		p.SetXY(x(across)+1.5, top+float64(row)*4-2)
		p.CellFormat(right-2, 4, p.shown(l.Name), "", 0, "L", false, 0, "")
	}
	said := top + height + 4.5
	marks := slices.SortedFunc(slices.Values(c.Marks), func(a, b report.Mark) int { return cmp.Compare(a.At[1], b.At[1]) })
	for _, m := range marks { // from below; those that would stand on each other move up
		colour := black
		if m.Ink == "accent" {
			colour = accent
		}
		p.SetFillColor(colour[0], colour[1], colour[2])
		p.Circle(x(m.At[0]), y(m.At[1]), 0.9, "F")
		p.strong(colour, 8.5)
		said = min(said-4, y(m.At[1])-4.5)
		p.SetXY(x(m.At[0])+1, said)
		p.CellFormat(23, 4, p.shown(m.Name), "", 0, "L", false, 0, "")
	}
	p.SetY(top + height + 7)
}
