package present

import (
	"time"

	"lockstep/views"
	"lockstep/web/account"
)

// galleryPeople fills in what the pages about who may come in are made of.
func galleryPeople(f Frame, g *views.Gallery) {
	f.Actor = account.Actor{Name: "ada", Role: account.Admin, Via: account.ByPassword}
	at := galleryMoment()
	user := func(name string, role account.Role, age time.Duration) account.User {
		return account.User{Name: name, Role: role, Created: at.Add(-age), Changed: at.Add(-age / 2)}
	}
	token := func(id string, kind account.TokenKind, role account.Role, label string) account.Token {
		return account.Token{ID: id, Kind: kind, Role: role, Label: label, By: "ada", Created: at.Add(-time.Hour), Expires: at.Add(23 * time.Hour)}
	}
	used, revoked := token("c2", account.JoinToken, "", "rack 7"), token("d4", account.APIToken, account.Viewer, "dashboard")
	used.Used, revoked.Revoked = at, at
	made := token("e5", account.APIToken, account.Presenter, "nightly")
	day := 24 * time.Hour
	g.Login = Login(f, Attempt{Next: "/", Accounts: true, Name: "grace", WrongPassword: true})
	g.People = People(f, PeopleState{
		Users:  []account.User{user("ada", account.Admin, 90*day), user("grace", account.Presenter, 30*day), user("linus", account.Viewer, day)},
		Tokens: []account.Token{made, used, revoked},
		Sessions: []account.Session{
			{ID: account.SessionIDOf("ada"), Actor: f.Actor, From: "192.0.2.7", Opened: at.Add(-time.Hour), Seen: at, Expires: at.Add(6 * day)},
			{ID: account.SessionIDOf("key"), Actor: account.Actor{Role: account.Admin, Via: account.ByKey}, From: "192.0.2.9", Opened: at.Add(-3 * day), Seen: at.Add(-2 * day), Expires: at.Add(4 * day)},
		},
		Own:      account.SessionIDOf("ada"),
		CanToken: true, Nodes: true, Now: at,
		Form: FormAdd, Wrong: account.ErrPasswordShort, Name: "barbara", Role: string(account.Viewer),
		Made: &made, Secret: "lockstep-api-example",
	})
	g.Audit = Audit(f, AuditState{Entries: []account.AuditEntry{
		{At: at, Who: "ada", Via: account.ByPassword, From: "192.0.2.7", Action: account.Actions()[0], Target: "grace", Outcome: account.Allowed},
		{At: at.Add(-time.Minute), Who: "", From: "192.0.2.9", Action: account.JoinNode, Target: "gpu-node-1", Outcome: account.Refused, Detail: "the join token is used", Said: map[string]string{"why": "token"}},
	}})
}
