package present

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
	"lockstep/views/paper"
)

// ReportFormats are what a report is exported as.
func ReportFormats() []string { return []string{"pdf", "html", "xlsx", "markdown", "csv", "json"} }

// PaperStyle is what a report as one HTML file looks like: the style sheets
// that it needs, which text reads by name.
func PaperStyle(text func(name string) string) string {
	var all strings.Builder
	for _, name := range []string{"css/tokens.css", "css/page.css", "css/parts.css", "css/chart.css", "css/size.css", "css/report.css"} {
		all.WriteString(text(name))
	}
	return all.String()
}

// ReportFile is a report as a file.
type ReportFile struct {
	Name    string // with its ending
	Type    string // its media type
	Content []byte
}

// ReportFileOf writes a saved report in the language of l. style is what the
// style sheets of an HTML file hold. An unknown format is no file: found is
// false.
func ReportFileOf(l locale.Locale, saved report.Report, format, style string) (file ReportFile, found bool, err error) {
	sheet := sheetOf(l, saved)
	name := paper.Name(saved, l.Lang())
	switch format {
	case "pdf":
		file = ReportFile{Name: name + ".pdf", Type: "application/pdf"}
		file.Content, err = paper.PDF(saved, sheet, l.Tag())
	case "html":
		file = ReportFile{Name: name + ".html", Type: "text/html; charset=utf-8"}
		var out bytes.Buffer
		shown := paperOf(l, saved, sheet)
		if logo := saved.Cover.Logo; len(logo) > 0 {
			shown.Logo = "data:image/png;base64," + base64.StdEncoding.EncodeToString(logo)
		}
		err = views.SheetFilePage(views.SheetFile{Title: saved.Cover.Title, Style: style, Sheet: shown}).Render(context.Background(), &out)
		file.Content = out.Bytes()
	case "xlsx":
		file = ReportFile{Name: name + ".xlsx", Type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
		file.Content, err = paper.XLSX(saved, sheet, l.Tag())
	case "markdown":
		file = ReportFile{Name: name + ".md", Type: "text/markdown; charset=utf-8", Content: paper.Markdown(saved, sheet)}
	case "csv":
		file = ReportFile{Name: name + ".csv", Type: "text/csv; charset=utf-8"}
		file.Content, err = paper.CSV(saved, sheet)
	case "json":
		file = ReportFile{Name: paper.Number(saved) + fmt.Sprintf("-v%d.json", saved.Version), Type: "application/json", Content: saved.Frozen}
	default:
		return ReportFile{}, false, nil
	}
	return file, true, err
}

// paperOf presents a sheet as it is read on a screen and printed.
func paperOf(l locale.Locale, saved report.Report, sheet report.Sheet) views.Sheet {
	v := views.Sheet{Tag: l.Tag(), Title: saved.Cover.Title, Who: sheet.Setting, Foot: sheet.Labels.Foot, LogoName: logoName(saved, sheet.Labels.Logo)}
	for _, line := range paper.Front(saved, sheet) {
		v.Facts = append(v.Facts, views.Fact{Name: line.Name, Values: []string{line.Value}})
	}
	if saved.Cover.Notes != "" {
		v.Notes = strings.Split(saved.Cover.Notes, "\n")
	}
	heading := ""
	for _, b := range sheet.Blocks {
		if b.Kind == report.Heading {
			heading = b.Text
		}
		v.Blocks = append(v.Blocks, paperBlock(b, heading))
	}
	return v
}

func paperBlock(b report.Block, heading string) views.SheetBlock {
	v := views.SheetBlock{Kind: string(b.Kind), Text: b.Text, Sub: b.Sub, Items: b.Items, Ordered: b.Ordered}
	for _, f := range b.Figures {
		v.Figures = append(v.Figures, views.SizeFigure{Label: f.Label, Number: f.Value.Text, Note: f.Note})
	}
	if b.Table != nil {
		v.Table = paperTable(*b.Table, heading)
	}
	if b.Chart != nil {
		v.Chart = paperChart(*b.Chart)
	}
	return v
}

func paperTable(t report.Table, name string) views.SheetTable {
	v := views.SheetTable{Name: name}
	for _, c := range t.Columns {
		if !c.Wide {
			v.Columns = append(v.Columns, views.SheetColumn{Name: c.Name, Number: c.Number})
		}
	}
	for _, row := range t.Rows {
		r := views.SheetRow{Mark: row.Mark}
		for i, c := range t.Columns {
			switch text := row.Cells[i].Text; {
			case !c.Wide:
				r.Cells = append(r.Cells, views.SheetCell{Text: text, Number: c.Number})
			case text != "":
				r.Below = append(r.Below, strings.Split(text, "\n")...)
			}
		}
		v.Rows = append(v.Rows, r)
	}
	return v
}

// inks and tones as sheets name them.
var (
	paperInks  = map[string]draw.Ink{"accent": draw.Accent, "dashed": draw.Dashed, "thin": draw.Thin, "dotted": draw.Dotted}
	paperTones = map[report.Tone]draw.Tone{
		"compute": draw.Compute, "comm": draw.Comm, "hidden": draw.Hidden, "bubble": draw.Bubble, "latency": draw.Latency, "paper": draw.Paper,
	}
)

// paperChart draws a chart of a sheet.
func paperChart(c report.Chart) views.SizeChart {
	v := views.SizeChart{Title: c.Title, Caption: c.Caption}
	for _, frame := range []draw.Frame{sizeChartWide, sizeChartNarrow} {
		frame.Title, frame.Desc = c.Title, c.Caption
		svg := ""
		if len(c.Bars) > 0 {
			svg = paperBars(c, frame)
		} else {
			svg = paperLines(c, frame)
		}
		if frame.Class == "wide" {
			v.Wide = svg
		} else {
			v.Narrow = svg
		}
	}
	return v
}

// paperAxis is the axis of a chart's values from zero.
func paperAxis(c report.Chart, name string, high float64) draw.Axis {
	if c.Unit == "s" {
		return sizeTimeAxis(name, high)
	}
	return draw.Marked(draw.NiceTicks(high, 5), false, name, func(v float64) string { return strings.TrimSpace(significant(v, 3) + " " + c.Unit) })
}

func paperBars(c report.Chart, frame draw.Frame) string {
	high := 0.0
	d := draw.StackedBars{Frame: frame}
	for _, b := range c.Bars {
		row, whole := draw.StackedBar{Name: b.Name, Figure: b.Figure}, 0.0
		for _, p := range b.Pieces {
			row.Pieces = append(row.Pieces, draw.Piece{Length: p.Length, Tone: paperTones[p.Tone], Label: p.Label})
			whole += p.Length
		}
		d.Rows, high = append(d.Rows, row), max(high, whole)
	}
	d.X = paperAxis(c, "", high)
	d.Height = draw.RowsHeight(len(c.Bars), false, false)
	return d.SVG()
}

func paperLines(c report.Chart, frame draw.Frame) string {
	d := draw.LineChart{Frame: frame}
	var across, up float64
	for _, line := range c.Lines {
		s := draw.Series{Ink: paperInks[line.Ink], Label: line.Name, LabelSide: draw.AboveLeft}
		for _, p := range line.Points {
			s.Points = append(s.Points, draw.Point{X: p[0], Y: p[1]})
			across, up = max(across, p[0]), max(up, p[1])
		}
		d.Series = append(d.Series, s)
	}
	ticks := 8
	if frame.Width < 400 {
		ticks = 4
	}
	d.X = draw.Marked(workerTicks(across, ticks), false, c.Across, func(v float64) string { return significant(v, 4) })
	d.X.High = across
	d.Y = paperAxis(c, c.Up, up*1.12)
	spreadLabels(d.Series, d.Y.High, 0, 110/frame.Width)
	for _, m := range c.Marks {
		d.Marks = append(d.Marks, draw.Mark{At: draw.Point{X: m.At[0], Y: m.At[1]}, Ink: paperInks[m.Ink], Label: m.Name, Side: draw.AboveRight})
	}
	return d.SVG()
}
