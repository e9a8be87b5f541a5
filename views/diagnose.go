package views

// Diagnose is the page that says what benchmark logs show.
type Diagnose struct {
	Page        Page
	Action      string // where the form goes: this page
	MachinesURL string // what is kept already

	Lead    []string // what can be brought; for a page without results
	Samples []LessonLink

	Text      string
	TextWrong []string
	Kept      []DiagnoseKept
	FileHint  string
	FileWrong []string
	Fields    []DiagnoseField
	Stated    bool // something is stated or asked for: that part of the form is open

	Verdict DiagnoseVerdict // empty without results
	Index   []DiagnoseEntry // of several tables
	Tables  []DiagnoseTable
	More    string // tables that are not shown
	Keep    *DiagnoseKeep
}

// DiagnoseKeep keeps logs of a system under a name, and shows what that changes.
type DiagnoseKeep struct {
	Name    string
	Wrong   []string
	Done    string // empty while nothing was kept
	Command Command
	Rows    []DiagnoseCompared
	// MachinesURL leads to all that are kept; empty while nothing was.
	MachinesURL string
}

// DiagnoseCompared is a row of a kept log beside predictions before and after.
type DiagnoseCompared struct {
	What, Size, Measured, Before, BeforeOff, After, AfterOff string
}

// DiagnoseKept is a file of the page before, which goes along with the form.
type DiagnoseKept struct {
	Name, Size, Keep string // Keep is the name of its box
	Text             string
}

// DiagnoseField is something that can be stated, a choice where it has options.
type DiagnoseField struct {
	Name, Label, Value, Hint string
	Wrong                    []string
	Asked                    bool // a log lacks it
	Wide                     bool
	Options                  []StoryOption
}

// DiagnoseVerdict is a conclusion: ok, bad, or off for none yet.
type DiagnoseVerdict struct{ Kind, Word, Text, Next string }

// DiagnoseEntry is a table in the index.
type DiagnoseEntry struct {
	URL, Name, What string
	Status          Status
	Reached, Share  string
}

// DiagnoseTable is one table of a log.
type DiagnoseTable struct {
	ID, Name  string
	Verdict   DiagnoseVerdict
	Facts     []DiagnoseFact
	Taken     string // what it was compared with
	Notes     []string
	Chart     StoryChart
	ChartName string
	ChartSays string
	Findings  []DiagnoseFinding
	Minor     []DiagnoseFinding // good to know
	Rows      []DiagnoseRow
	RowsSays  string
	InPlace   bool // rows have a second half
	Band      bool // rows have an expected range
}

// DiagnoseFact is something that is known of a table, and how if that is not by
// the log.
type DiagnoseFact struct{ Name, Value, Note string }

// DiagnoseFinding is something that a log shows.
type DiagnoseFinding struct {
	Kind, Word                    string
	Title, Means, Evidence, Check string
	Quotes                        []DiagnoseQuote
	Commands                      []Command
	Lesson                        LessonLink // empty for none
}

// DiagnoseQuote is a line of the log.
type DiagnoseQuote struct{ Line, Text string }

// DiagnoseRow is a size.
type DiagnoseRow struct {
	Size, Count string
	Out, In     DiagnoseHalf
	Expected    string
}

// DiagnoseHalf is a measurement.
type DiagnoseHalf struct{ Time, Alg, Bus, Wrong string }
