package views

// Path is an order in which to go through pages, with minutes.
type Path struct {
	Page    Page
	Name    string
	Other   string // the same in the other language
	What    string // who it is for
	Minutes string // of the whole
	Stops   []PathStop
	BackURL string
}

// PathStop is one page of a path.
type PathStop struct {
	Number     string
	When       string // from which minute to which
	Minutes    string
	Name       string
	URL        string
	Label      string // where URL leads
	PresentURL string // the same for a projector; empty for none
	SeeName    string // what See is: what to look at, or the goal of a lab
	See        string
	Say        string
	Ask        string
}

// Labs lists the sheets of the labs.
type Labs struct {
	Page    Page
	Minutes string // of all together
	Labs    []LabLink
	BackURL string
}

// LabLink leads to a sheet.
type LabLink struct {
	Number  string
	URL     string
	Name    string
	Other   string // the same in the other language
	Goal    string
	Minutes string
}

// Lab is a sheet: something to do, to ask and to fill in.
type Lab struct {
	Page      Page
	Name      string
	Other     string // the same in the other language
	Goal      string
	Login     string // that a step takes a login; empty where none does
	Minutes   string
	Steps     []LabStep
	Question  string
	Sheet     LabTable // to fill in
	Answer    LabTable
	Says      string // the answer in words
	Open      bool   // the answer is shown, and printed
	URL       string // without the answer
	AnswerURL string // with it
	Before    LessonLink
	After     LessonLink
	AllURL    string
}

// LabStep is something to do.
type LabStep struct {
	Number  string
	Text    string
	URL     string // where to do it; empty for nowhere
	Label   string
	More    []LessonLink // the same at other sizes
	Command Command      // that does it; nil for none
}

// LabTable is a table whose rows have a head each.
type LabTable struct {
	Head []string
	Rows [][]string
}
