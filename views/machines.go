package views

// Machines is the page of what predictions for certain machines rest on.
type Machines struct {
	Page        Page
	DiagnoseURL string // where logs are kept
	Keeps       bool   // whoever looks may keep some
	Wrong       string // what could not be done; empty for nothing
	Empty       string // no logs are kept; empty where some are
	Kept        []Machine
	Here        *MachineHere
	Links       *MachineLinks // nil where nothing was probed
}

// Machine is one of which logs are kept.
type Machine struct {
	ID, Name, Made string
	Says           string // what the logs change, in a sentence
	Broken         string // why nothing can be fitted to them; empty where something can
	Tables         []MachineTable
	Changed        MachineChanged
	SizeURL        string // sizes a system like it
	Unlisted       string // the catalogue has no system like it; empty with SizeURL
	Command        Command
	RemoveURL      string // empty for whoever may not
}

// MachineTable is a table of a log: what it covers and what it changes.
type MachineTable struct {
	Collective, System, Sizes, Rows, File string
	Before, After                         string // medians
}

// MachineChanged is every row beside predictions before and after.
type MachineChanged struct {
	Name string
	Rows []DiagnoseCompared
}

// MachineHere is the console's own machine.
type MachineHere struct {
	Says    string
	How     string // what before and after are; empty where it is not calibrated
	URL     string // where it can be calibrated; empty for whoever may not
	Kinds   []MachineKind
	Changed MachineChanged
}

// MachineKind are runs over one link among so many ranks.
type MachineKind struct{ Link, Ranks, Runs, Before, After string }

// MachineLinks are probed links between nodes.
type MachineLinks struct {
	Says, How string
	Size      string // of the message that before and after are about
	Rows      []MachineLink
}

// MachineLink is one of them.
type MachineLink struct{ Way, Latency, Rate, Before, After, When string }

// MachineQuestion asks before logs are forgotten.
type MachineQuestion struct {
	Page    Page
	Title   string
	Lines   []string
	Act     RunAction
	BackURL string
}
