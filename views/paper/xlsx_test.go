package paper

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"lockstep/sizing/report"
)

// workbook writes a report and reads it again.
func workbook(t *testing.T, r report.Report, s report.Sheet) *excelize.File {
	t.Helper()
	file, err := XLSX(r, s, "zh-CN")
	if err != nil {
		t.Fatal(err)
	}
	again, err := XLSX(r, s, "zh-CN")
	if err != nil || !bytes.Equal(file, again) {
		t.Errorf("the file differs when it is written again (%v)", err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close() })
	return book
}

// found is where a sheet has a text.
func found(t *testing.T, book *excelize.File, sheet, text string) (column, row int) {
	t.Helper()
	at, err := book.SearchSheet(sheet, text)
	if err != nil || len(at) == 0 {
		t.Fatalf("%q is not on the sheet %q (%v)", text, sheet, err)
	}
	column, row, err = excelize.CellNameToCoordinates(at[0])
	if err != nil {
		t.Fatal(err)
	}
	return column, row
}

func TestXLSXHasACoverAndASheetASection(t *testing.T) {
	r, s := sample()
	s.Labels.Grid = report.GridLabels{Cover: "封面", Item: "项目", Value: "取值", Unit: "单位", Low: "下限", High: "上限", Note: "说明"}
	number := 2.16
	s.Blocks[2].Figures[0].Value = report.Cell{Text: "2.16 s", Number: &number, Unit: "s"}.Between(1.8, 2.6)
	// The last blocks stand under headings of their own, one of a name that no
	// sheet may have.
	blocks := slices.Clone(s.Blocks)
	s.Blocks = append(slices.Clone(blocks[:6]), report.Block{Kind: report.Heading, Key: "algorithms", Text: "算法：快/慢？[全部]" + strings.Repeat("很长", 20)}, blocks[6],
		report.Block{Kind: report.Heading, Key: "made", Text: "'封面'"}, blocks[7])
	book := workbook(t, r, s)
	sheets := book.GetSheetList()
	if len(sheets) != 5 || sheets[0] != "封面" || !strings.HasPrefix(sheets[1], "算法：快 慢？ 全部") || sheets[2] != "封面 2" || sheets[3] != "一步的构成" || sheets[4] != "通信用时" {
		t.Fatalf("sheets are %q", sheets)
	}
	for _, text := range []string{"某公司 <b>*估算*", "上海某某科技有限公司", "LS-0007，第 2 版", "第二行", "要留意"} {
		found(t, book, "封面", text)
	}
	_, row := found(t, book, "封面", "环形")
	for column, want := range map[string]string{"B": "2.16", "C": "s", "D": "1.8", "E": "2.6", "F": "1.8–2.6 s"} {
		if got, err := book.GetCellValue("封面", column+strconv.Itoa(row), excelize.Options{RawCellValue: true}); err != nil || got != want {
			t.Errorf("the figure's %s is %q, want %q (%v)", column, got, want, err)
		}
	}
	column, head := found(t, book, sheets[1], "用时（s）")
	at, _ := excelize.CoordinatesToCellName(column, head+1)
	if kind, err := book.GetCellType(sheets[1], at); err != nil || kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber {
		t.Errorf("%s is no number but %v (%v)", at, kind, err)
	}
	if got, _ := book.GetCellValue(sheets[1], at); got != "2.160" {
		t.Errorf("%s reads %q", at, got)
	}
	if width, err := book.GetColWidth(sheets[1], "A"); err != nil || width < 15 || width > widest {
		t.Errorf("the first column is %g wide (%v)", width, err)
	}
}

// What people have written is text, whatever it begins with, and stays so when
// somebody edits its cell.
func TestXLSXHasNoFormulas(t *testing.T) {
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "=cmd|'/c calc'!A0", "\t=1", `=HYPERLINK("http://x","y")`} {
		r, s := sample()
		r.Cover.Title, r.Cover.Customer, r.Cover.Notes = text, text, text
		s.Labels.Grid.Cover = text
		for i := range s.Blocks {
			if s.Blocks[i].Kind == report.List {
				s.Blocks[i].Ordered, s.Blocks[i].Items = false, []string{text}
			}
		}
		book := workbook(t, r, s)
		cells := 0
		for _, sheet := range book.GetSheetList() {
			rows, err := book.GetRows(sheet)
			if err != nil {
				t.Fatal(err)
			}
			for y, row := range rows {
				for x, value := range row {
					at, _ := excelize.CoordinatesToCellName(x+1, y+1)
					if formula, err := book.GetCellFormula(sheet, at); err != nil || formula != "" {
						t.Errorf("%s of %s is a formula: %s (%v)", at, sheet, formula, err)
					}
					if link, target, _ := book.GetCellHyperLink(sheet, at); link {
						t.Errorf("%s of %s leads to %s", at, sheet, target)
					}
					if value != text {
						continue
					}
					cells++
					kind, _ := book.GetCellType(sheet, at)
					id, _ := book.GetCellStyle(sheet, at)
					if quoted := book.Styles.CellXfs.Xf[id].QuotePrefix; kind != excelize.CellTypeSharedString || quoted == nil || !*quoted {
						t.Errorf("%s of %s is %v, marked %v", at, sheet, kind, quoted)
					}
				}
			}
		}
		if cells < 4 {
			t.Errorf("%q stands in %d cells", text, cells)
		}
	}
}

// Numbers show four digits, in the unit that their largest reads best in.
func TestXLSXNumbersReadWell(t *testing.T) {
	for v, want := range map[float64]string{0: "#,##0", 24: "#,##0", 24.79: "#,##0.00", 1234.5: "#,##0", 0.5612: "#,##0.0000", 1e-12: "#,##0.000000000"} {
		if got := digits(v, false); got != want {
			t.Errorf("%g has the format %s, want %s", v, got, want)
		}
	}
	if got := digits(0.08522, true); got != "#,##0.00%" {
		t.Errorf("a share has the format %s", got)
	}
	for _, c := range []struct {
		unit    string
		largest float64
		want    string
	}{{"s", 61, "s"}, {"s", 0.02, "ms"}, {"s", 3e-6, "µs"}, {"s", 0, "s"}, {"B", 2e9, "GB"}, {"B/s", 4e11, "GB/s"}, {"B", 12, "B"}, {"", 5e9, ""}, {"%", 12, ""}, {"token/s", 1e6, "token/s"}} {
		if got := scaled(c.unit, c.largest); got.name != c.want {
			t.Errorf("%g %s are written in %s, want %s", c.largest, c.unit, got.name, c.want)
		}
	}
}
