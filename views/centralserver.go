package views

// CentralServer is the article's argument against the central server: what a
// step costs, and from how many workers on it no longer pays.
type CentralServer struct {
	Page   Page
	Action string // where the form goes
	Reset  string // the same page with the article's own figures
	Fields []StoryField
	Back   StorySwitch

	Say     string // the conclusion
	Figures []StoryFigure

	Axis      StoryChart // both algorithms on one axis of time
	Slope     StoryChart // time over workers
	SlopeSays string
	Speed     StoryChart // speed-up over workers
	SpeedSays string
	Fabrics   []StoryFabric

	Measured *StoryMeasured // nil for nothing measured

	RaceURL string
	Steps   []string // the argument, a sentence each
	Asked   []string // what was asked for and does not exist
	Notes   []string // what is left out, where figures come from
}

// StoryField is an input of the form with its unit. With options it is a
// choice.
type StoryField struct {
	Name, Label, Unit, Hint string
	Value                   string
	Wrong                   string // what was not understood or not possible, empty for nothing
	Min, Max, Step          string // of the slider, empty for none
	Options                 []StoryOption
}

// StoryOption is an entry of a choice.
type StoryOption struct {
	Value, Name string
	Chosen      bool
}

// StorySwitch is a check box.
type StorySwitch struct {
	Name, Label string
	On          bool
}

// StoryFigure is a number with its unit and where it comes from.
type StoryFigure struct {
	Label, Number, Unit, Formula string
	Accent                       bool
}

// StoryChart is a drawing in two widths.
type StoryChart struct {
	Wide, Narrow string // SVG
}

// StoryFabric is a row of the table of fabrics.
type StoryFabric struct {
	Name    string
	Current bool // the one that the form has
	OneWay  StoryPeak
	Both    StoryPeak
	Ring    string
}

// StoryPeak says how many workers are best and how many are too many.
type StoryPeak struct{ Best, Speed, Slower string }

// StoryMeasured is the argument as real links have shown it.
type StoryMeasured struct {
	Says  string // what was measured, where and when
	Chart StoryChart
	Rows  []StoryMeasuredRow
}

// StoryMeasuredRow is one point of it.
type StoryMeasuredRow struct {
	Algorithm, Workers, Time, Predicted, Off string
}
