package views

// Libraries is the history of the communication libraries: who sets the
// standard, who manages processes, who moves data.
type Libraries struct {
	Page Page

	Duties StoryChart // who manages processes, who moves data
	Uses   []LibraryUse

	Topics  []HistoryTopic
	Note    string // what was asked for and does not exist, empty for nothing
	Line    StoryChart
	Event   *HistoryEvent // the one that stands out, nil for none
	Earlier LessonLink    // the one before it, without a name for none
	Later   LessonLink
	Table   []HistoryEvent
	Kinds   []Fact // how a fact was checked, and how many were

	Slips []HistorySlip
}

// LibraryUse says what a library is for.
type LibraryUse struct {
	Name, By string
	Where    string // the data lies
	Starts   string // who starts the processes
	For      string
	Link     LessonLink // to the calls, without a name for none
	Try      LessonLink // to a run by it, without a name for none
}

// HistoryTopic filters the time line.
type HistoryTopic struct {
	Name, URL string
	Count     int
	Current   bool
}

// HistoryEvent is a fact with where it comes from.
type HistoryEvent struct {
	ID      string
	URL     string // of the time line with this one open
	Date    string
	Topic   string
	Label   string
	What    string
	Doubt   string // empty for none
	Source  string
	Link    string // URL of the source, empty for one on paper
	Checked string // how
	Current bool
}

// HistorySlip is a sentence of the article beside what is right.
type HistorySlip struct {
	ID, Says, Right string
	Source, Link    string
	Event           LessonLink // on the time line, without a name for none
}
