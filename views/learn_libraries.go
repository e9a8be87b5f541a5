package views

// LessonLibraries tells how libraries treat a lesson's algorithm.
type LessonLibraries struct {
	Title  string
	Rows   []LibraryChoice
	Split  string   // that a call may be split by node, empty where none is
	Whole  []string // the settings that keep it whole
	Source string
	Try    LessonLink // to a run by one of them, without a name for none
}

// LibraryChoice is what one library does.
type LibraryChoice struct {
	Library string
	Name    string // of the algorithm in the library's spelling, empty for none
	When    string
	Note    string   // how it differs, empty for not
	Set     []string // what makes the library take it, by argument, none where nothing does
}
