package views

import "encoding/json"

// Run is the page of one run: waiting, running or ended.
type Run struct {
	Page    Page
	Title   string
	Meta    string
	State   Status // in one line: how it stands, and where
	Live    *RunLive
	Cancel  *RunAction
	Again   *RunForm // the same once more; nil until the run has ended
	Blame   *RunBlame
	Notice  string   // a plain callout; empty for none
	Lags    []string // what the slow ranks of a run under way do to it
	Grid    *RunGrid
	Steps   *RunChart
	Port    *RunChart
	Band    *RunChart
	Waits   *RunWaits
	Waited  *RunWaited
	Figures []RunFigure
	FigNote string
	Done    RunProgress
	Facts   []Fact
	Doubts  []string
	Lab     *RunLab
	ListURL string
}

// RunLive is what a script needs to follow the run.
type RunLive struct {
	Socket string          // URL
	Poll   string          // URL
	Table  json.RawMessage // see static/js/run.js
}

// RunAction is a form of one button.
type RunAction struct {
	URL    string
	Label  string
	Fields []RunField
}

// RunField is a hidden field.
type RunField struct{ Name, Value string }

// RunForm sends the same request once more, and leads to the form to change it.
type RunForm struct {
	Action RunAction
	Change string // URL of the form, filled in
}

// RunGrid is who has what.
type RunGrid struct {
	Title   string
	Sub     string
	SVG     string
	Narrow  string // the same for a phone; empty where there is one drawing only
	Legend  []RunKey
	Replay  *RunReplay // nil while the run has not ended
	Note    string     // instead of the drawing, where there is none
	Swipe   string     // how to see it all on a phone; empty where it fits
	Stopped bool
}

// RunKey is an entry of a legend.
type RunKey struct {
	Shape string // see runLegend
	Word  string
	Only  string // OnWide or OnNarrow where it belongs to one of two drawings; else empty
}

// Which of two drawings of the same a part belongs to.
const (
	OnWide   = "on-wide"
	OnNarrow = "on-narrow"
)

// RunReplay is the player of a trace.
type RunReplay struct {
	First, Prev, Next, Last string // URLs; empty where there is nowhere to go
	Text                    string
	At, Steps               int
}

// RunChart is a drawing with its head.
type RunChart struct {
	Title  string
	Sub    string
	SVG    string
	Legend []RunKey
	Note   string
}

// RunFigure is a number with its unit.
type RunFigure struct {
	Label string
	Value string
	Unit  string
	Note  string
}

// RunProgress says how far the run is.
type RunProgress struct {
	Title string
	Text  string
	Share string // of a hundred
	Now   bool   // it moves
}

// RunWaits says who waits for whom at this moment.
type RunWaits struct {
	Title string
	Sum   string   // that nobody waits, or for whom all do in the end; empty for neither
	Lines []string // a place for each line; empty where there is nothing to say
	Most  bool     // there may be more than have a place
	More  string   // how many there are more; empty for none
}

// RunWaited says how long each rank has waited in all.
type RunWaited struct {
	Title, Sub, Note string
	Rows             []RunWaitedRow
	More             string // empty for none
}

// RunWaitedRow is one rank's waiting.
type RunWaitedRow struct {
	Rank, Time, Percent, For string
	Share                    string // of a hundred
}

// RunBlame says why a run failed.
type RunBlame struct {
	Verdict  string
	Why      string
	Graph    string // SVG, empty where nobody waits
	Tall     string // the same for a phone
	What     []string
	Todo     []RunTodo
	Evidence []RunEvidence
}

// RunTodo is something to do next.
type RunTodo struct {
	Text    string
	Command Command // may be empty
}

// RunEvidence is something that was seen.
type RunEvidence struct {
	When, What string
	Verbatim   string // in the program's or the system's own words, English; empty for none
}

// RunLab holds buttons that disturb a run, to see what happens.
type RunLab struct {
	URL   string
	Pick  []RunField // the ranks to pick from, where there are too many for a row each
	Ranks []RunLabRank
}

// RunLabRank is the buttons of one rank.
type RunLabRank struct {
	Rank    string
	Name    string
	Signals []RunSignal
}

// RunSignal is one of them.
type RunSignal struct{ Value, Label, Name string }
