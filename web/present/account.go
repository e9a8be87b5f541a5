package present

import (
	"errors"
	"strconv"
	"time"

	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Attempt is a visit to the login page.
type Attempt struct {
	Next     string // a path that has been checked
	Accounts bool   // there are some to log in to

	Given   string // the key that was refused
	Refused bool

	Name          string // that was tried with a password
	WrongPassword bool
	Wait          int // seconds until another try is looked at; 0 for none
}

// Login presents the page that lets a visitor in.
func Login(f Frame, a Attempt) views.Login {
	l := f.Locale
	page := f.page(l.T("login.title"))
	v := views.Login{
		Page: page,
		URL:  page.LoginURL,
		Next: a.Next,
		Key: views.KeyLogin{
			Open:    a.Refused,
			Given:   a.Given,
			Refused: a.Refused,
			Hint: l.T("login.key.hint", locale.Values{
				"Characters": account.KeyCharacters,
				"Hours":      int(account.KeyLifetime / time.Hour),
			}),
			Command: f.command("key"),
		},
	}
	if !a.Accounts && !a.WrongPassword && a.Wait == 0 {
		return v
	}
	v.Password = &views.PasswordLogin{Name: a.Name}
	switch {
	case a.Wait > 0:
		v.Password.Wrong = l.T("login.wait", locale.Values{"Count": a.Wait})
	case a.WrongPassword:
		v.Password.Wrong = l.T("login.wrong")
	}
	return v
}

// AccountState is what has happened on the page of one's own account.
type AccountState struct {
	Wrong error // what was wrong with a password, nil for nothing
	Done  bool  // a password has been changed
}

// Account presents the page of whoever is in.
func Account(f Frame, s AccountState) views.Account {
	l := f.Locale
	v := views.Account{
		Page: f.page(l.T("account.title")),
		Facts: []views.Fact{
			{Name: l.T("people.role"), Values: []string{l.T("account.role", locale.Values{"Role": roleName(l, f.Actor.Role), "May": l.T(roleMay[f.Actor.Role])})}},
		},
		Everywhere: views.EverywhereForm{URL: f.homeURL() + "account/logout"},
	}
	if f.Actor.Name != "" {
		v.Facts = append([]views.Fact{{Name: l.T("people.name"), Values: []string{f.Actor.Name}}}, v.Facts...)
	}
	if f.May(account.Admin) {
		v.PeopleURL = f.homeURL() + "people"
	}
	everywhere := &v.Everywhere
	if f.Actor.Via != account.ByPassword {
		v.Text = l.T("account.by-key")
		everywhere.Title, everywhere.Text, everywhere.Button = l.T("account.here"), l.T("account.here.text"), l.T("page.logout")
		return v
	}
	everywhere.Title, everywhere.Text, everywhere.Button = l.T("account.everywhere"), l.T("account.everywhere.text"), l.T("account.everywhere.submit")
	if s.Done {
		v.Done = l.T("account.changed")
	}
	v.Password = &views.PasswordForm{
		URL: f.homeURL() + "account/password", ID: "own", Name: f.Actor.Name, Current: true, Hint: passwordRule(l),
	}
	switch {
	case s.Wrong == nil:
	case errors.Is(s.Wrong, account.ErrLoginRefused):
		v.Password.Wrong = l.T("password.wrong")
	default:
		if v.Password.Flaw = passwordFlaw(l, s.Wrong); v.Password.Flaw == "" {
			v.Password.Wrong = l.T("password.too-fast")
		}
	}
	return v
}

// roleMay says what a role may do.
var roleMay = map[account.Role]string{
	account.Viewer: "role.viewer.may", account.Presenter: "role.presenter.may", account.Admin: "role.admin.may",
}

// passwordRule says what a password must be.
func passwordRule(l locale.Locale) string {
	return l.T("password.rule", locale.Values{"Least": account.MinPassword})
}

// passwordFlaw says what is wrong with a password that somebody chose; it is
// empty for an error of another kind.
func passwordFlaw(l locale.Locale, err error) string {
	values := locale.Values{"Least": account.MinPassword, "Most": account.MaxPassword}
	switch {
	case errors.Is(err, account.ErrPasswordShort):
		return l.T("password.short", values)
	case errors.Is(err, account.ErrPasswordLong):
		return l.T("password.long", values)
	case errors.Is(err, account.ErrPasswordSimple):
		return l.T("password.simple")
	case errors.Is(err, account.ErrPasswordIsName):
		return l.T("password.is-name")
	case errors.Is(err, account.ErrPasswordText):
		return l.T("password.text")
	case errors.Is(err, ErrPasswordsDiffer):
		return l.T("password.differ")
	}
	return ""
}

// ErrPasswordsDiffer says that a password was not typed twice the same.
var ErrPasswordsDiffer = errors.New("the two passwords differ")

// viaName says how somebody came in, empty for nobody.
func viaName(l locale.Locale, via account.Via) string {
	if id, known := viaNames[via]; known {
		return l.T(id)
	}
	return string(via)
}

var viaNames = map[account.Via]string{
	account.ByKey: "via.key", account.ByPassword: "via.password", account.ByToken: "via.token", account.ByCommand: "via.command",
}

// roleOptions are the roles as a list to choose from.
func roleOptions(l locale.Locale, chosen account.Role) []views.Option {
	var options []views.Option
	for _, role := range account.Roles() {
		options = append(options, views.Option{Value: string(role), Name: roleName(l, role), Selected: role == chosen})
	}
	return options
}

// dated is a time as lists show it, or a dash for none.
func dated(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// days is a number of whole days.
func days(d time.Duration) string { return strconv.Itoa(int(d / (24 * time.Hour))) }
