package present

import (
	"errors"
	"strconv"
	"time"

	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// PeopleForm is a form of the page of people.
type PeopleForm string

// The forms that may have been filled in wrongly.
const (
	FormUsers    PeopleForm = "users" // the list itself
	FormAdd      PeopleForm = "add"
	FormPassword PeopleForm = "password"
	FormToken    PeopleForm = "token"
)

// PeopleState is the page of people as it stands.
type PeopleState struct {
	Users    []account.User
	Tokens   []account.Token
	Sessions []account.Session // open ones
	Own      account.SessionID // of the visitor
	CanToken bool              // tokens are kept here
	Nodes    bool              // nodes may join
	Now      time.Time

	// What was filled in, if something was wrong with it.
	Form  PeopleForm
	Wrong error
	Name  string // of the account
	Role  string
	Label string
	Days  string

	// A token that has just been made, and its text.
	Made   *account.Token
	Secret string
}

// People presents accounts and tokens.
func People(f Frame, s PeopleState) views.People {
	l := f.Locale
	f.Section = "people"
	v := views.People{
		Page:     f.page(l.T("people.title")),
		AuditURL: f.homeURL() + "people/audit",
		Add:      addUser(f, s),
	}
	if s.Form == FormUsers && errors.Is(s.Wrong, account.ErrLastAdmin) {
		v.Wrong = l.T("people.last-admin", locale.Values{"Name": s.Name})
	}
	for i, u := range s.Users {
		v.Users = append(v.Users, userRow(f, s, "user-"+strconv.Itoa(i), u))
	}
	for _, one := range s.Sessions {
		v.Sessions = append(v.Sessions, sessionRow(f, one, one.ID == s.Own))
	}
	if !s.CanToken {
		return v
	}
	for _, t := range s.Tokens {
		v.Tokens = append(v.Tokens, tokenRow(f, t, s.Now))
	}
	v.Token = tokenForm(f, s)
	if s.Nodes {
		v.Join = &views.JoinLink{URL: f.homeURL() + "nodes", Text: l.T("token.join.text")}
	}
	if s.Made != nil {
		v.Made = madeToken(f, s)
	}
	return v
}

func userRow(f Frame, s PeopleState, id string, u account.User) views.UserRow {
	l := f.Locale
	row := views.UserRow{
		Name: u.Name, Own: f.Actor.Via == account.ByPassword && f.Actor.Name == u.Name,
		Role: roleName(l, u.Role), Created: dated(u.Created), Changed: dated(u.Changed),
		Roles: roleOptions(l, u.Role), RoleURL: f.homeURL() + "people/role",
		Password: views.PasswordForm{URL: f.homeURL() + "people/password", ID: id, Name: u.Name, Hint: passwordRule(l)},
		Remove: views.Removal{
			URL: f.homeURL() + "people/remove", Field: "name", Value: u.Name,
			Text: l.T("people.remove.text", locale.Values{"Name": u.Name}), Button: l.T("people.remove"),
		},
	}
	if s.Form == FormPassword && s.Name == u.Name {
		row.Open, row.Password.Flaw = true, passwordFlaw(l, s.Wrong)
	}
	return row
}

func addUser(f Frame, s PeopleState) views.AddUser {
	l := f.Locale
	a := views.AddUser{
		URL:   f.homeURL() + "people/add",
		Name:  views.Field{Name: "name", Label: l.T("people.name"), Hint: l.T("people.name.hint", locale.Values{"Most": account.MaxName})},
		Roles: roleOptions(l, account.Viewer),
		Hint:  l.T("people.roles"),
		Rule:  passwordRule(l),
	}
	if s.Form != FormAdd {
		return a
	}
	a.Name.Value, a.Roles = s.Name, roleOptions(l, account.Role(s.Role))
	switch {
	case errors.Is(s.Wrong, account.ErrName):
		a.Name.Wrong = l.T("people.name.wrong")
	case errors.Is(s.Wrong, account.ErrUserExists):
		a.Name.Wrong = l.T("people.name.taken")
	default:
		a.Flaw = passwordFlaw(l, s.Wrong)
	}
	return a
}

func tokenForm(f Frame, s PeopleState) *views.TokenForm {
	l := f.Locale
	usual, longest := account.APIToken.Lifetime()
	t := &views.TokenForm{
		URL:   f.homeURL() + "people/token",
		Label: views.Field{Name: "label", Label: l.T("token.label"), Hint: l.T("token.label.hint", locale.Values{"Most": account.MaxLabel})},
		Roles: roleOptions(l, account.Viewer),
		Days:  views.Field{Name: "days", Label: l.T("token.days"), Value: days(usual), Hint: l.T("token.days.hint", locale.Values{"Most": days(longest)}), Mode: "numeric"},
	}
	if s.Form != FormToken {
		return t
	}
	t.Label.Value, t.Roles, t.Days.Value = s.Label, roleOptions(l, account.Role(s.Role)), s.Days
	switch {
	case errors.Is(s.Wrong, account.ErrLabel):
		t.Label.Wrong = l.T("token.label.wrong", locale.Values{"Most": account.MaxLabel})
	case errors.Is(s.Wrong, account.ErrTokenLifetime):
		t.Days.Wrong = l.T("token.days.wrong", locale.Values{"Most": days(longest)})
	}
	return t
}

func tokenRow(f Frame, t account.Token, now time.Time) views.TokenRow {
	l := f.Locale
	state := t.State(now)
	row := views.TokenRow{
		ID: t.ID, Label: t.Label, Kind: l.T(tokenKinds[t.Kind]), Role: roleName(l, t.Role),
		State:   views.Status{Kind: tokenStateKinds[state], Word: l.T(tokenStates[state])},
		Expires: dated(t.Expires), Used: dated(t.Used), By: t.By,
	}
	if name, known := viaNames[account.Via(t.By)]; known {
		row.By = l.T(name)
	}
	if t.Revocable(now) {
		row.Revoke = &views.Removal{
			URL: f.homeURL() + "people/revoke", Field: "id", Value: t.ID, Text: l.T("token.revoke.text"), Button: l.T("token.revoke"),
		}
	}
	return row
}

var (
	tokenKinds  = map[account.TokenKind]string{account.JoinToken: "token.kind.join", account.APIToken: "token.kind.api"}
	tokenStates = map[account.TokenState]string{
		account.TokenLive: "token.state.live", account.TokenUsed: "token.state.used", account.TokenExpired: "token.state.expired", account.TokenRevoked: "token.state.revoked",
	}
	tokenStateKinds = map[account.TokenState]string{
		account.TokenLive: "ok", account.TokenUsed: "off", account.TokenExpired: "off", account.TokenRevoked: "bad",
	}
)

func madeToken(f Frame, s PeopleState) *views.MadeToken {
	l := f.Locale
	return &views.MadeToken{
		Title: l.T("token.made"), Secret: s.Secret,
		Text: l.T("token.made.api", locale.Values{"Role": roleName(l, s.Made.Role), "Until": dated(s.Made.Expires)}),
	}
}
