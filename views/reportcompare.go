package views

// ReportCompare sets two versions of reports side by side.
type ReportCompare struct {
	Page    Page
	Action  string
	ListURL string
	Choices []ReportChoice // of versions: the first, the second
	Missing string         // says what is still to be chosen; empty for none
	Says    string         // in how much the two differ
	Sides   []ReportSide   // the two; none before both are chosen
	Inputs  []ReportPart
	Figures []ReportPart
	Words   []ReportWords
	More    string // what the rest is: about what was not asked for; empty where nothing of it differs
	Aside   []ReportPart
	AsideBy []ReportWords
}

// ReportChoice is a list of versions to choose one of.
type ReportChoice struct {
	Name, Label string
	Options     []ReportOption
}

// ReportOption is a version; one that is chosen and not listed stands first.
type ReportOption struct {
	Value, Text string
	Chosen      bool
}

// ReportSide is one of the two.
type ReportSide struct {
	URL      string
	Letter   string // A or B
	Title    string
	Number   string
	Setting  string
	Headline string
}

// ReportPart is what differs under one heading.
type ReportPart struct {
	Name    string
	Changes []ReportChange
}

// ReportChange is a figure that the two show differently.
type ReportChange struct {
	Name string
	A, B string // what each shows; None of the page where it has none
	By   string // how far B is from A; empty where that is no question
}

// ReportWords are lines that only one of the two says.
type ReportWords struct {
	Name         string
	OnlyA, OnlyB []string
}
