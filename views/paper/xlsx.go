package paper

import (
	"cmp"
	"fmt"
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
