package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/xuri/excelize/v2"
)

// xlsxText is a text that stands across the columns of a sheet from one on.
type xlsxText struct {
	row, column int
	text, style string
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

// hold counts a cell among those that its column is as wide as.
func (b *book) hold(column int, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		b.held[column] = max(b.held[column], long(line))
	}
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
