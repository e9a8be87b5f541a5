package views

import "lockstep/views/locale"

// Size is the page that prices one training step.
type Size struct {
	Page       Page
	Tabs       []StepTab
	Action     string // where the form goes: this page
	SaveURL    string
	ReportsURL string
	Groups     []SizeGroup
	Old        string // why the results are not those of the form; empty when they are
	Result     SizeResult
}

// SizeGroup is a part of the form.
type SizeGroup struct {
	Legend string
	Sub    string // what the group comes to
	Fields []SizeField
}

// SizeField is a field, a choice when it has options.
type SizeField struct {
	Name    string
	Label   string
	Value   string
	Unit    string
	Stands  string // what stands for the value while there is none
	From    string // where the figure that is used comes from
	Typed   bool   // it was typed
	Wide    bool
	Options []SizeOption
	Hint    string
	Note    string // which value is used instead of the one given
	Wrong   string // what is accepted and what was given
	FixURL  string // the page with the likely fix
	FixText string
	More    CatalogLink // about the options, such as where to add one; without URL for none
}

// SizeOption is one choice.
type SizeOption struct {
	Value  string
	Name   string
	Group  string // neighbours of one group stand together; empty for none
	Chosen bool
}

// SizeResult is what comes out: in a page, and frozen in a report.
type SizeResult struct {
	Locale      locale.Locale // of the result, which need not be the page's
	Headline    []SizeSpan
	Plain       string // the headline as one text
	Figures     []SizeFigure
	Counting    string // which of two counts of the collector is meant
	Algorithms  []SizeAlgorithm
	Charts      []SizeChart
	Turns       []SizeTurn // empty without a time of computing
	TurnsNote   string
	Fabrics     []SizeFabric
	FabricNote  string
	GradeWhy    string    // what the grade of a time by closed form stands for
	Shares      SizeChart // of communication on each fabric; no drawings without a time of computing
	Assumptions []string
	Doubts      []string
	Whole       bool         // Algorithms stand here, and not in One
	One         *SizeOne     // of the collective asked for; nil in reports of earlier programs
	Changes     *SizeChanges // nil with One, and for one rank alone
}

// SizeSpan is a piece of a sentence.
type SizeSpan struct {
	Text   string
	Strong bool
}

// SizeFigure is a number, with where it comes from.
type SizeFigure struct {
	Label  string
	Number string
	Unit   string
	Note   string
	URL    string // of its formula; empty for none
}

// SizeAlgorithm is one way to do the all-reduce.
type SizeAlgorithm struct {
	ID        string // its anchor on the page
	Name      string
	LessonURL string // empty for none
	Terms     []SizeTerm
	Time      string
	Range     string
	Grade     string
	Best      bool
	Brief     bool // on paper its formula is left out, to keep the report short
}

// SizeTerm is the time of one phase.
type SizeTerm struct {
	Phase   string
	Formula string
	Time    string
}

// SizeChart is one chart for wide and one for narrow places, as SVG.
type SizeChart struct {
	Title   string
	Wide    string
	Narrow  string
	Caption string
}

// SizeTurn says where adding workers turns from help to harm.
type SizeTurn struct {
	Counting string
	Now      string
	Range    string // of the step's time, with its grade
	Best     string
	Slower   string
}

// SizeTime is a modelled time with its interval and grade.
type SizeTime struct{ Time, Range string }

// SizeFabric is the same step on one fabric.
type SizeFabric struct {
	Name    string
	Current bool
	Latency string
	Bytes   string // rate in bytes per second
	Bits    string // the same rate in bits per second
	Basis   string
	OneWay  SizeTime
	Both    SizeTime
	Ring    SizeTime
	Best    string // empty without a time of computing
}
