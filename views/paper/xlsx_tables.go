package paper

import (
	"math"
	"strings"

	"lockstep/sizing/report"
)

// unitScale is a unit that cells are written in, and how many of the report's
// own it is.
type unitScale struct {
	name string
	one  float64
}

// scaled finds the unit in which the largest of some numbers reads best.
func scaled(unit string, largest float64) unitScale {
	largest = math.Abs(largest)
	var all []unitScale
	switch unit {
	case "%":
		return unitScale{"", 100} // the format says it
	case "s":
		all = []unitScale{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}}
	case "B", "B/s":
		rest := unit[1:]
		all = []unitScale{{"TB" + rest, 1e12}, {"GB" + rest, 1e9}, {"MB" + rest, 1e6}, {"kB" + rest, 1e3}}
	}
	for _, u := range all {
		if largest >= u.one {
			return u
		}
	}
	return unitScale{unit, 1}
}

// figures writes figures, each with its unit, its interval and its note.
func (b *book) figures(all []report.Figure, words report.GridLabels) {
	b.row += 2
	for i, name := range []string{words.Item, words.Value, words.Unit, words.Low, words.High, words.Note} {
		style := "head"
		if i == 1 || i == 3 || i == 4 {
			style = "head right"
		}
		b.word(i+1, name, style)
	}
	for _, f := range all {
		b.row++
		b.word(1, f.Label, "cell")
		b.hold(1, f.Label)
		b.word(6, f.Note, "cell")
		v := f.Value
		if v.Number == nil {
			b.word(2, v.Text, "cell right")
			continue
		}
		u := scaled(v.Unit, *v.Number)
		b.number(2, *v.Number/u.one, v.Unit == "%", false)
		b.word(3, u.name, "cell")
		if v.Low != nil && v.High != nil {
			b.number(4, *v.Low/u.one, v.Unit == "%", false)
			b.number(5, *v.High/u.one, v.Unit == "%", false)
		}
	}
	if b.widths == nil {
		for column, width := range []float64{0, 12, 9, 12, 12, 30} {
			b.held[column+1] = max(b.held[column+1], width)
		}
	}
}

// table writes a table. All quantities of a column have one unit, which its head
// says.
func (b *book) table(t report.Table, lang string) {
	units := make([]unitScale, len(t.Columns))
	percent := make([]bool, len(t.Columns))
	for i := range t.Columns {
		unit, largest := "", 0.0
		for _, row := range t.Rows {
			if c := row.Cells[i]; c.Number != nil {
				unit, largest = c.Unit, max(largest, math.Abs(*c.Number))
			}
		}
		units[i], percent[i] = scaled(unit, largest), unit == "%"
	}
	b.row += 2
	for i, c := range t.Columns {
		name := c.Name
		if u := units[i].name; u != "" && strings.HasPrefix(lang, "zh") {
			name += "（" + u + "）"
		} else if u != "" {
			name = strings.TrimSpace(name + " (" + u + ")")
		}
		style := "head"
		if c.Number {
			style = "head right"
		}
		b.word(i+1, name, style)
		b.hold(i+1, name)
	}
	for _, row := range t.Rows {
		b.row++
		mark := ""
		if row.Mark {
			mark = " mark"
		}
		for i, c := range row.Cells {
			switch {
			case c.Number != nil:
				b.number(i+1, *c.Number/units[i].one, percent[i], row.Mark)
				b.held[i+1] = max(b.held[i+1], 8)
			case t.Columns[i].Number:
				b.word(i+1, c.Text, "cell right"+mark)
				b.hold(i+1, c.Text)
			default:
				b.word(i+1, c.Text, "cell"+mark)
				b.hold(i+1, c.Text)
			}
		}
	}
	b.row++
}

// curves is what a chart shows as a table: bars piece by piece, and lines that
// run over the same points.
func curves(c report.Chart) report.Table {
	if len(c.Lines) == 0 {
		return chartTable(c)
	}
	t := report.Table{Columns: []report.Column{{Name: c.Across, Number: true}}}
	for i, at := range c.Lines[0].Points {
		row := report.Row{Cells: []report.Cell{report.Quantity("", at[0], "")}}
		for _, l := range c.Lines {
			if len(l.Points) != len(c.Lines[0].Points) || l.Points[i][0] != at[0] {
				return report.Table{}
			}
			row.Cells = append(row.Cells, report.Quantity("", l.Points[i][1], c.Unit))
		}
		t.Rows = append(t.Rows, row)
	}
	for _, l := range c.Lines {
		t.Columns = append(t.Columns, report.Column{Name: l.Name, Number: true})
	}
	return t
}
