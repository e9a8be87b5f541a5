package paper

import (
	"fmt"
	"strings"

	"lockstep/sizing/report"
)

// Markdown writes a report as text: charts as the tables that they show.
func Markdown(r report.Report, s report.Sheet) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", plain(r.Cover.Title), plain(s.Setting))
	for _, l := range Front(r, s) {
		fmt.Fprintf(&b, "\n- %s: %s", plain(l.Name), plain(l.Value))
	}
	b.WriteString("\n")
	for line := range strings.SplitSeq(r.Cover.Notes, "\n") {
		if line != "" {
			fmt.Fprintf(&b, "\n> %s\n", plain(line))
		}
	}
	for _, block := range s.Blocks {
		switch block.Kind {
		case report.Heading:
			fmt.Fprintf(&b, "\n## %s\n", plain(block.Text))
			if block.Sub != "" {
				fmt.Fprintf(&b, "\n%s\n", plain(block.Sub))
			}
		case report.Text:
			fmt.Fprintf(&b, "\n%s\n", plain(block.Text))
		case report.Note:
			fmt.Fprintf(&b, "\n> %s\n", plain(block.Text))
		case report.List:
			b.WriteString("\n")
			for i, item := range block.Items {
				mark := "-"
				if block.Ordered {
					mark = fmt.Sprintf("%d.", i+1)
				}
				fmt.Fprintf(&b, "%s %s\n", mark, plain(item))
			}
		case report.Figures:
			b.WriteString("\n")
			for _, f := range block.Figures {
				fmt.Fprintf(&b, "- %s: **%s**", plain(f.Label), plain(f.Value.Text))
				if f.Note != "" {
					fmt.Fprintf(&b, ", %s", plain(f.Note))
				}
				b.WriteString("\n")
			}
		case report.Grid:
			markdownTable(&b, *block.Table)
		case report.Graph:
			fmt.Fprintf(&b, "\n### %s\n", plain(block.Chart.Title))
			if t := chartTable(*block.Chart); len(t.Rows) > 0 {
				markdownTable(&b, t)
			}
			if block.Chart.Caption != "" {
				fmt.Fprintf(&b, "\n%s\n", plain(block.Chart.Caption))
			}
		}
	}
	fmt.Fprintf(&b, "\n---\n\n%s\n", plain(s.Labels.Foot))
	return []byte(b.String())
}

func markdownTable(b *strings.Builder, t report.Table) {
	b.WriteString("\n|")
	for _, c := range t.Columns {
		fmt.Fprintf(b, " %s |", plain(c.Name))
	}
	b.WriteString("\n|")
	for _, c := range t.Columns {
		if c.Number {
			b.WriteString(" ---: |")
		} else {
			b.WriteString(" --- |")
		}
	}
	b.WriteString("\n")
	for _, row := range t.Rows {
		b.WriteString("|")
		for i, c := range row.Cells {
			text := plain(c.Text)
			if i < len(t.Columns) && t.Columns[i].Formula {
				text = strings.ReplaceAll(text, "\n", "; ")
			}
			fmt.Fprintf(b, " %s |", text)
		}
		b.WriteString("\n")
	}
}

// plain keeps what people have written from being read as Markdown or as HTML,
// and on one line.
func plain(text string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "[", "\\[", "#", "\\#", "\n", "; ").Replace(text)
}

// chartTable is what a chart of bars shows, as a table; a chart of lines has
// too many points for one.
func chartTable(c report.Chart) report.Table {
	t := report.Table{Columns: []report.Column{{}}}
	at := map[report.Tone]int{}
	for _, key := range c.Legend {
		at[key.Tone] = len(t.Columns)
		t.Columns = append(t.Columns, report.Column{Name: key.Name, Number: true})
	}
	for _, bar := range c.Bars {
		row := report.Row{Cells: make([]report.Cell, len(t.Columns))}
		row.Cells[0] = report.Said(bar.Name)
		for _, p := range bar.Pieces {
			if i, known := at[p.Tone]; known {
				row.Cells[i] = report.Quantity(p.Label, p.Length, c.Unit)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
