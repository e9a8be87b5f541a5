package views

// SessionRow is an open session in the list.
type SessionRow struct {
	ID      string // the short one, for people
	Who     string
	Own     bool // it is the visitor's
	Kind    string
	Role    string
	From    string // network address; empty for not known
	Opened  string
	Seen    string
	Expires string
	End     Removal
}
