package views

// Ask is a question about what comes next in a lesson, or the way to one. It
// is closed, asks, or answers.
type Ask struct {
	OpenURL  string // where a closed one leads; empty for one that is open
	CloseURL string
	Kinds    []Section // the kinds of questions at this step
	Notes    []string  // what was asked for and does not exist
	None     string    // why there is nothing to ask; empty where there is
	StartURL string    // of the first step, where there is something to ask

	Says       string
	Hint       string // empty for none
	Covers     bool   // the table of costs would give the answer away
	Action     string
	Keep       []Hidden
	Fields     []AskField
	AnotherURL string // another question of the kind; empty for none
	Stage      string // what a click on the stage picks: next, rank or block; empty for nothing
	Who        string // the rank that next is about

	Answer *AskAnswer // nil until somebody has guessed
}

// AskField is one part of a guess.
type AskField struct {
	Name    string
	Label   string
	Many    bool // any number of options
	List    bool // too many to show them all
	Options []Option
}

// Kind is the type of the inputs of a field.
func (f AskField) Kind() string {
	if f.Many {
		return "checkbox"
	}
	return "radio"
}

// AskAnswer says whether a guess is right, and why.
type AskAnswer struct {
	Right    bool
	Guess    string
	Truth    string
	Partly   string // what is right about it, or what it mistakes for the truth; empty for nothing
	Why      []string
	Marks    []AskMark // of a set, by option; empty for none
	AgainURL string    // the question without the guess
	StepURL  string    // the step that shows it; empty where it is not the next
	Try      string    // names question and guess
}

// AskMark is an option of a set and whether it was rightly picked: hit, extra,
// missed or empty.
type AskMark struct {
	Name string
	Kind string
}
