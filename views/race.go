package views

// Race is two algorithms for one collective on one axis of time, at one
// moment.
type Race struct {
	Page       Page
	Title      string
	Action     string // where both forms go
	PresentURL string
	LeaveURL   string // out of the presenter's view
	Notes      []string

	Collectives []StoryOption // empty where there is one
	A, B        []StoryOption
	Networks    []StoryOption
	Ranks       string
	Size        string       // empty where there is no data
	SizeName    string       // what it is the size of
	Chunks      string       // into how many pieces both cut; empty for as many as each does by itself
	Cuts        bool         // something can be cut
	Root        string       // empty where there is none
	PerNode     string       // ranks in a node; empty where nobody looks at nodes
	Keep        []RaceHidden // what the forms carry along

	SwapURL        string // the two the other way round
	CollectiveURL  string // to the page of the collective
	CollectiveName string

	Say     string   // the conclusion
	Lead    RaceText // who is ahead at this moment
	Stages  []RaceStage
	Lanes   StoryChart
	Player  RacePlayer
	Figures []RaceFigure
	Ratio   string

	Cross RaceCross
	Which Which
	Fine  []string // what is left out

	Table any // everything that moves, for the script
}

// RaceHidden is a field of a form that nobody sees.
type RaceHidden struct{ Name, Value string }

// RaceStage is one of the two.
type RaceStage struct {
	Name, Other, OtherTag string
	Line                  RaceText // what goes on at this moment
	Done                  RaceText // that it is over
	Picture               string   // SVG
	Narrow                string   // the same for a phone
	LessonURL             string   // empty for none
}

// RaceText is a text that changes with the clock.
type RaceText struct{ Key, Class, Text string }

// RacePlayer is the clock with what moves it.
type RacePlayer struct {
	Now, End string // as printed
	At, Full string // as numbers
	Keep     []RaceHidden
	Jumps    []RaceJump
	FirstURL string
	LastURL  string
	Pace     string // what a second of playing stands for, empty for a second
	Speeds   []StoryOption
}

// RaceJump leads to a moment.
type RaceJump struct {
	Name, URL, At string
	Current       bool
}

// RaceFigure is a time with the terms that it is made of.
type RaceFigure struct {
	Label, Number, Unit string
	Formulas            []string
	Accent              bool
}

// RaceCross is the chart of both times over the size of the data, with a line
// at the size that can be moved.
type RaceCross struct {
	Title   string
	Picture string // SVG, empty where there is no size
	Says    string // where the two meet, or why they never do
	Jumps   []RaceJump
	Action  string
	Keep    []RaceHidden
	Slider  RaceSlider
	Table   RaceCrossTable
}

// RaceSlider is a range input that moves the line from stop to stop.
type RaceSlider struct{ Low, High, At, Says string }

// RaceCrossTable is where the line is at every stop, for the script.
type RaceCrossTable struct {
	Low    int      `json:"low"`    // the slider's value at the first stop
	Sides  [][3]any `json:"sides"`  // x, y and anchor of a word beside its dot
	Places [][]any  `json:"places"` // x, middle of the word, word; for each dot its y, an index of a side, its word
	Says   []string `json:"says"`
	Sizes  []string `json:"sizes"` // as an address says them
}
