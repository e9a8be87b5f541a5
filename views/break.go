package views

// LessonBreak is the panel that breaks a lesson's schedule, and says what has
// gone wrong with a broken one.
type LessonBreak struct {
	Lead string
	Ways []BreakWay

	// Of a broken schedule.
	Alert     string // what has been broken; empty for a right schedule
	Fails     []BreakFail
	More      string // how many more there are; empty for none
	Check     string // how the check refuses it, as the command line prints it
	Apart     string // from which step on it differs from the right one; empty for never
	ApartURL  string
	Elsewhere string // URL of the same at another place; empty for none
	Repair    string // URL of the right lesson
	Moved     bool   // a message that is wrong is marked somewhere
	Missing   bool   // one that is missing is
}

// BreakWay is a way to break it.
type BreakWay struct {
	Name   string
	What   string // what it does, or why it does nothing
	URL    string // empty where it does nothing
	Chosen bool
}

// BreakFail is something that does not hold.
type BreakFail struct {
	When string // the step; empty for the end
	URL  string // of that step
	Text string
}
