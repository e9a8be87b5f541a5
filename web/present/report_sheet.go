package present

import (
	"cmp"

	"lockstep/sizing/report"
	"lockstep/views/locale"
)

// sheetOf is the sheet of a saved report in a language: the one that is frozen
// or, for a report of an earlier program, one that is made from its figures and
// its frozen sentences.
func sheetOf(l locale.Locale, saved report.Report) report.Sheet {
	d := saved.Content
	if sheet, frozen := d.Sheets[l.Lang()]; frozen {
		sheet.Labels.Grid = cmp.Or(sheet.Labels.Grid, gridLabels(l))
		sheet.Labels.Seller = cmp.Or(sheet.Labels.Seller, l.T("report.seller"))
		sheet.Labels.Contact = cmp.Or(sheet.Labels.Contact, l.T("report.contact"))
		sheet.Labels.Logo = cmp.Or(sheet.Labels.Logo, l.T("report.logo"))
		return sheet
	}
	d.Made = reportTime(saved)
	return ReportSheet(l, d)
}

// ReportSheet makes the sheet of a document that has its figures and its words.
func ReportSheet(l locale.Locale, d report.Document) report.Sheet {
	return sizeSheet(l, d)
}

// sheetLabels name what stands on a cover. What is in braces is filled in when
// the report has its number.
func sheetLabels(l locale.Locale, d report.Document) report.Labels {
	return report.Labels{
		Customer: l.T("report.customer"), Author: l.T("report.author"), Date: l.T("report.date"), Valid: l.T("report.valid"),
		Number:  l.T("report.number"),
		Edition: l.T("report.number.version", locale.Values{"Number": "{number}", "Version": "{version}"}),
		Foot:    l.T("report.foot", locale.Values{"Engine": d.Engine}),
		Missing: l.T("report.glyphs"), Grid: gridLabels(l),
		Seller: l.T("report.seller"), Contact: l.T("report.contact"), Logo: l.T("report.logo"),
	}
}

// gridLabels name what a workbook has beside a sheet's own words.
func gridLabels(l locale.Locale) report.GridLabels {
	return report.GridLabels{
		Cover: l.T("report.grid.cover"), Item: l.T("report.column.name"), Value: l.T("report.column.value"), Unit: l.T("report.grid.unit"),
		Low: l.T("report.grid.low"), High: l.T("report.grid.high"), Note: l.T("report.grid.note"),
	}
}

// sheetBlocks puts a sheet together.
type sheetBlocks []report.Block

func (s *sheetBlocks) add(b report.Block) { *s = append(*s, b) }

func (s *sheetBlocks) heading(key, text, sub string) {
	s.add(report.Block{Kind: report.Heading, Key: key, Text: text, Sub: sub})
}

func (s *sheetBlocks) text(key, text string) {
	if text != "" {
		s.add(report.Block{Kind: report.Text, Key: key, Text: text})
	}
}

func (s *sheetBlocks) note(key, text string) {
	s.add(report.Block{Kind: report.Note, Key: key, Text: text})
}

func (s *sheetBlocks) list(key string, ordered bool, items []string) {
	if len(items) > 0 {
		s.add(report.Block{Kind: report.List, Key: key, Ordered: ordered, Items: items})
	}
}

func (s *sheetBlocks) table(key string, t report.Table) {
	if len(t.Rows) > 0 {
		s.add(report.Block{Kind: report.Grid, Key: key, Table: &t})
	}
}

func (s *sheetBlocks) chart(key string, c report.Chart) {
	s.add(report.Block{Kind: report.Graph, Key: key, Chart: &c})
}
