package views

// Catalog is a page of the catalogue: all kinds, or one with its entries.
type Catalog struct {
	Page     Page
	Title    string
	Other    string // the title in the other language
	Lead     string
	Kinds    []Section
	Done     string // what was just saved or removed; empty for nothing
	Overview []CatalogPart
	How      []string     // to read the figures, with Overview
	Add      *CatalogLink // nil where nobody may add anything
	Filter   *CatalogFilter
	Unusable []CatalogBroken
	Groups   []CatalogGroup
}

// CatalogLink leads on; Grave says that it leads to what cannot be taken back.
type CatalogLink struct {
	Name  string
	URL   string
	Grave bool
}

// CatalogPart is a kind of entries as a whole.
type CatalogPart struct {
	Name    string
	URL     string
	What    string
	Entries string
	Own     string
	Doubts  string      // how many have doubts
	Add     CatalogLink // without URL where nobody may
}

// CatalogFilter picks entries by words.
type CatalogFilter struct {
	URL   string
	Value string
	Says  string // what it has found; empty without words
	Clear string // URL; empty without words
}

// CatalogBroken is an own entry that cannot be used now.
type CatalogBroken struct {
	Name   string
	Why    []string
	Change []CatalogLink
}

// CatalogGroup is a table of entries.
type CatalogGroup struct {
	ID    string
	Title string
	Count string
	Text  string // in the place of rows, or beneath them
	Heads []CatalogHead
	Rows  []CatalogRow
}

// CatalogHead is the head of a column.
type CatalogHead struct {
	Name   string
	Number bool
}

// CatalogRow is an entry.
type CatalogRow struct {
	ID     string // its anchor
	Name   string
	Code   string // its ID in the catalogue
	Fresh  bool   // just saved
	Cells  []CatalogCell
	Basis  string
	Doubts []string
	Links  []CatalogLink
	Groups []CatalogFacts
	Source []CatalogText
	Notes  string
	By     string        // who entered it and when; empty for the program
	Change []CatalogLink // what may be done to it
}

// CatalogCell is a figure of a row, with what is smaller beside it.
type CatalogCell struct {
	Text   string
	Sub    string
	Number bool
	Doubt  bool
}

// CatalogFacts are fields that belong together.
type CatalogFacts struct {
	Name  string
	Facts []CatalogFact
}

// CatalogFact is a field of an entry.
type CatalogFact struct {
	Name  string
	Value string
	Doubt bool
}

// CatalogText is a piece of a text, a link if it has an address.
type CatalogText struct {
	Text string
	URL  string
}

// CatalogForm takes an own entry.
type CatalogForm struct {
	Page   Page
	Title  string
	Action string
	Back   CatalogLink
	Others []CatalogLink // to add an entry of another kind
	Paste  CatalogPaste
	Says   []string // what was done with what was pasted, and its doubts
	Wrong  *CatalogWrong
	Groups []CatalogFields
	Doubts CatalogDoubts
}

// CatalogPaste takes JSON that fills the form.
type CatalogPaste struct {
	Text  string
	Hint  string
	Files string // what a file may be
	Wrong string
	Open  bool
}

// CatalogWrong leads to everything that is wrong.
type CatalogWrong struct {
	Title string
	Text  string
	Links []CatalogLink
}

// CatalogFields are fields that belong together.
type CatalogFields struct {
	ID     string
	Legend string
	Folded bool // they can be left alone
	Open   bool
	Fields []CatalogField
}

// CatalogField is a field of the form: a choice where it has options, text of
// several lines where it is long.
type CatalogField struct {
	Name    string
	Label   string
	Unit    string
	Value   string
	Hint    string
	Wrong   string
	Needed  bool
	Fixed   bool // it cannot be changed
	Long    bool
	Mode    string // of the keyboard on a phone
	Options []Option
}

// ID is the anchor of the field.
func (f CatalogField) ID() string { return "entry-" + f.Name }

// Says lists the IDs of what is said about the field.
func (f CatalogField) Says() string {
	if f.Wrong != "" && f.Hint != "" {
		return f.ID() + "-wrong " + f.ID() + "-hint"
	}
	if f.Wrong != "" {
		return f.ID() + "-wrong"
	}
	return f.ID() + "-hint"
}

// CatalogDoubts marks fields that nobody is sure of.
type CatalogDoubts struct {
	Legend  string
	Options []Option
	Open    bool
}

// CatalogRemoval asks before an own entry goes.
type CatalogRemoval struct {
	Page   Page
	Title  string
	Name   string
	Text   []string
	Using  []CatalogLink // entries that are made of it: it cannot go
	URL    string
	Button string
	Keep   CatalogLink
}
