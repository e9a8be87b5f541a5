package views

// Sweeps is the page that compares ways to carry a collective out: the form for
// a new comparison, and those that are saved.
type Sweeps struct {
	Page    Page
	Form    *SweepForm // nil for visitors who may only look
	Rows    []SweepRow
	Current *SweepCurrent // the comparison under way; nil for none
}

// SweepCurrent leads to the comparison under way.
type SweepCurrent struct{ Says, URL, Link string }

// SweepForm asks what is to be compared.
type SweepForm struct {
	URL    string
	Wrong  string // what is wrong with the whole; empty for nothing
	Notes  []string
	Pairs  []Pair
	Ranks  Field
	From   Field
	To     Field
	Factor Field
	DType  SelectField
	Op     SelectField
	Ways   []Choice // with the reason as the hint where one is barred
	NoWay  string   // what is wrong with the ways; empty for nothing
}

// SweepRow is a saved comparison in the list.
type SweepRow struct {
	ID, URL, What, Ways, When string
	State                     Status
}

// Sweep is a comparison as it stands.
type Sweep struct {
	Page     Page
	Title    string
	Meta     string
	State    Status
	Lead     string // what came out, in a sentence; empty while there is nothing to say
	Live     *SweepLive
	StopURL  string // empty where there is nothing to stop, or it is not for this visitor
	AgainURL string // empty likewise
	ListURL  string
	Files    []SweepFile
	Charts   []SweepChart
	Ways     []string // columns of the table
	Rows     []SweepSize
	Notes    []SweepNote
}

// SweepLive is what a script needs to follow the page.
type SweepLive struct{ Poll, Seq string }

// SweepFile is the comparison in a form to take away.
type SweepFile struct{ Name, URL string }

// SweepChart is a figure of every way over the size.
type SweepChart struct {
	ID    string // the heading's
	Title string
	Sub   string
	Chart StoryChart
}

// SweepSize is a row of the table: a size and what each way made of it.
type SweepSize struct {
	Size  string
	Cells []SweepCell
}

// SweepCell is what one way made of a size.
type SweepCell struct {
	Time string // or a word, where there is none
	More string // bandwidth, and the ratio to the first way
	URL  string // of the run; empty for none
}

// SweepNote is what has to be known of a way.
type SweepNote struct{ Text, URL, Link string }
