package present

import (
	"strconv"

	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Problem is something that did not work, as its page names it.
type Problem struct {
	Status  int          // HTTP
	Message string       // id of the title; the text's is the same with .text
	ID      string       // of the entry in the log, empty for none
	Needed  account.Role // what it takes, where a role was too small
	Has     account.Role // and what it was

	Field, Character string // of a form, what it holds and must not
}

// Notice presents a problem.
func Notice(f Frame, p Problem) views.Notice {
	title := f.Locale.T(p.Message)
	return views.Notice{
		Page:   f.page(title),
		Status: f.Locale.T("error.status", locale.Values{"Status": strconv.Itoa(p.Status)}),
		Title:  title,
		Text: f.Locale.T(p.Message+".text", locale.Values{
			"ID": p.ID, "Needed": roleName(f.Locale, p.Needed), "Has": roleName(f.Locale, p.Has), "Field": p.Field, "Character": p.Character,
		}),
	}
}

// roleName is what a role is called among people, empty for none.
func roleName(l locale.Locale, role account.Role) string {
	if id, known := roleNames[role]; known {
		return l.T(id)
	}
	return ""
}

var roleNames = map[account.Role]string{
	account.Viewer: "role.viewer", account.Presenter: "role.presenter", account.Admin: "role.admin",
}
