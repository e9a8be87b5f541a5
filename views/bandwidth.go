package views

// Bandwidth is the words of bandwidth: a calculator, and what is commonly
// confused.
type Bandwidth struct {
	Page   Page
	Action string // where the form goes
	Reset  string
	Fields []StoryField

	Say      string // the conclusion
	Figures  []StoryFigure
	Over     LessonLink // why a figure exceeds the wire, without a name where it does not
	Units    []Fact     // the same figure in every unit
	Factors  []BandwidthFactor
	Ranks    string // that the factors are for
	Wire     StoryChart
	WireSays string

	Choices     []BandwidthChoice // which algorithm when
	ChoicesSays string
	ChoicesLink []LessonLink

	Confusions []Confusion
	Notes      []string
}

// BandwidthFactor is the bus factor of a collective.
type BandwidthFactor struct {
	Name, URL string // of its lesson
	Formula   string
	Value     string
	Current   bool
}

// BandwidthChoice is the fastest algorithm at one size.
type BandwidthChoice struct {
	Size, Name, URL string
	Time, Bus       string
	Share           string // of the wire
	Race            LessonLink
}

// Confusion is something that people say, beside what is right.
type Confusion struct {
	ID, URL string // the anchor
	Number  string
	Says    string
	Right   string
	Example string
	Lesson  LessonLink
}
