package present

import (
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// sessionRow presents an open session.
func sessionRow(f Frame, s account.Session, own bool) views.SessionRow {
	l := f.Locale
	row := views.SessionRow{
		ID: s.ID.Short(), Who: s.Actor.Name, Kind: viaName(l, s.Actor.Via), Role: roleName(l, s.Actor.Role), Own: own,
		From: s.From, Opened: dated(s.Opened), Seen: dated(s.Seen), Expires: dated(s.Expires),
		End: views.Removal{URL: f.homeURL() + "people/session", Field: "id", Value: s.ID.String(), Button: l.T("session.end")},
	}
	switch {
	case own:
		row.End.Text = l.T("session.end.own")
	case s.Actor.Via == account.ByKey:
		row.End.Text = l.T("session.end.key")
	default:
		row.End.Text = l.T("session.end.text", locale.Values{"Name": s.Actor.Name})
	}
	if row.Who == "" {
		row.Who = l.T("session.nobody")
	}
	return row
}
