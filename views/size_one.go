package views

// SizeOne is one collective on the cluster that was chosen.
type SizeOne struct {
	Title    string
	Setting  string // the cluster, in a line
	Lead     []SizeSpan
	Figures  []SizeFigure
	Grade    SizeGrade
	Warnings []string
	Parts    []SizePart // of the time; empty where a closed form gives it
	Missing  string     // why nothing measured stands here; empty where something does
	Nearest  []SizeNear
	Chart    SizeChart
	Ways     []SizeWay
	Why      string // auto takes the way it takes
	WaysNote string
	Lessons  bool // ways lead somewhere
}

// SizeGrade says how near the evidence is, and what the other grades mean.
type SizeGrade struct {
	Says string
	All  []string
}

// SizePart is a part of a measured system's time, with its formula filled in.
type SizePart struct {
	Name    string
	Time    string
	Share   string
	Formula string
	Where   string
}

// SizeNear is a measured run that resembles the case.
type SizeNear struct {
	Name     string
	Shape    string // collective, ranks, nodes
	Size     string
	Measured string // bus bandwidth and time
	Told     string // of the model for that run
	Distance string
	Source   string
	URL      string
}

// SizeWay is one algorithm of the comparison.
type SizeWay struct {
	ID        string // its anchor
	Name      string
	Mark      string // why it stands out; empty for most
	Auto      bool
	LessonURL string
	RaceURL   string // against the one that auto takes; empty for that itself
	RaceName  string
	Time      SizeTime
	Latency   string
	Rounds    string
	Busiest   string
	Terms     []SizeTerm
}

// SizeChanges says what follows from another network.
type SizeChanges struct {
	Even   string // the break-even, in a sentence
	Logs   string // that the rows do not rest on a machine's logs; empty where nothing does
	One    string // what the first column of times is of
	Step   string // what the second is of; empty where it is the same
	Before SizeChange
	Rows   []SizeChange
	Note   string
}

// SizeChange is one row.
type SizeChange struct {
	What   string
	One    SizeTime
	Factor string // against before
	Slower bool   // by more than a little
	Step   SizeTime
	Share  string // of communication in a step; empty without computing
	Why    string // nothing changes; empty where something does
}
