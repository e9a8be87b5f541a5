package present

import (
	"net/url"
	"strconv"

	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// AuditState is a page of the audit log.
type AuditState struct {
	Filter  account.AuditFilter
	Entries []account.AuditEntry // newest first
	Older   bool                 // there are more
}

// Audit presents what was done and by whom.
func Audit(f Frame, s AuditState) views.Audit {
	l := f.Locale
	f.Section = "people"
	here := url.URL{Path: f.homeURL() + "people/audit"}
	v := views.Audit{
		Page: f.page(l.T("audit.title")), URL: here.Path, PeopleURL: f.homeURL() + "people", Who: s.Filter.Who,
		Actions:  []views.Option{{Name: l.T("audit.any")}},
		Outcomes: []views.Option{{Name: l.T("audit.any")}},
	}
	for _, action := range account.Actions() {
		v.Actions = append(v.Actions, views.Option{Value: string(action), Name: actionName(l, action), Selected: action == s.Filter.Action})
	}
	for _, outcome := range []account.AuditOutcome{account.Allowed, account.Refused, account.Failed} {
		v.Outcomes = append(v.Outcomes, views.Option{Value: string(outcome), Name: l.T(auditOutcomes[outcome].message), Selected: outcome == s.Filter.Outcome})
	}
	for _, e := range s.Entries {
		v.Rows = append(v.Rows, auditRow(l, e))
	}
	if len(v.Rows) == 0 {
		v.Empty = l.T("audit.none")
	}
	query := url.Values{}
	for name, value := range map[string]string{"action": string(s.Filter.Action), "outcome": string(s.Filter.Outcome), "who": s.Filter.Who} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if s.Filter.Before > 0 {
		here.RawQuery = query.Encode()
		v.NewestURL = here.String()
	}
	if s.Older && len(s.Entries) > 0 {
		query.Set("before", strconv.FormatInt(s.Entries[len(s.Entries)-1].ID, 10))
		here.RawQuery = query.Encode()
		v.OlderURL = here.String()
	}
	return v
}

func auditRow(l locale.Locale, e account.AuditEntry) views.AuditRow {
	row := views.AuditRow{
		At: when(e.At), Who: e.Who, How: viaName(l, e.Via), From: e.From, What: actionName(l, e.Action), Target: e.Target, Detail: e.Detail,
		Outcome: views.Status{Kind: "off", Word: string(e.Outcome)},
	}
	if message, known := auditReasons[e.Said["why"]]; known {
		row.Detail = l.T(message)
	}
	if e.Who == "" {
		row.Who = l.T("audit.stranger")
	}
	if id, known := viaNames[account.Via(e.Who)]; known { // nobody by name
		row.Who, row.How = l.T(id), ""
	}
	if e.Action == account.LogIn {
		row.Target = viaName(l, account.Via(e.Target))
	}
	if known, ok := auditOutcomes[e.Outcome]; ok {
		row.Outcome = views.Status{Kind: known.kind, Word: l.T(known.message)}
	}
	return row
}

// auditReasons say why a node was turned away, by the word that stands for it.
var auditReasons = map[string]string{
	"protocol": "audit.why.protocol", "token": "audit.why.token", "name": "audit.why.name", "request": "audit.why.request",
	"none": "audit.why.none", "foreign": "audit.why.foreign", "clock": "audit.why.clock",
	"expired": "audit.why.expired", "revoked": "audit.why.revoked", "unknown": "audit.why.unknown",
}

var auditOutcomes = map[account.AuditOutcome]struct{ kind, message string }{
	account.Allowed: {"ok", "audit.outcome.ok"},
	account.Refused: {"bad", "audit.outcome.refused"},
	account.Failed:  {"bad", "audit.outcome.failed"},
}

// actionName is what an action is called among people. One that this version
// does not know stays as it is.
func actionName(l locale.Locale, a account.Action) string {
	if id, known := actionNames[a]; known {
		return l.T(id)
	}
	return string(a)
}

var actionNames = map[account.Action]string{
	account.LogIn:         "audit.login",
	account.LogOut:        "audit.logout",
	account.LogOutAll:     "audit.logout-everywhere",
	account.AddUser:       "audit.user-add",
	account.RemoveUser:    "audit.user-remove",
	account.SetRole:       "audit.user-role",
	account.SetPassword:   "audit.user-password",
	account.CreateToken:   "audit.token-create",
	account.RevokeToken:   "audit.token-revoke",
	account.EndSession:    "audit.session-end",
	account.UseToken:      "audit.token-use",
	account.StartRun:      "audit.run-start",
	account.CancelRun:     "audit.run-cancel",
	account.SignalRun:     "audit.run-signal",
	account.Compare:       "audit.comparison-start",
	account.StopComparing: "audit.comparison-stop",
	account.Calibrate:     "audit.calibrate",
	account.RemoveMachine: "audit.machine-remove",
	account.SaveReport:    "audit.report-save",
	account.ShareReport:   "audit.report-share",
	account.UnshareReport: "audit.report-unshare",
	account.SaveEntry:     "audit.entry-save",
	account.RemoveEntry:   "audit.entry-remove",
	account.JoinNode:      "audit.node-join",
	account.DrainNode:     "audit.node-drain",
	account.ResumeNode:    "audit.node-resume",
	account.RevokeNode:    "audit.node-revoke",
	account.ForgetNode:    "audit.node-forget",
	account.RefuseRequest: "audit.refuse",
}
