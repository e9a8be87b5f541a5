package views

// About says what this program is made of, and what its figures rest on.
type About struct {
	Page    Page
	Build   []Fact
	Kinds   []AboutKind
	Sources []AboutSource
	Catalog []CatalogPart
	Modules []AboutModule

	FontLicence string // in full
}

// AboutKind is a kind of figure: measured, modelled or assumed.
type AboutKind struct{ Name, Text string }

// AboutSource is where something that pages say comes from.
type AboutSource struct{ What, From string }

// AboutModule is a part that others have written.
type AboutModule struct{ Name, Version, Licence string }
