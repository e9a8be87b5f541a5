package present

import (
	"strconv"
	"time"

	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Problem is something that did not work, as its page names it.
type Problem struct {
	Status  int    // HTTP
	Message string // id of the title; the text's is the same with .text
	ID      string // of the entry in the log, empty for none
}

// Notice presents a problem.
func Notice(f Frame, p Problem) views.Notice {
	title := f.Locale.T(p.Message)
	return views.Notice{
		Page:   f.page(title),
		Status: f.Locale.T("error.status", locale.Values{"Status": strconv.Itoa(p.Status)}),
		Title:  title,
		Text:   f.Locale.T(p.Message+".text", locale.Values{"ID": p.ID}),
	}
}

// Attempt is a visit to the login page.
type Attempt struct {
	Next    string // a path that has been checked
	Given   string // the key that was refused
	Refused bool
}

// Login presents the page that takes a key.
func Login(f Frame, a Attempt) views.Login {
	page := f.page(f.Locale.T("login.title"))
	return views.Login{
		Page:    page,
		URL:     page.LoginURL,
		Next:    a.Next,
		Given:   a.Given,
		Refused: a.Refused,
		Hint: f.Locale.T("login.key.hint", locale.Values{
			"Characters": account.KeyCharacters,
			"Hours":      int(account.KeyLifetime / time.Hour),
		}),
		Command: f.command("key"),
	}
}
