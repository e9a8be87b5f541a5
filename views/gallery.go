package views

// Gallery shows every part that pages are made of, in every state it has, each
// beside the name of the function or style that draws it. It is for those who
// build pages and is served in development only.
type Gallery struct {
	Page  Page
	Parts []Section // of the gallery itself, to jump to

	Colours []GalleryColour
	Sizes   []GallerySize

	Statuses     []Status
	Notice       string
	Command      Command
	Fields       []Field
	Selects      []SelectField
	RunBackend   *RunBackend  // with something wrong
	Calibrations []Calibrated // in the states of a machine
	SizeFields   []SizeField
	StoryFields  []StoryField
	ReportFields []ReportField
	ReportLogo   ReportLogo
	Switch       StorySwitch

	Home      Home
	Runs      RunList
	NoRuns    RunList
	Reports   Reports
	NoReports Reports
	Compare   ReportCompare
	Size      SizeResult
	Step      Step
	Story     CentralServer

	CellSizes []string // names of the sizes, above the columns of Cells
	Cells     []GalleryRow
	Hues      []string // SVG
	Stages    []GalleryPicture
	Phones    []GalleryPicture // stages of the width of a phone
	Clocks    []GalleryPicture
	Tracks    []GalleryPicture

	Learn  LearnCollective
	Lesson Lesson
	Broken []Lesson // one a defect
	Asks   []Ask
	Race   Race

	Handout Handout

	Why          Why
	Topology     Topology
	TopologyMany Topology // on as many nodes as there can be
	Diagnose     Diagnose // of several logs, one of which lacks something
	Kept         Machines
	Sweeps       Sweeps
	Sweep        Sweep

	Collectives []Collective // with nodes, with a switch, without data

	Index    Learn // the paths and stories alone
	Found    Found
	NotFound Found
	Words    WordPart
	Path     Path
	Labs     Labs
	Lab      Lab

	Libraries Libraries
	Bandwidth Bandwidth
	Customer  Customer

	States  []GalleryRun // a run in each state
	Running Run
	Failed  Run
	Done    Run

	Nodes         Nodes
	NodesAlone    Nodes
	NodeInvite    NodeInvite
	RunWhere      *RunWhere
	RunPerNode    Field
	Machines      []GalleryPicture
	MachinePhones []GalleryPicture

	Catalog  Catalog
	Overview []CatalogPart
	Entry    CatalogForm

	Login  Login
	People People
	Audit  Audit

	Report Report
	Sheet  Sheet
}

// GalleryColour is a colour in both themes.
type GalleryColour struct {
	Token       string
	Against     string // the token that its contrast is measured against
	Needs       string // the contrast that it must have, empty for decoration
	Light, Dark GallerySwatch
}

// GallerySwatch is a colour as one theme has it.
type GallerySwatch struct {
	SVG      string
	Value    string // #rrggbb
	Contrast string
}

// GallerySize is a size of type. Class shows it.
type GallerySize struct{ Token, Value, Class string }

// GalleryRow is one state of a part in all sizes, as SVG.
type GalleryRow struct {
	Name     string
	Pictures []string
}

// GalleryPicture is one drawing with what it shows.
type GalleryPicture struct {
	Name string
	SVG  string
}

// GalleryRun is a run in one state.
type GalleryRun struct {
	Name string
	Run  Run
}
