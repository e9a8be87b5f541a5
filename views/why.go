package views

// Why is why training communicates: a step of it in a picture, what averaging
// the gradients costs, and which collective answers which need.
type Why struct {
	Page  Page
	Notes []string // what was asked for and does not exist

	Training WhyTraining
	Facts    []string    // what the picture means
	Sum      []Primitive // reduce-scatter, all-gather, and what they are together

	Action string // where the form goes
	Reset  string
	Fields []StoryField
	Keep   []Hidden
	Cost   WhyCost

	Needs []WhyNeed
	Next  []LessonLink
}

// WhyTraining is a step of training in small, with and without communication.
type WhyTraining struct {
	Count            string // which step of how many
	BackURL, NextURL string // empty at the ends
	Says             string
	Together, Apart  WhyWay
	Weights          WhyWay // where both lead
}

// WhyWay is a picture with what it shows.
type WhyWay struct {
	Title, Text string
	Chart       StoryChart
}

// WhyCost is what the gradients of the form cost. All of it is modelled.
type WhyCost struct {
	Say       string
	Figures   []StoryFigure
	Axis      StoryChart // a step on one axis of time
	AxisSays  string
	Speed     StoryChart // speed-up over workers
	SpeedSays string
	Networks  []WhyNetwork
	Notes     []string
}

// WhyNetwork is a row of the table of networks.
type WhyNetwork struct {
	Name                                   string
	Current                                bool // the one that the form has
	Ring, RingShare, Central, CentralShare string
}

// WhyNeed is a need and the collective that answers it.
type WhyNeed struct {
	Have, Want, Use string
	Answer          Primitive
}
