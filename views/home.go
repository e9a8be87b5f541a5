package views

// Home is the first page.
type Home struct {
	Page       Page
	Doors      []Door
	Paths      []LessonLink // in which order to go through it all
	Search     Search
	Primitives []Primitive
	Article    *Article // nil leaves the section out
	Machine    []Fact
	NodesURL   string // all machines; empty for those who may not see them
	Runs       Runs
}

// Door is one of the three things to do: a way to its page or, where there is
// none, the command that does it.
type Door struct {
	Verb    string
	Title   string
	Other   string // the title's one word in the other language
	Text    string
	URL     string // empty for none
	Command Command
}

// Primitive is one of the eight collectives.
type Primitive struct {
	Name     string
	Other    string // its name in the other language
	OtherTag string
	Line     string
	Glyph    string // SVG
	URL      string // of its lesson, empty for none
}

// Article compares two algorithms on one scale of time.
type Article struct {
	Setting  string
	Rows     []ArticleRow
	StoryURL string
	RaceURL  string
}

// ArticleRow is one algorithm.
type ArticleRow struct {
	Name   string
	Bar    string // SVG
	Figure string
	Note   string
}

// Fact is something the machine says of itself; it may have several values.
type Fact struct {
	Name   string
	Values []string
}

// Runs are the runs saved last. Without a session they stay closed.
type Runs struct {
	Open    bool
	Rows    []RunRow
	Command Command // leads out of the state with no rows: a run, or a key
}

// RunRow is one saved run.
type RunRow struct {
	ID      string
	What    string
	Outcome Status
	BusBW   string // empty where there is none
}

// Status is a state in a word and a shape: ok, bad, run or off.
type Status struct {
	Kind string
	Word string
}
