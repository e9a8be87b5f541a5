package report

// Sheet is a report as it is read in one language: its words and figures, block
// by block, in their order. Everything that shows or exports a report shows a
// sheet, and computes nothing.
type Sheet struct {
	Setting string  `json:"setting"` // what was asked, in one line
	Labels  Labels  `json:"labels"`
	Blocks  []Block `json:"blocks"`
}

// Labels name what stands on the cover. In Edition, {number} and {version}
// stand for the report's own, in Lead for a page's, {page} and {pages}.
type Labels struct {
	Customer string `json:"customer"`
	Author   string `json:"author"`
	Date     string `json:"date"`
	Valid    string `json:"valid"` // until
	Number   string `json:"number"`
	Edition  string `json:"edition"`
	Foot     string `json:"foot"` // of each page
	Missing  string `json:"missing"`

	// None of these before format 4.
	Seller  string     `json:"seller,omitempty"`
	Contact string     `json:"contact,omitempty"`
	Logo    string     `json:"logo,omitempty"` // what a logo is to those who do not see it
	Grid    GridLabels `json:"grid,omitzero"`
}

// GridLabels name what a workbook has beside the sheet's own words: its first
// sheet, and the columns of figures.
type GridLabels struct {
	Cover string `json:"cover"`
	Item  string `json:"item"`
	Value string `json:"value"`
	Unit  string `json:"unit"`
	Low   string `json:"low"`
	High  string `json:"high"`
	Note  string `json:"note"`
}

// Kind is what a block is.
type Kind string

// The kinds of blocks, with the fields that each has beside Key.
const (
	Heading Kind = "heading" // Text, Sub
	Text    Kind = "text"    // Text
	List    Kind = "list"    // Items; Ordered
	Figures Kind = "figures" // Figures
	Grid    Kind = "table"   // Table
	Graph   Kind = "chart"   // Chart
	Note    Kind = "note"    // Text: a doubt or a warning
)

// Block is a part of a sheet. Key names it the same in every language and in
// every version of a report, so that two can be compared.
type Block struct {
	Kind    Kind     `json:"kind"`
	Key     string   `json:"key"`
	Text    string   `json:"text,omitempty"`
	Sub     string   `json:"sub,omitempty"`
	Items   []string `json:"items,omitempty"`
	Ordered bool     `json:"ordered,omitempty"`
	Figures []Figure `json:"figures,omitempty"`
	Table   *Table   `json:"table,omitempty"`
	Chart   *Chart   `json:"chart,omitempty"`
}

// Cell is a value as it is read and, where it is a quantity, as a number of
// its Unit. Low and High are the interval that it stands in, where it has one.
type Cell struct {
	Text   string   `json:"text"`
	Number *float64 `json:"number,omitempty"`
	Unit   string   `json:"unit,omitempty"` // of Number: s, B, B/s, token/s, % or empty for a count or a ratio
	Low    *float64 `json:"low,omitempty"`
	High   *float64 `json:"high,omitempty"`
}

// Said is a cell without a number.
func Said(text string) Cell { return Cell{Text: text} }

// Quantity is a cell that reads text and is v of a unit.
func Quantity(text string, v float64, unit string) Cell {
	return Cell{Text: text, Number: &v, Unit: unit}
}

// Between is the cell with the interval that its number stands in, of its unit.
func (c Cell) Between(low, high float64) Cell {
	c.Low, c.High = &low, &high
	return c
}

// Figure is a number that stands out.
type Figure struct {
	Label string `json:"label"`
	Value Cell   `json:"value"`
	Note  string `json:"note,omitempty"` // its interval and grade
}

// Table has as many cells in each row as it has columns. The first cell names
// the row.
type Table struct {
	Caption string   `json:"caption,omitempty"`
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Column is a column of a table.
type Column struct {
	Name    string `json:"name"`
	Number  bool   `json:"number,omitempty"`  // its cells are quantities, and stand at the right
	Formula bool   `json:"formula,omitempty"` // its cells are formulas
	Wide    bool   `json:"wide,omitempty"`    // its cells are long: where a line is short they stand below the row
}

// Row is a row of a table.
type Row struct {
	Cells []Cell `json:"cells"`
	Mark  bool   `json:"mark,omitempty"` // the one that the report is about
}

// Chart is a drawing as data: bars, or lines over two axes.
type Chart struct {
	Title   string `json:"title"`
	Caption string `json:"caption,omitempty"`
	Unit    string `json:"unit"` // of lengths and of heights: s, %, B, or empty for a ratio
	Legend  []Key  `json:"legend,omitempty"`
	Bars    []Bar  `json:"bars,omitempty"`
	Across  string `json:"across,omitempty"` // what lines run over
	Up      string `json:"up,omitempty"`     // what they say
	Lines   []Line `json:"lines,omitempty"`
	Marks   []Mark `json:"marks,omitempty"`
}

// Tone is what a piece of a bar stands for: compute, comm, hidden, bubble,
// latency or paper.
type Tone string

// Key says what a tone stands for.
type Key struct {
	Tone Tone   `json:"tone"`
	Name string `json:"name"`
}

// Bar is a row of pieces from zero on.
type Bar struct {
	Name   string  `json:"name,omitempty"`
	Pieces []Piece `json:"pieces"`
	Figure string  `json:"figure,omitempty"`
}

// Piece is a part of a bar.
type Piece struct {
	Tone   Tone    `json:"tone"`
	Length float64 `json:"length"`
	Label  string  `json:"label,omitempty"`
}

// Line is a line of a chart.
type Line struct {
	Name   string       `json:"name"`
	Ink    string       `json:"ink"`    // accent, dashed, thin or dotted
	Points [][2]float64 `json:"points"` // across, up
}

// Mark is a point of a chart that is worth its words.
type Mark struct {
	At   [2]float64 `json:"at"`
	Ink  string     `json:"ink"`
	Name string     `json:"name"`
}
