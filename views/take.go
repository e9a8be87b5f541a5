package views

// Takeaway is everything that leaves a lesson, from the step that is shown.
type Takeaway struct {
	Open        bool
	PNG         []TakeRow
	SVG         []TakeLink
	Film        string // URL
	FilmNote    string
	Handout     string // URL
	HandoutNote string
	Embed       string // the code of a frame
	EmbedNote   string
	EmbedStart  string
	QR          string // URL of the picture
	Link        string // with the host, as the code has it
	Local       string // that links lead nowhere from other machines; empty where they do
}

// TakeRow is the same file in several sizes.
type TakeRow struct {
	Name  string
	Links []TakeLink
}

// TakeLink leads to a file.
type TakeLink struct {
	URL  string
	Name string
	Full string // what it is, without what stands around it
}

// Handout is a lesson to be printed.
type Handout struct {
	Page    Page
	Name    string
	Other   string // the same in the other language
	What    string
	Summary string
	Notes   []string // what was asked for and does not exist, what is left out
	Lead    string   // how to print it; not printed
	BackURL string
	Link    string // with the host
	Code    string // of the link, SVG
	Foot    string
	Sheets  []HandoutSheet
}

// HandoutSheet is one step on one page.
type HandoutSheet struct {
	Count      string
	Phase      string
	PhaseName  string
	Stage      string // SVG
	Narration  string
	SumLabel   string
	Sum        string
	Invariants []Invariant
	Costs      Costs
	Page       string // Page 3 of 15
}
