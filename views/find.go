package views

// Search is the field that searches words, lessons and pages.
type Search struct {
	Action string // URL
	Query  string // what was typed
}

// Found is what answers a search.
type Found struct {
	Status   string // how many there are, or that there are none
	Rows     []FoundRow
	More     string       // how many are not shown; empty for none
	NearSays string       // above Near
	Near     []LessonLink // searches that do find something; for none
	WordsURL string       // all words; for none
	BackURL  string       // the page without a search
}

// FoundRow is one answer.
type FoundRow struct {
	Kind  string // what sort of thing it is
	URL   string
	Name  string
	Other string // in the other language; empty where it is the same
	Also  string // which other name was met; empty for none
	What  string
}

// Words is the glossary.
type Words struct {
	Page    Page
	Lead    string
	BackURL string
	Search  Search
	Parts   []WordPart
}

// WordPart is the words of one subject.
type WordPart struct {
	ID    string
	Name  string
	Words []Word
}

// Word is one entry of the glossary.
type Word struct {
	ID    string // anchor
	Name  string
	Other string // in the other language; empty where it is the same
	Also  string // other names; empty for none
	Says  string
	URL   string // of the page that shows it; empty for none
	Label string // of the link
}
