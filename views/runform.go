package views

// NewRun is the form that starts a run.
type NewRun struct {
	Page       Page
	URL        string // where the form goes
	PreviewURL string
	Notes      []string // what was changed in the values that came along
	Wrong      string   // what is wrong with the whole; empty for nothing
	Pairs      []Pair
	Backend    *RunBackend // nil where there is nothing to choose
	Where      *RunWhere   // nil where there is this machine alone
	Ranks      Field
	Size       Field
	Root       Field
	PerNode    Field
	DType      SelectField
	Op         SelectField
	Link       SelectField
	More       bool // the fields that few need are open
	Chunks     Field
	Iterations Field
	Slices     Field
	Pace       []Choice
	PaceWrong  string
	Rate       Field
	Predicted  Prediction
	Machine    []Fact
	Calibrated Calibrated
}

// RunBackend asks who shall move the bytes.
type RunBackend struct {
	Label   string
	Choices []Choice
	Wrong   string // empty for nothing
	Fixes   []Fix
}

// Calibrated says whether the machine is calibrated and what it was found to
// be like.
type Calibrated struct {
	Lines  []string // the most important first
	Text   string   // smaller; empty for none
	URL    string   // where the button sends the form; empty for no button
	Button string
}

// None reports whether there is nothing to say.
func (c Calibrated) None() bool { return len(c.Lines) == 0 }

// Pair is a collective with its algorithms.
type Pair struct {
	Name       string
	Algorithms []Choice
}

// Choice is one of several.
type Choice struct {
	Value  string
	Label  string
	Hint   string
	Chosen bool
	Barred bool // it is there to be seen, and cannot be chosen
}

// SelectField is a field of which one of a few words is picked.
type SelectField struct {
	Name    string
	Label   string
	Hint    string
	Options []Choice
	Wrong   string // empty for nothing
}

// Field is a text field.
type Field struct {
	Name  string
	Label string
	Value string
	Hint  string
	Wrong string // empty for nothing
	Fixes []Fix
	Mode  string // of the keyboard on a phone
}

// Fix is a value that would do.
type Fix struct{ URL, Label string }

// Prediction is what the cost model says, or why it says nothing.
type Prediction struct {
	Figure string // empty for none
	Text   string
	Notes  []string
}

// RunList is the page of all runs.
type RunList struct {
	Page       Page
	NewURL     string
	CompareURL string // empty where there is nothing to compare
	Rows       []RunListRow
	Newer      string // URL, empty for none
	Older      string
	Lesson     string
	Example    string // URL of the form with an example
}

// RunListRow is one run.
type RunListRow struct {
	URL     string
	ID      string
	What    string
	When    string
	Outcome Status
	Median  string
	BusBW   string
	Paced   string // a word, empty for no
}
