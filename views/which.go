package views

// Which is the chart of which algorithm of a collective is the fastest, over
// the size of the data and the number of ranks.
type Which struct {
	Title  string
	Say    string // the conclusion where the page stands
	Wide   string // SVG; empty where there is nothing to choose by
	Narrow string // the same for a phone
	Legend []WhichAlgorithm
	Notes  []string
	Toggle WhichToggle
}

// WhichAlgorithm is an algorithm that is the fastest somewhere.
type WhichAlgorithm struct {
	Swatch string // SVG
	Number string // in the chart where the name has no room
	Name   string
	URL    string // its lesson
	Where  string // at which sizes
	Here   bool   // it is the fastest where the page stands
}

// WhichToggle takes what only the network itself could do into the chart, or
// out of it; without a label there is nothing such.
type WhichToggle struct {
	URL, Label string
}
