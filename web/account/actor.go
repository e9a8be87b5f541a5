package account

// Role is what a person or a token may do.
type Role string

// The roles, each of which may do what those before it may.
const (
	Viewer    Role = "viewer"    // sees runs, nodes and reports
	Presenter Role = "presenter" // also starts and cancels runs, keeps reports
	Admin     Role = "admin"     // also nodes, people and tokens
)

// Roles lists them from the least to the most.
func Roles() []Role { return []Role{Viewer, Presenter, Admin} }

// May reports whether a role includes another; an unknown one includes nothing.
func (r Role) May(needed Role) bool {
	rank := func(role Role) int {
		for i, known := range Roles() {
			if known == role {
				return i
			}
		}
		return -1
	}
	return rank(r) >= 0 && rank(needed) >= 0 && rank(r) >= rank(needed)
}

// Actor is who asks: a person with a session, or a program with a token.
type Actor struct {
	Name string // of the account or of the token; empty for whoever came in with an opening key
	Role Role
	Via  Via
}

// Via is how an Actor came in.
type Via string

// The ways in.
const (
	ByKey      Via = "key"      // an opening key, printed in the console's terminal
	ByPassword Via = "password" // an account
	ByToken    Via = "token"    // an API token
	ByCommand  Via = "command"  // a command on the console's machine
)

// String names the actor among people: the name, or how they came in where
// there is none.
func (a Actor) String() string {
	if a.Name == "" {
		return string(a.Via)
	}
	return a.Name
}
