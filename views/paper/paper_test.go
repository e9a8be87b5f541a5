package paper

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/sizing/report"
)

// sample is a report with every kind of block.
func sample() (report.Report, report.Sheet) {
	columns := []report.Column{{Name: "算法"}, {Name: "用时", Number: true}, {Name: "公式", Formula: true, Wide: true}}
	rows := []report.Row{{Mark: true, Cells: []report.Cell{report.Said("环形"), report.Quantity("2.16 s", 2.16, "s"), report.Said("2(n−1)/n·S/B = 2.16 s")}}}
	for range 60 { // over a page
		rows = append(rows, report.Row{Cells: []report.Cell{report.Said("=cmd|'/c calc'!A0"), report.Quantity("21.6 s", 21.6, "s"), report.Said("")}})
	}
	s := report.Sheet{
		Setting: "300,000,000 个参数", Labels: report.Labels{Customer: "客户", Author: "编制", Date: "日期", Valid: "有效至", Number: "编号", Edition: "{number}，第 {version} 版", Foot: "公式估算", Missing: "有些字印成了 □"},
		Blocks: []report.Block{
			{Kind: report.Heading, Key: "conclusions", Text: "结论", Sub: "一句话"},
			{Kind: report.List, Key: "conclusions", Ordered: true, Items: []string{"环形全规约只要 2.16 s。" + strings.Repeat("很长的一句话，", 30)}},
			{Kind: report.Figures, Key: "figures", Figures: []report.Figure{{Label: "环形", Value: report.Said("2.16 s"), Note: "1.8–2.6 s"}}},
			{Kind: report.Note, Key: "doubts", Text: "要留意"},
			{Kind: report.Graph, Key: "bar", Chart: &report.Chart{
				Title: "一步的构成", Unit: "s", Legend: []report.Key{{Tone: "compute", Name: "计算"}, {Tone: "comm", Name: "外露通信"}},
				Bars: []report.Bar{{Name: "现在", Figure: "3 s", Pieces: []report.Piece{{Tone: "compute", Length: 2, Label: "2 s"}, {Tone: "comm", Length: 1, Label: "1 s"}}}},
			}},
			{Kind: report.Graph, Key: "lines", Chart: &report.Chart{
				Title: "通信用时", Unit: "s", Across: "节点", Up: "用时",
				Lines: []report.Line{{Name: "环形", Ink: "accent", Points: [][2]float64{{1, 0}, {10, 2.16}}}}, Marks: []report.Mark{{At: [2]float64{10, 2.16}, Ink: "accent", Name: "2.16 s"}},
			}},
			{Kind: report.Grid, Key: "algorithms", Table: &report.Table{Columns: columns, Rows: rows}},
			{Kind: report.Text, Key: "made", Text: "完"},
		},
	}
	return report.Report{ID: "0007", Version: 2, Saved: time.Date(2026, 12, 2, 8, 0, 0, 0, time.UTC), Cover: report.Cover{Title: "某公司 <b>*估算*", Customer: "上海某某科技有限公司", Valid: "2027-03-01", Notes: "第一行\n第二行"}}, s
}

func TestFilesAreTheSameBytesEachTime(t *testing.T) {
	r, s := sample()
	write := func() [][]byte {
		pdf, err := PDF(r, s, "zh-CN")
		if err != nil {
			t.Fatal(err)
		}
		csv, err := CSV(r, s)
		if err != nil {
			t.Fatal(err)
		}
		return [][]byte{pdf, csv, Markdown(r, s)}
	}
	first, second := write(), write()
	for i := range first {
		if !bytes.Equal(first[i], second[i]) {
			t.Errorf("file %d differs when it is written again", i)
		}
	}
}

func TestMarkdownIsText(t *testing.T) {
	r, s := sample()
	text := string(Markdown(r, s))
	for _, want := range []string{"# 某公司 &lt;b>\\*估算\\*\n", "- 编号: LS-0007，第 2 版", "1. 环形全规约只要 2.16 s。", "| 环形 | 2.16 s | 2(n−1)/n·S/B = 2.16 s |", "| 现在 | 2 s | 1 s |", "> 要留意"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestCSVHasNumbersAndNoFormulas(t *testing.T) {
	r, s := sample()
	file, err := CSV(r, s)
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	for _, want := range []string{"\ufeff某公司", "算法,用时,用时 s,公式\r\n", "环形,2.16 s,2.16,", "'=cmd|"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\n=cmd") {
		t.Error("a cell is a formula")
	}
}

// TestPDFKeepsHeadingsWithTheirTables: wherever on a page a heading falls, what
// it is of begins on that page.
func TestPDFKeepsHeadingsWithTheirTables(t *testing.T) {
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("no pdftotext here (package poppler-utils)")
	}
	r, _ := sample()
	for lines := range 12 {
		s := report.Sheet{}
		for range 38 + lines {
			s.Blocks = append(s.Blocks, report.Block{Kind: report.Text, Text: "line"})
		}
		s.Blocks = append(s.Blocks, report.Block{Kind: report.Heading, Text: "Heading", Sub: "what it is"}, report.Block{Kind: report.Text, Text: "Sentence"},
			report.Block{Kind: report.Grid, Table: &report.Table{Columns: []report.Column{{Name: "Name"}, {Name: "Formula", Wide: true}}, Rows: []report.Row{
				{Cells: []report.Cell{report.Said("First"), report.Said("a\nb\nc")}}, {Cells: []report.Cell{report.Said("Second"), report.Said("d")}},
			}}})
		file, err := PDF(r, s, "en")
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(t.TempDir(), "report.pdf")
		if err := os.WriteFile(at, file, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), program, "-layout", at, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		for page := range strings.SplitSeq(string(out), "\f") {
			if has := strings.Contains(page, "Heading"); has != strings.Contains(page, "Sentence") || has != strings.Contains(page, "First") {
				t.Errorf("after %d lines a page reads\n%s", 38+lines, page)
			}
		}
	}
}

// A logo stands on the first page, and its pixels are all there is of it.
func TestFilesCarryTheLogo(t *testing.T) {
	r, s := sample()
	without, err := PDF(r, s, "en")
	if err != nil {
		t.Fatal(err)
	}
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewNRGBA(image.Rect(0, 0, 480, 150))); err != nil {
		t.Fatal(err)
	}
	r.Cover.Logo, r.Cover.Seller, r.Cover.Contact = logo.Bytes(), "星河", "a@b"
	s.Labels.Seller, s.Labels.Contact, s.Labels.Grid.Cover = "出具方", "联系方式", "封面"
	with, err := PDF(r, s, "en")
	if err != nil {
		t.Fatal(err)
	}
	if image := []byte("/Subtype /Image"); bytes.Contains(without, image) || !bytes.Contains(with, image) {
		t.Error("the PDF does not have the logo where there is one")
	}
	if text := string(Markdown(r, s)); !strings.Contains(text, "- 出具方: 星河\n- 联系方式: a@b\n") {
		t.Errorf("the seller is not in\n%s", text)
	}
	book := workbook(t, r, s)
	if pictures, err := book.GetPictures("封面", "A1"); err != nil || len(pictures) != 1 || !bytes.Equal(pictures[0].File, logo.Bytes()) {
		t.Errorf("%d pictures on the cover (%v)", len(pictures), err)
	}
	found(t, book, "封面", "星河")
}

// TestPDFCanBeReadAgain by the program that others find text in it with.
func TestPDFCanBeReadAgain(t *testing.T) {
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("no pdftotext here (package poppler-utils)")
	}
	r, s := sample()
	r.Cover.Customer = "某𠀋公司" // beyond every common font
	file, err := PDF(r, s, "zh-CN")
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "report.pdf")
	if err := os.WriteFile(at, file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "-layout", at, "-").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"某公司", "某□公司", "环形全规约只要 2.16 s。", "一步的构成", "LS-0007，第 2 版", "有些字印成了 □", "3/3"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}
