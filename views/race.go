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
	Root        string       // empty where there is none
	PerNode     string       // ranks in a node; empty where nobody looks at nodes
	Keep        []RaceHidden // what the forms carry along

	Say     string // the conclusion
	Stages  []RaceStage
	Lanes   StoryChart
	Player  RacePlayer
	Figures []RaceFigure
	Ratio   string

	CrossTitle string
	Cross      string // SVG, empty where the two never meet
	CrossSays  string
	Fine       []string // what is left out

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
