package views

// Learn is the index of what there is to learn.
type Learn struct {
	Page    Page
	Missing string       // what was asked for and does not exist; empty for nothing
	Stories []LessonLink // pages that compare or tell
	Note    string       // what the figures count

	Search   Search
	Found    *Found // what a search has found, in the place of all that follows; nil for no search
	WordsURL string
	Paths    []LessonLink // in which order to go through it all

	Collectives []LearnCollective
}

// LearnCollective is one collective with its algorithms.
type LearnCollective struct {
	ID, Name, Other string
	URL             string // of its own page; empty for none
	Line            string // what it does
	Use             string // where training uses it
	Kin             string // what it is made of
	Glyph           string // SVG; empty for none
	Algorithms      []LearnAlgorithm
}

// LearnAlgorithm leads to the lesson of one algorithm.
type LearnAlgorithm struct {
	URL    string
	Name   string
	Full   string // with the collective
	When   string // when it is the right one
	Rounds string
	Bytes  string // empty where there is no data
	Note   string // empty for none
}

// LessonLink leads to a lesson.
type LessonLink struct {
	URL   string
	Name  string
	Other string // the same in the other language; empty for none
	What  string
	Glyph string // SVG; empty for none
}

// Lesson is a collective played step by step.
type Lesson struct {
	Page      Page
	Name      string
	Other     string // the same in the other language
	What      string
	Notes     []string // what was asked for and does not exist
	Summary   string   // the choice in one line
	Hash      string   // of the schedule
	Table     string   // URL of the document with all steps
	Picture   string   // URL of the step's picture
	Compare   string   // URL of the race with another algorithm; empty for none
	RunURL    string   // empty while runs have no page
	RunLabel  string
	RunReason string // why it cannot run; empty where it can
	Hidden    map[string]bool

	Phase       string // Phase 1/2
	PhaseName   string
	PhaseNext   string // empty for none
	Count       string // Step 3 of 6
	Stage       string // SVG
	StageNarrow string // SVG
	LegendNote  string
	LegendOn    string // class of the width that the note is for; "" for both
	Heat        bool
	HeatNarrow  bool
	Copies      bool // values are moved, never combined
	Scratch     bool // cells may show scratch space
	Step        int  // 0 for the start
	Steps       int
	Moves       StepLinks
	Track       string // SVG
	RangeText   string // what the slider says
	Keep        []Hidden
	Clock       string // SVG
	ClockNarrow string // SVG
	ClockLegend []ClockPart
	Narration   string
	SumLabel    string
	Sum         string
	Invariants  []Invariant
	Costs       Costs
	Bound       string
	APIs        []API
	Facts       []Fact // the lesson's card
	Libraries   *LessonLibraries
	Pickers     Pickers
	Break       LessonBreak
	Ask         *Ask // nil where it is hidden
	Take        *Takeaway
	PresentURL  string
	LeaveURL    string // out of the presenter mode
}

// StepLinks lead to other steps of a lesson.
type StepLinks struct{ First, Prev, Next, Last string }

// Hidden is a field that a form carries along.
type Hidden struct{ Name, Value string }

// ClockPart is an entry of a cost clock's legend.
type ClockPart struct {
	Latency bool
	Text    string
}

// Invariant is something that holds, or is to hold.
type Invariant struct {
	Kind string // ok, todo, warn or bad
	Text string
}

// Costs is a table of what steps cost.
type Costs struct {
	Head []string
	Rows []CostRow
}

// CostRow is one line of it.
type CostRow struct {
	Name   string
	Values []string
	Strong bool
}

// API is how the same is written with a library.
type API struct {
	Name    string
	URL     string // of the lesson with this one open
	ID      string
	Open    bool
	Comment string
	Note    string // below the code; empty for none
	Code    []CodePiece
	Phases  []PhaseCode
}

// CodePiece is a stretch of code; buffers stand out.
type CodePiece struct {
	Text   string
	Buffer bool
}

// PhaseCode is the call that does one phase alone.
type PhaseCode struct {
	Name    string
	Current bool
	Code    []CodePiece
}

// Pickers is the form that chooses what is played.
type Pickers struct {
	URL     string
	Locked  bool
	Keep    []Hidden
	Pickers []Picker
}

// Picker is one choice.
type Picker struct {
	Name    string // of the field
	Label   string
	Options []Option
}

// Groups are the options in the groups that they stand in.
func (p Picker) Groups() []OptionGroup {
	var all []OptionGroup
	for _, o := range p.Options {
		if n := len(all); n == 0 || all[n-1].Name != o.Group {
			all = append(all, OptionGroup{Name: o.Group})
		}
		last := &all[len(all)-1]
		last.Options = append(last.Options, o)
	}
	return all
}

// OptionGroup is options under a name; empty for none.
type OptionGroup struct {
	Name    string
	Options []Option
}

// Option is one value of a choice.
type Option struct {
	Group    string // of options that follow one another; empty for none
	Value    string
	Name     string
	Selected bool
}
