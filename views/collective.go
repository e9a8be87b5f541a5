package views

// Collective is the page of one collective: what it is, and which algorithms
// there are for it.
type Collective struct {
	Page  Page
	ID    string // of its fields, before their names
	Name  string
	Other string // the same in the other language
	Line  string // what it does
	Use   string // where training uses it
	Kin   string // what it is made of
	Glyph string // SVG; empty for none
	Kins  []LessonLink
	Notes []string // what was asked for and does not exist

	Action   string
	Networks []StoryOption
	Ranks    string
	PerNode  string // empty where no algorithm looks at nodes
	Size     string // empty where there is no data
	SizeName string
	Keep     []Hidden

	Counts     string // what the table counts
	Algorithms []CollectiveAlgorithm
	Which      Which
	Others     []LessonLink // the other collectives
	RaceURL    string       // empty for none
	RaceName   string
}

// CollectiveAlgorithm is a row of the table.
type CollectiveAlgorithm struct {
	Name, URL string // its lesson
	When      string // when it is the right one
	Rounds    string
	Formula   string // of the rounds
	Bytes     string // by the busiest rank; empty where there is no data
	Times     string // the same in multiples of S
	Time      string
	Rough     bool
	Best      bool   // the fastest of those that hosts can carry out
	Note      string // empty for none
	RaceURL   string // against another; empty for none
	RaceName  string
}
