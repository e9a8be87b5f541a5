package views

// Login is the page that lets a visitor in.
type Login struct {
	Page Page
	URL  string // where both forms go
	Next string // the page to go to afterwards

	Password *PasswordLogin // nil where there are no accounts
	Key      KeyLogin
}

// PasswordLogin is the form for a name and a password.
type PasswordLogin struct {
	Name  string // what was typed, when it was refused
	Wrong string // why it was refused, empty for not
}

// KeyLogin is the form for an opening key.
type KeyLogin struct {
	Open    bool   // to be seen at once, not folded away
	Given   string // what was typed, when it was refused
	Refused bool
	Hint    string
	Command Command // prints a key
}

// Account is the page of whoever is in.
type Account struct {
	Page       Page
	Done       string // what has just been done, empty for nothing
	Facts      []Fact
	Text       string        // what one without a password may do, empty for others
	PeopleURL  string        // empty for those who may not look after accounts
	Password   *PasswordForm // nil without a password
	Everywhere EverywhereForm
}

// EverywhereForm ends sessions.
type EverywhereForm struct {
	URL    string
	Title  string
	Text   string
	Button string
}

// PasswordForm sets a password.
type PasswordForm struct {
	URL     string
	ID      string // begins the ids of its fields
	Name    string // of the account
	Current bool   // the present password is asked for
	Wrong   string // about the present one, empty for nothing
	Flaw    string // about the new one
	Hint    string
}

// People is the page of accounts and tokens.
type People struct {
	Page     Page
	AuditURL string // empty for no audit log
	Wrong    string // about an account in the list, empty for nothing
	Made     *MadeToken
	Users    []UserRow
	Add      AddUser
	Tokens   []TokenRow
	Token    *TokenForm // nil where there are no tokens
	Join     *JoinLink  // nil where the console has no nodes
	Sessions []SessionRow
}

// UserRow is an account in the list.
type UserRow struct {
	Name     string
	Own      bool // it is the visitor's
	Role     string
	Created  string
	Changed  string
	Roles    []Option
	RoleURL  string
	Password PasswordForm
	Open     bool // its forms are to be seen at once
	Remove   Removal
}

// Removal asks once more before something goes.
type Removal struct {
	URL    string
	Field  string // that names it, and
	Value  string // its value
	Text   string
	Button string
}

// AddUser is the form for a new account.
type AddUser struct {
	URL   string
	Name  Field
	Roles []Option
	Hint  string // about the role
	Flaw  string // about the password
	Rule  string // for passwords
}

// TokenRow is a token in the list.
type TokenRow struct {
	ID      string
	Label   string
	Kind    string
	Role    string
	State   Status
	Expires string
	Used    string
	By      string
	Revoke  *Removal // nil for one that opens nothing any more
}

// TokenForm is the form for a token of a program.
type TokenForm struct {
	URL   string
	Label Field
	Roles []Option
	Days  Field
}

// JoinLink leads to where nodes are let in.
type JoinLink struct {
	URL  string
	Text string
}

// MadeToken shows a token, this once.
type MadeToken struct {
	Title  string
	Text   string
	Secret string
}

// Audit is a page of the audit log.
type Audit struct {
	Page      Page
	URL       string
	PeopleURL string
	Actions   []Option
	Outcomes  []Option
	Who       string
	Rows      []AuditRow
	Empty     string
	OlderURL  string // empty at the end
	NewestURL string // empty at the beginning
}

// AuditRow is one thing that was done.
type AuditRow struct {
	At      string
	Who     string
	How     string
	From    string
	What    string
	Target  string
	Outcome Status
	Detail  string
}
