package views

import "strconv"

// Nodes is the page of the machines that carry out runs.
type Nodes struct {
	Page   Page
	Lead   string // how they stand, in one line
	Live   *NodesLive
	Wrong  string // what could not be done; empty for nothing
	Cards  []NodeCard
	Add    *RunAction // makes a join token; nil for those who may not, and where no agents are listened to
	Attach *NodeAttach
	Links  *NodeLinks // nil with fewer than two nodes
}

// NodesLive is what a script needs to follow the page.
type NodesLive struct {
	Poll string // URL that answers when something has changed
	Seq  string // what the page shows
}

// NodeAttach says how another machine comes to be a node.
type NodeAttach struct {
	Title string
	Lines []string
	Steps []RunTodo
}

// NodeCard is one machine.
type NodeCard struct {
	ID       string // anchor
	Name     string
	Role     string // what it is to the console
	Standing Status
	Lines    []string // in words: since when, from where
	Doubts   []NodeDoubt
	Run      *NodeRun // under way on it
	Wide     string   // SVG
	Narrow   string   // the same for a phone
	Notes    []string // what the picture leaves out
	Facts    []Fact
	GPUs     *NodeTable
	Ports    *NodeTable
	Found    []NodeLibrary
	Acts     []RunAction
	Asks     []NodeLink // lead to a question first
}

// NodeDoubt is something to know about a node.
type NodeDoubt struct {
	Text     string
	Verbatim string // in a program's own words, English; empty for none
}

// NodeRun leads to a run.
type NodeRun struct{ Text, URL string }

// NodeLink leads to a page.
type NodeLink struct{ ID, Label, URL string }

// NodeTable is a table whose first column names its rows.
type NodeTable struct {
	Title   string
	Region  string // with whose it is, to tell the tables of a page apart
	Heads   []string
	Rows    [][]string
	Closing string // a line below; empty for none
}

// NodeLibrary is a library, found or not.
type NodeLibrary struct {
	Name   string
	Status Status
	Text   string
}

// NodeLinks is what was measured between nodes.
type NodeLinks struct {
	Title   string
	Text    string // when and how
	Probe   *RunAction
	Probing string // how far a probe is; empty for none
	Names   []string
	Rows    []NodeLinkRow
	Pairs   []NodePair // the same as a list, for a phone; of too many nodes the only form
	Note    string
}

// NodeLinkRow is the ways from one node to the others.
type NodeLinkRow struct {
	Name  string
	Cells []NodeLinkCell
}

// NodeLinkCell is one way.
type NodeLinkCell struct {
	Self    bool
	Latency string
	Bits    string
	Bytes   string
	Slow    string // a word; empty for no
	Fault   string // in place of figures
	Detail  string // of a fault, in the program's own words; empty for none
}

// NodePair is one way with the names of its ends.
type NodePair struct {
	From, To string
	Cell     NodeLinkCell
}

// RunWhere is where the ranks of a run shall be.
type RunWhere struct {
	Label      string
	Places     []Choice // this machine, or nodes
	NodesLabel string
	Nodes      []Choice
	Wrong      string // empty for nothing
	Encryption []Choice
	EncLabel   string
	EncWrong   string
}

// NodeInvite is the page with a fresh join token. It is shown once.
type NodeInvite struct {
	Page    Page
	Lead    string
	Steps   []RunTodo
	Expires string
	BackURL string
}

// NodeQuestion is the page that asks before something is done that cannot be
// undone.
type NodeQuestion struct {
	Page    Page
	Title   string
	Lines   []string
	Act     RunAction
	BackURL string
}

// runNodeID is the id of a node's box in the form for a run.
func runNodeID(i int) string { return "run-node-" + strconv.Itoa(i) }
