package account

import "time"

// Action is what somebody did or tried to do.
type Action string

// The actions that are kept. Programs outside may filter by these words.
const (
	LogIn         Action = "login"
	LogOut        Action = "logout"
	LogOutAll     Action = "logout-everywhere"
	AddUser       Action = "user-add"
	RemoveUser    Action = "user-remove"
	SetRole       Action = "user-role"
	SetPassword   Action = "user-password"
	CreateToken   Action = "token-create"
	RevokeToken   Action = "token-revoke"
	EndSession    Action = "session-end"
	UseToken      Action = "token-use"
	StartRun      Action = "run-start"
	CancelRun     Action = "run-cancel"
	SignalRun     Action = "run-signal"
	Compare       Action = "comparison-start"
	StopComparing Action = "comparison-stop"
	Calibrate     Action = "calibrate"
	RemoveMachine Action = "machine-remove" // of which logs were kept
	SaveReport    Action = "report-save"
	ShareReport   Action = "report-share"
	UnshareReport Action = "report-unshare"
	SaveEntry     Action = "entry-save" // of the catalogue
	RemoveEntry   Action = "entry-remove"
	JoinNode      Action = "node-join"
	DrainNode     Action = "node-drain"
	ResumeNode    Action = "node-resume"
	RevokeNode    Action = "node-revoke"
	ForgetNode    Action = "node-forget"
	RefuseRequest Action = "refuse" // a request with a foreign Host, from another site, or beyond a role
)

// Actions lists them in the order of their groups.
func Actions() []Action {
	return []Action{
		LogIn, LogOut, LogOutAll, AddUser, RemoveUser, SetRole, SetPassword, CreateToken, RevokeToken, UseToken, EndSession,
		StartRun, CancelRun, SignalRun, Compare, StopComparing, Calibrate, RemoveMachine, SaveReport, ShareReport, UnshareReport, SaveEntry, RemoveEntry, JoinNode, DrainNode, ResumeNode, RevokeNode, ForgetNode, RefuseRequest,
	}
}

// AuditOutcome is how it went.
type AuditOutcome string

// The outcomes.
const (
	Allowed AuditOutcome = "ok"
	Refused AuditOutcome = "refused" // by a rule
	Failed  AuditOutcome = "failed"  // for another reason
)

// MaxAuditText is how long each text of an entry may be, in bytes: some of
// them come from strangers.
const MaxAuditText = 200

// AuditEntry says who did what. No text of it holds a secret.
type AuditEntry struct {
	ID      int64 // given by the store, ascending
	At      time.Time
	Who     string // as Actor.String says; a name that was tried; empty for a stranger
	Via     Via    // how they came in; empty for strangers and for nodes
	From    string // network address without port; empty for a command on the console's machine
	Action  Action
	Target  string // what it was done to: the ID of a run, a name, a path; may be empty
	Outcome AuditOutcome
	Detail  string // what a person needs to know beside, in English; may be empty
	// Said is what the detail says, so that it can be said in any language: the
	// case as "why", and the values of its message. Nil for a detail that is
	// somebody else's words.
	Said map[string]string
}

// AuditFilter narrows a list of entries down; empty fields narrow nothing.
type AuditFilter struct {
	Action  Action
	Outcome AuditOutcome
	Who     string // exactly
	Before  int64  // only entries with a smaller ID; 0 for all
}
