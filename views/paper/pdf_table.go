package paper

import (
	"lockstep/sizing/report"
)

// Sizes of a table, in millimetres.
const (
	tableLine = 4.4
	tablePad  = 1.2
	tableGap  = 3.0
)

// table writes a table. Cells of wide columns stand below their row.
func (p *sheet) table(t report.Table) {
	p.ink(black, 8.5)
	columns, wide := columnsOf(t)
	widths := p.widths(t, columns)
	p.room(p.tableStart(t)) // a head does not stand without a row
	p.tableHead(t, columns, widths)
	for _, row := range t.Rows {
		p.ink(black, 8.5)
		cells, height := p.wrap(row, columns, widths)
		below := p.below(row, wide)
		whole := height + 2*tablePad + float64(len(below))*tableLine
		if p.GetY()+whole > pageHeight-marginFoot {
			p.AddPage()
			p.tableHead(t, columns, widths)
		}
		y := p.GetY()
		if row.Mark {
			p.SetFillColor(tint[0], tint[1], tint[2])
			p.Rect(marginSide, y, textWidth, whole, "F")
			p.SetFillColor(accent[0], accent[1], accent[2])
			p.Rect(marginSide, y, 0.8, whole, "F")
		}
		if p.ink(black, 8.5); row.Mark {
			p.strong(black, 8.5)
		}
		p.cells(t, columns, widths, cells, y+tablePad)
		p.ink(grey, 8)
		p.SetY(y + tablePad + height)
		for _, l := range below {
			p.SetX(marginSide + 3)
			p.CellFormat(textWidth-4, tableLine, l, "", 1, "L", false, 0, "")
		}
		p.SetY(y + whole)
		p.SetDrawColor(line[0], line[1], line[2])
		p.SetLineWidth(0.15)
		p.Line(marginSide, y+whole, marginSide+textWidth, y+whole)
	}
	p.Ln(2)
}

// columnsOf are the columns of a table that stand side by side, and the wide
// ones.
func columnsOf(t report.Table) (columns, wide []int) {
	for i, c := range t.Columns {
		if c.Wide {
			wide = append(wide, i)
		} else {
			columns = append(columns, i)
		}
	}
	return columns, wide
}

// below are the lines of a row's wide cells.
func (p *sheet) below(row report.Row, wide []int) []string {
	var lines []string
	for _, i := range wide {
		if i < len(row.Cells) && row.Cells[i].Text != "" {
			p.ink(grey, 8)
			lines = append(lines, p.lines(p.shown(row.Cells[i].Text), textWidth-4)...)
		}
	}
	return lines
}

// tableStart is how high the head of a table is with its first row.
func (p *sheet) tableStart(t report.Table) float64 {
	p.ink(black, 8.5)
	columns, wide := columnsOf(t)
	widths := p.widths(t, columns)
	head := report.Row{}
	for _, c := range t.Columns {
		head.Cells = append(head.Cells, report.Said(c.Name))
	}
	_, height := p.wrap(head, columns, widths)
	height += 2 * tablePad
	if len(t.Rows) > 0 {
		_, first := p.wrap(t.Rows[0], columns, widths)
		height += first + 2*tablePad + float64(len(p.below(t.Rows[0], wide)))*tableLine
	}
	return height
}

func (p *sheet) tableHead(t report.Table, columns []int, widths []float64) {
	head := report.Row{}
	for _, c := range t.Columns {
		head.Cells = append(head.Cells, report.Said(c.Name))
	}
	p.ink(grey, 8)
	cells, height := p.wrap(head, columns, widths)
	p.room(height + 12)
	y := p.GetY()
	p.ink(grey, 8)
	p.cells(t, columns, widths, cells, y+tablePad)
	p.SetY(y + height + 2*tablePad)
	p.SetDrawColor(black[0], black[1], black[2])
	p.SetLineWidth(0.25)
	p.Line(marginSide, p.GetY(), marginSide+textWidth, p.GetY())
}

// wrap breaks the cells of a row into lines, and says how high they are.
func (p *sheet) wrap(row report.Row, columns []int, widths []float64) (cells [][]string, height float64) {
	for k, i := range columns {
		text := ""
		if i < len(row.Cells) {
			text = row.Cells[i].Text
		}
		cells = append(cells, p.lines(p.shown(text), widths[k]-tableGap))
		height = max(height, float64(len(cells[k]))*tableLine)
	}
	return cells, height
}

func (p *sheet) cells(t report.Table, columns []int, widths []float64, cells [][]string, y float64) {
	x := marginSide + 1.5
	for k, i := range columns {
		align := "L"
		if t.Columns[i].Number {
			align = "R"
		}
		for n, text := range cells[k] {
			p.SetXY(x, y+float64(n)*tableLine)
			p.CellFormat(widths[k]-tableGap, tableLine, text, "", 0, align, false, 0, "")
		}
		x += widths[k]
	}
}

// widths shares the line among columns by what they hold, so that short ones
// stay on one line as long as there is room.
func (p *sheet) widths(t report.Table, columns []int) []float64 {
	wants := make([]float64, len(columns))
	total := 0.0
	for k, i := range columns {
		wants[k] = p.GetStringWidth(t.Columns[i].Name)
		for _, row := range t.Rows {
			if i < len(row.Cells) {
				wants[k] = max(wants[k], p.GetStringWidth(row.Cells[i].Text))
			}
		}
		wants[k] += tableGap + 2
		total += wants[k]
	}
	const whole = textWidth - 1.5
	if total <= whole {
		wants[0] += min(whole-total, 40)
		return wants
	}
	// The longest give way until the line holds them all.
	low, high := 0.0, whole
	for range 40 {
		most, sum := (low+high)/2, 0.0
		for _, w := range wants {
			sum += min(w, most)
		}
		if sum > whole {
			high = most
		} else {
			low = most
		}
	}
	for k := range wants {
		wants[k] = min(wants[k], low)
	}
	return wants
}
