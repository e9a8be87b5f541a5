package views

// Customer is what to ask a customer, what an answer changes, and how to say it
// in two minutes.
type Customer struct {
	Page Page

	Say     string // the conclusion for the example
	Base    string // the example's figures and where they come from
	BaseURL string // the example, sized
	Rule    string // how to do the sum in one's head
	Bars    StoryChart
	Talk    []TalkPart
	Length  string // how long the talk is

	Questions []CustomerQuestion
	Notes     []string
}

// TalkPart is some sentences of the talk, with what to show meanwhile.
type TalkPart struct {
	At   string // minutes and seconds since the start
	Text string
	Show LessonLink
}

// CustomerQuestion is one question with two answers.
type CustomerQuestion struct {
	ID, URL string
	Number  string
	Ask     string // as one asks it
	Why     string
	Answers []CustomerAnswer
	Lesson  LessonLink
	Slip    string // a sentence of the article that is put right, empty for none
}

// CustomerAnswer is what an answer changes.
type CustomerAnswer struct {
	Name string
	Text string
	Size LessonLink // the answer, sized, without a name for none
}
