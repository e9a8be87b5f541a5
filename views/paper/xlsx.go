package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"lockstep/sizing/report"
)

// Widths of a workbook's columns, in characters.
const (
	narrowest = 9.0
	widest    = 60.0
	xlsxLine  = 15.0 // height of a line, in points
)

// xlsxText is a text that stands across the columns of a sheet from one on.
type xlsxText struct {
	row, column int
	text, style string
}

// coverWidths are those of the first sheet's columns: figures stand in them, and
// sentences across all.
var coverWidths = []float64{30, 14, 11, 12, 12, 44}

// book is a workbook that is being written. The first error ends it.
type book struct {
	*excelize.File
	err    error
	sheet  string          // that is being written
	row    int             // the last that is written
	widths []float64       // of the sheet's columns; nil where they follow from what they hold
	held   map[int]float64 // characters of the longest cell of a column
	lines  []xlsxText      // of the sheet, which stand across its columns once these are known
	styles map[string]int
	taken  map[string]bool // names of sheets
}

// XLSX writes a report as a workbook: its cover with the conclusions, then a
// sheet for each section. Quantities are numbers, in the unit that the head of
// their column says or that stands beside them, and every text is text: one that
// begins like a formula is marked as none.
func XLSX(r report.Report, s report.Sheet, lang string) ([]byte, error) {
	b := &book{File: excelize.NewFile(), styles: map[string]int{}, taken: map[string]bool{}}
	defer func() { _ = b.Close() }() // it has no files of its own
	saved := r.Saved.UTC().Format("2006-01-02T15:04:05Z")
	b.note(b.SetDocProps(&excelize.DocProperties{
		Title: r.Cover.Title, Creator: cmp.Or(Author(r), "Lockstep"), LastModifiedBy: "Lockstep", Description: Edition(r, s), Language: lang, Created: saved, Modified: saved,
	}))
	b.front(r, s)
	first, charts := true, []report.Chart{}
	for _, block := range s.Blocks {
		switch {
		case block.Kind == report.Heading && first && block.Key == "conclusions":
			first = false
			b.heading(block)
		case block.Kind == report.Heading:
			b.begin(block.Text)
			b.heading(block)
		case block.Kind == report.Graph && tabled(s, block.Key): // the same figures once more
		case block.Kind == report.Graph && b.widths != nil: // the cover has other columns
			charts = append(charts, *block.Chart)
		default:
			b.block(block, s.Labels.Grid, lang)
		}
	}
	for _, c := range charts {
		if t := curves(c); len(t.Rows) > 0 {
			b.begin(c.Title)
			b.text(c.Title, "heading")
			b.table(t, lang)
			b.text(c.Caption, "text")
		}
	}
	b.end()
	b.SetActiveSheet(0)
	if b.err != nil {
		return nil, fmt.Errorf("write XLSX: %w", b.err)
	}
	// A picture adds types in the order of a map; the same report is the same file.
	if types := b.ContentTypes; types != nil {
		sort.Slice(types.Defaults, func(i, j int) bool { return types.Defaults[i].Extension < types.Defaults[j].Extension })
	}
	out, err := b.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write XLSX: %w", err)
	}
	return out.Bytes(), nil
}

// tabled reports whether a table of the sheet has the key of a chart.
func tabled(s report.Sheet, key string) bool {
	return slices.ContainsFunc(s.Blocks, func(b report.Block) bool { return b.Kind == report.Grid && b.Key == key })
}

func (b *book) note(err error) { b.err = cmp.Or(b.err, err) }

// front begins the workbook with the cover.
func (b *book) front(r report.Report, s report.Sheet) {
	b.sheet = b.name(s.Labels.Grid.Cover)
	b.note(b.SetSheetName(b.GetSheetName(0), b.sheet))
	b.widths, b.held = coverWidths, map[int]float64{}
	b.logo(r.Cover)
	b.text(r.Cover.Title, "title")
	b.text(s.Setting, "text")
	b.row++
	for _, l := range Front(r, s) {
		b.row++
		b.word(1, l.Name, "name")
		b.across(2, l.Value, "text")
	}
	for line := range strings.SplitSeq(r.Cover.Notes, "\n") {
		if line != "" {
			b.text(line, "note")
		}
	}
}

// logo puts the seller's logo on a row of its own.
func (b *book) logo(c report.Cover) {
	wide, high := c.LogoSize()
	if wide == 0 {
		return
	}
	const most, widest = 60.0, 240.0 // pixels
	scale := min(1, most/float64(high), widest/float64(wide))
	b.row++
	b.note(b.SetRowHeight(b.sheet, b.row, float64(high)*scale*0.75+8))
	b.note(b.AddPictureFromBytes(b.sheet, b.at(1), &excelize.Picture{
		Extension: ".png", File: c.Logo, Format: &excelize.GraphicOptions{AltText: c.Seller, ScaleX: scale, ScaleY: scale, OffsetY: 3, Positioning: "oneCell"},
	}))
}

// name is a heading as the name of a sheet: no longer than may be, without the
// marks that may not stand in one, and none twice.
func (b *book) name(heading string) string {
	clean := strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]`, r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, heading), " '")
	clean = cmp.Or(clean, "-")
	for n := 1; ; n++ {
		tail := ""
		if n > 1 {
			tail = fmt.Sprintf(" %d", n)
		}
		name := clean
		for utf8.RuneCountInString(name)+len(tail) > excelize.MaxSheetNameLength {
			_, last := utf8.DecodeLastRuneInString(name)
			name = name[:len(name)-last]
		}
		name = strings.TrimRight(name, " '") + tail
		if lower := strings.ToLower(name); !b.taken[lower] {
			b.taken[lower] = true
			return name
		}
	}
}

// begin ends a sheet and begins the next.
func (b *book) begin(heading string) {
	b.end()
	b.sheet, b.row, b.widths, b.held = b.name(heading), 0, nil, map[int]float64{}
	_, err := b.NewSheet(b.sheet)
	b.note(err)
}

// end gives the columns of a sheet their widths, and its pages their form.
func (b *book) end() {
	widths := b.widths
	if widths == nil {
		for column, held := range b.held {
			for len(widths) < column {
				widths = append(widths, narrowest)
			}
			widths[column-1] = min(max(held+2, narrowest), widest)
		}
		if len(widths) == 0 {
			widths = []float64{110}
		}
		for whole := sum(widths); whole < 90; whole += narrowest {
			widths = append(widths, narrowest)
		}
	}
	b.join(widths)
	for i, width := range widths {
		column, err := excelize.ColumnNumberToName(i + 1)
		b.note(err)
		b.note(b.SetColWidth(b.sheet, column, column, width))
	}
	a4, landscape, one, any, fit, lines := 9, "landscape", 1, 0, true, false
	b.note(b.SetPageLayout(b.sheet, &excelize.PageLayoutOptions{Size: &a4, Orientation: &landscape, FitToWidth: &one, FitToHeight: &any}))
	b.note(b.SetSheetProps(b.sheet, &excelize.SheetPropsOptions{FitToPage: &fit}))
	b.note(b.SetSheetView(b.sheet, 0, &excelize.ViewOptions{ShowGridLines: &lines}))
}

func sum(widths []float64) float64 {
	whole := 0.0
	for _, width := range widths {
		whole += width
	}
	return whole
}

func (b *book) heading(block report.Block) {
	if b.row > 0 {
		b.row++
	}
	b.text(block.Text, "heading")
	if block.Sub != "" {
		b.text(block.Sub, "small")
	}
}

// block writes a part of a section.
func (b *book) block(block report.Block, words report.GridLabels, lang string) {
	switch block.Kind {
	case report.Text:
		b.text(block.Text, "text")
	case report.Note:
		b.text(block.Text, "note")
	case report.List:
		for i, item := range block.Items {
			if block.Ordered {
				item = fmt.Sprintf("%d. %s", i+1, item)
			}
			b.text(item, "text")
		}
	case report.Figures:
		b.figures(block.Figures, words)
	case report.Grid:
		b.table(*block.Table, lang)
	case report.Graph:
		b.text(block.Chart.Title, "name")
		b.table(curves(*block.Chart), lang)
		if block.Chart.Caption != "" {
			b.text(block.Chart.Caption, "small")
		}
	}
}

// text writes a line of its own across all columns.
func (b *book) text(text, style string) {
	b.row++
	b.across(1, text, style)
}

// across writes a text over the columns from one on.
func (b *book) across(column int, text, style string) {
	b.word(column, text, style)
	b.lines = append(b.lines, xlsxText{b.row, column, text, style})
}

// join makes room for the texts of a sheet: the cells that one stands across
// become one, as high as its lines, which Excel does not find out by itself.
func (b *book) join(widths []float64) {
	for _, t := range b.lines {
		room := 0.0
		for _, width := range widths[t.column-1:] {
			room += width
		}
		scale := xlsxScale[t.style]
		b.row = t.row
		if len(widths) > t.column {
			b.note(b.MergeCell(b.sheet, b.at(t.column), b.at(len(widths))))
		}
		if lines := math.Ceil(long(t.text) * scale / (room - 2)); lines > 1 || scale > 1.1 {
			b.note(b.SetRowHeight(b.sheet, t.row, max(lines, 1)*xlsxLine*scale))
		}
	}
	b.lines = nil
}

// at is a cell of the row.
func (b *book) at(column int) string {
	cell, err := excelize.CoordinatesToCellName(column, b.row)
	b.note(err)
	return cell
}

// word writes a text, which is never a formula.
func (b *book) word(column int, text, style string) {
	if text == "" {
		return
	}
	if strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		style += " text"
	}
	b.note(b.SetCellStr(b.sheet, b.at(column), text))
	b.note(b.SetCellStyle(b.sheet, b.at(column), b.at(column), b.style(style)))
}

// number writes a number to four digits, a share to three.
func (b *book) number(column int, v float64, percent, mark bool) {
	style := "number " + digits(v, percent)
	if mark {
		style += " mark"
	}
	b.note(b.SetCellFloat(b.sheet, b.at(column), v, -1, 64))
	b.note(b.SetCellStyle(b.sheet, b.at(column), b.at(column), b.style(style)))
}

// digits is the format of a number that shows four digits of it, or three of a
// share.
func digits(v float64, percent bool) string {
	sign, most := "", 3
	if percent {
		v, sign, most = 100*v, "%", 2
	}
	if v == math.Trunc(v) {
		return "#,##0" + sign
	}
	places := most - int(math.Floor(math.Log10(math.Abs(v))))
	if places = min(max(places, 0), 9); places == 0 {
		return "#,##0" + sign
	}
	return "#,##0." + strings.Repeat("0", places) + sign
}

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

// hold counts a cell among those that its column is as wide as.
func (b *book) hold(column int, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		b.held[column] = max(b.held[column], long(line))
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

// long is how wide a text is, in the width of a digit: Chinese characters are
// two.
func long(text string) float64 {
	n := 0.0
	for _, r := range text {
		if n++; unicode.Is(unicode.Han, r) || r >= '\u3000' && r <= '\u303f' || r >= '\uff00' && r <= '\uffef' {
			n++
		}
	}
	return n
}

// xlsxScale is how much larger than usual a style is written.
var xlsxScale = map[string]float64{"title": 1.7, "heading": 1.3, "text": 1.05, "note": 1.05, "small": 1, "name": 1}

// style is what a cell looks like, by words: what it is, right, mark, and text
// for one that begins like a formula.
func (b *book) style(words string) int {
	if id, known := b.styles[words]; known {
		return id
	}
	s := excelize.Style{Font: &excelize.Font{Size: 11}, Alignment: &excelize.Alignment{Vertical: "top", WrapText: true}}
	all := strings.Fields(words)
	switch all[0] {
	case "title":
		s.Font = &excelize.Font{Size: 18, Bold: true}
	case "heading":
		s.Font = &excelize.Font{Size: 14, Bold: true}
	case "small":
		s.Font = &excelize.Font{Size: 10, Color: colour(grey)}
	case "name":
		s.Font.Color = colour(grey)
	case "note":
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{colour(tint)}}
	case "head":
		s.Font.Bold = true
		s.Border = []excelize.Border{{Type: "bottom", Color: colour(black), Style: 1}}
	case "number":
		s.CustomNumFmt = &all[1]
		s.Alignment = &excelize.Alignment{Vertical: "top", Horizontal: "right"}
	}
	if slices.Contains(all, "right") {
		s.Alignment.Horizontal = "right"
	}
	if slices.Contains(all, "mark") {
		s.Font.Bold = true
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{colour(tint)}}
	}
	id, err := b.NewStyle(&s)
	b.note(err)
	if err == nil && slices.Contains(all, "text") {
		// What Excel itself marks a text with that was typed with an apostrophe
		// before it: it stays a text when somebody edits the cell.
		quoted := true
		looks := b.Styles.CellXfs.Xf[id]
		looks.QuotePrefix = &quoted
		b.Styles.CellXfs.Xf = append(b.Styles.CellXfs.Xf, looks)
		b.Styles.CellXfs.Count = len(b.Styles.CellXfs.Xf)
		id = len(b.Styles.CellXfs.Xf) - 1
	}
	b.styles[words] = id
	return id
}

func colour(c [3]int) string { return fmt.Sprintf("%02X%02X%02X", c[0], c[1], c[2]) }
