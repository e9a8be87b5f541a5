package paper

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"lockstep/sizing/report"
)

// CSV writes the figures and tables of a report, one under the other with an
// empty line between. A quantity has its number beside its words: a figure that
// stands out ends with its number and unit, a column of quantities is followed
// by one of numbers in the unit that its head names. It
// begins with the mark by which Excel knows UTF-8, and no cell is a formula.
func CSV(r report.Report, s report.Sheet) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	write := func(cells ...string) { // errors stay with the writer
		for i, c := range cells {
			cells[i] = defused(strings.ReplaceAll(c, "\n", "; "))
		}
		_ = w.Write(cells)
	}
	write(r.Cover.Title, Edition(r, s))
	for _, l := range Front(r, s) {
		write(l.Name, l.Value)
	}
	heading := ""
	for _, block := range s.Blocks {
		switch block.Kind {
		case report.Heading:
			heading = block.Text
		case report.Figures:
			write("")
			for _, f := range block.Figures {
				cells := []string{f.Label, f.Value.Text, f.Note}
				if n := f.Value.Number; n != nil {
					cells = append(cells, strconv.FormatFloat(*n, 'g', -1, 64), f.Value.Unit)
				}
				write(cells...)
			}
		case report.Grid:
			write("")
			write(heading)
			csvTable(write, *block.Table)
		case report.Graph:
			if t := chartTable(*block.Chart); len(t.Rows) > 0 {
				write("")
				write(block.Chart.Title)
				csvTable(write, t)
			}
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

func csvTable(write func(...string), t report.Table) {
	units := make([]string, len(t.Columns)) // of columns that have numbers
	numbers := make([]bool, len(t.Columns))
	for _, row := range t.Rows {
		for i, c := range row.Cells {
			if c.Number != nil {
				numbers[i], units[i] = true, c.Unit
			}
		}
	}
	var head []string
	for i, c := range t.Columns {
		head = append(head, c.Name)
		if numbers[i] {
			head = append(head, strings.TrimSpace(c.Name+" "+units[i]))
		}
	}
	write(head...)
	for _, row := range t.Rows {
		var cells []string
		for i, c := range row.Cells {
			cells = append(cells, c.Text)
			switch {
			case numbers[i] && c.Number != nil:
				cells = append(cells, strconv.FormatFloat(*c.Number, 'g', -1, 64))
			case numbers[i]:
				cells = append(cells, "")
			}
		}
		write(cells...)
	}
}

// defused keeps a spreadsheet from taking text for a formula. Negative numbers
// stay numbers.
func defused(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}
