package views

// Sheet is a report as it is read, in its own language.
type Sheet struct {
	Tag    string // of the language
	Title  string
	Who    string // what was asked, in a line
	Facts  []Fact
	Notes  []string // lines
	Blocks []SheetBlock
	Foot   string

	Logo     string // its URL; empty for none
	LogoName string
}

// SheetBlock is a part of a sheet. Kind says which of the fields it has:
// heading, text, note, list, figures, table or chart.
type SheetBlock struct {
	Kind    string
	Text    string
	Sub     string
	Items   []string
	Ordered bool
	Figures []SizeFigure
	Table   SheetTable
	Chart   SizeChart
}

// SheetTable is a table; its wide cells stand below their row.
type SheetTable struct {
	Name    string // for those who do not see it
	Columns []SheetColumn
	Rows    []SheetRow
}

// SheetColumn is the head of a column.
type SheetColumn struct {
	Name   string
	Number bool
}

// SheetRow is a row with what stands below it.
type SheetRow struct {
	Mark  bool
	Cells []SheetCell
	Below []string // lines
}

// SheetCell is a cell.
type SheetCell struct {
	Text   string
	Number bool
}

// SharedReport is a report for whoever has its link.
type SharedReport struct {
	Page    Page
	Files   []ReportFile
	Expired string // says that it no longer holds; empty while it does
	Sheet   Sheet
}

// ReportFile leads to a report as a file, or to the same in another language.
type ReportFile struct {
	Name string
	URL  string
	Lang string // of the name, where it is not the page's; empty for most
}

// SheetFile is a report as one HTML file.
type SheetFile struct {
	Title string
	Style string // what its style sheets hold
	Sheet Sheet
}
