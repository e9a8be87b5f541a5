package views

// ReportForm is the page that turns an estimate into a report.
type ReportForm struct {
	Page    Page
	Title   string
	Lead    string
	Action  string
	BackURL string
	Hidden  []ReportInput // what is being saved
	Setting string        // the same in words
	Plain   string        // its conclusion
	Fields  []ReportField
	Logo    ReportLogo
}

// ReportLogo is the field for a logo.
type ReportLogo struct {
	Label string
	Hint  string
	Wrong string
	Keep  string // that the present one is kept; empty where there is none
	Data  string // the present one, in base64
}

// ReportInput is a value that the form carries along.
type ReportInput struct{ Name, Value string }

// ReportField is what a person writes on a report.
type ReportField struct {
	Name     string
	Label    string
	Value    string
	Lines    bool // more than one
	Date     bool // a day
	Required bool
	Hint     string
	Wrong    string
}

// Reports is the list of saved reports.
type Reports struct {
	Page       Page
	SizeURL    string
	CompareURL string
	Rows       []ReportRow
	More       string // says that there are more than are shown
}

// ReportRow is a report by its newest version.
type ReportRow struct {
	URL      string
	Number   string
	Title    string
	Customer string
	Headline string
	Version  string
	Saved    string
}

// Report is one version of a report.
type Report struct {
	Page       Page
	Style      string // URL of the style sheet of its printed pages
	Number     string
	Saved      string
	Stale      string // says that there is a newer version; empty for the newest
	NewestURL  string
	ResizeURL  string // the same inputs on the sizing page
	NextURL    string // the form for its next version
	CompareURL string // this beside the version before it, or beside one to be chosen
	ListURL    string
	Language   ReportLanguage
	Expired    string // says in the report's language that it no longer holds; empty while it does
	Title      string
	Setting    string
	Logo       string // its URL; empty for none
	LogoName   string
	Facts      []Fact
	Notes      []string // lines
	Conclusion []string
	Inputs     []Fact
	Versions   string
	Result     SizeResult
	Sheet      *Sheet        // all that is read of it, frozen; nil for one whose paper is made of the fields above
	Files      []ReportFile  // the same to take along
	Shares     *ReportShares // nil for those who may make no links
}

// ReportShares are the links by which others read a report.
type ReportShares struct {
	Action    string
	Days      []SizeOption
	Made      string // a link that is shown this once; empty for none
	RevokeURL string
	Live      []ReportShare
}

// ReportShare is a link that opens a report.
type ReportShare struct{ ID, Says string }

// ReportLanguage switches the report's own language.
type ReportLanguage struct {
	Tag      string // of the report
	OtherTag string
	Name     string // of the other, in itself
	URL      string
}
