package views

import "lockstep/views/locale"

// Step is the page that prices a training step of a model on a cluster.
type Step struct {
	Page    Page
	Tabs    []StepTab
	Action  string // where the form goes: this page
	SaveURL string
	Groups  []SizeGroup
	Old     string // why the results are not those of the form; empty when they are
	Result  StepResult
}

// StepTab leads from one of the sizing pages to another.
type StepTab struct {
	Name    string
	URL     string
	Current bool
}

// StepResult is what comes out.
type StepResult struct {
	Locale      locale.Locale
	Headline    []SizeSpan
	Plain       string // the headline as one text
	Setting     string // the layout, in a line
	Figures     []SizeFigure
	Grade       SizeGrade
	Warnings    []string
	Chart       SizeChart
	Parts       []StepPart
	Terms       []StepTerm
	Letters     string // what the letters of formulas are
	Bottleneck  string
	Sent        []StepSent
	Memory      StepMemory
	Fabrics     []StepChange
	Tries       []StepChange
	Layouts     []StepChange
	LayoutsNote string
	Advice      []StepAdvice
	Assumptions []string
}

// StepPart is a part of a whole.
type StepPart struct{ Name, Value, Share string }

// StepTerm is one term of the step, with its formula filled in.
type StepTerm struct{ Name, Time, Share, Formula string }

// StepSent is one collective of the step.
type StepSent struct {
	Purpose    string
	Collective string
	LessonURL  string
	Algorithm  string
	Group      string
	Spans      string
	Bytes      string
	Count      string
	Time       string
	Exposed    string
	Formula    string // count × each, filled in
}

// StepMemory is that of the fullest accelerator.
type StepMemory struct {
	Fits  bool
	Says  string
	Chart SizeChart
	Parts []StepPart
}

// StepChange is the same step with something changed.
type StepChange struct {
	Name    string
	URL     string // empty for what the page is about
	Time    string
	Change  string
	Share   string // of exposed communication, empty where it is not known
	Memory  string
	Fits    string
	Misfits bool
	Current bool
}

// StepAdvice is what to change, and what to ask the customer.
type StepAdvice struct{ Says, Ask string }
