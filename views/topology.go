package views

// Topology is the same all-reduce done in several ways on nodes: what crosses
// between them, how long it takes, and who looks after that. All times are
// modelled.
type Topology struct {
	Page  Page
	Asked []string // what was asked for and does not exist

	Action string // where the form goes
	Reset  string
	Fields []StoryField

	Say      string // the conclusion
	Axis     StoryChart
	Least    string // the bound
	Pictures []TopologyPicture
	Rows     []TopologyRow
	Why      []string
	Notes    []string

	Layers     []TopologyLayer
	Handover   []string // who does what, in order
	LayersNote []string
	Next       []LessonLink
}

// TopologyPicture is a way on the nodes.
type TopologyPicture struct {
	Name, Time, Says, What string
	Chart                  StoryChart
}

// TopologyRow is a way in figures.
type TopologyRow struct {
	Name, URL                          string // URL is empty where no lesson tells it from another
	Fastest                            bool
	Sent, Busiest, Rounds, Time, Times string
}

// TopologyLayer is what the one who manages processes does at a layer, and
// what the one does who moves data between devices.
type TopologyLayer struct{ Name, Processes, Devices string }
