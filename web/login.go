package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lockstep/views"
	"lockstep/web/account"
	"lockstep/web/auth"
	"lockstep/web/present"
)

// askLogin shows the login page.
func (s *server) askLogin(w http.ResponseWriter, r *http.Request, status int, a present.Attempt) error {
	if s.Access.Users != nil {
		users, err := s.Access.Users.List(r.Context())
		if err != nil {
			return fmt.Errorf("look for accounts: %w", err)
		}
		a.Accounts = len(users) > 0
	}
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, status, views.LoginPage(present.Login(s.frame(w, r), a)))
	return nil
}

// logInByPassword takes the name and the password from the login form.
func (s *server) logInByPassword(w http.ResponseWriter, r *http.Request, next string) error {
	given := r.PostForm.Get("name")
	name := loginName(given)
	again := present.Attempt{Next: next, Name: clipped(given)}
	try := s.attempt(r, name)
	if wait := s.paces.logins.Begin(try); wait > 0 {
		again.Wait = wholeSeconds(wait)
		w.Header().Set("Retry-After", strconv.Itoa(again.Wait))
		return s.askLogin(w, r, http.StatusTooManyRequests, again)
	}
	err := s.gate.LogIn(r.Context(), name, r.PostForm.Get("password"))
	s.attempted(try, err)
	if errors.Is(err, account.ErrLoginRefused) {
		s.recordRefused(r.Context(), name, try.Address)
		again.WrongPassword = true
		return s.askLogin(w, r, http.StatusForbidden, again)
	}
	if err != nil {
		return err
	}
	s.record(r.Context(), account.LogIn, string(account.ByPassword), nil)
	if err := s.gate.Remember(r.Context(), w); err != nil {
		return err
	}
	http.Redirect(w, r, next, http.StatusSeeOther)
	return nil
}

// recordRefused keeps that a login was refused. What was typed as the name is
// kept where there is such an account: it may as well be a password in the
// wrong field.
func (s *server) recordRefused(ctx context.Context, name, address string) {
	if !s.paces.refusals.allow(address) {
		return
	}
	if _, err := s.Access.Users.Find(ctx, name); err != nil {
		name = ""
	}
	s.append(ctx, account.AuditEntry{Action: account.LogIn, Who: name, Target: string(account.ByPassword), Outcome: account.Refused})
}

// attempt is the trying of a password of an account by a request.
func (s *server) attempt(r *http.Request, name string) auth.Attempt {
	return auth.Attempt{Account: name, Address: neighbourhood(addressOf(r)), Device: s.gate.Device(r, name)}
}

// attempted counts what became of a password that was tried.
func (s *server) attempted(try auth.Attempt, err error) {
	switch {
	case err == nil:
		s.paces.logins.Succeed(try)
	case errors.Is(err, account.ErrLoginRefused):
		s.paces.logins.Fail(try)
	default:
		s.paces.logins.Leave(try)
	}
}

// loginName is the name that somebody means, in the spelling that failures are
// counted by. What cannot be a name stays as it is: it is refused like a name
// that has no account.
func loginName(given string) string {
	if name, err := account.ParseName(given); err == nil {
		return name
	}
	return clipped(given)
}

// wholeSeconds rounds up, so that whoever waits as long is let in.
func wholeSeconds(d time.Duration) int {
	return int((d + time.Second - 1) / time.Second)
}

// accountPage shows whoever is in their own account.
func (s *server) accountPage(w http.ResponseWriter, r *http.Request) error {
	return s.showAccount(w, r, http.StatusOK, nil)
}

func (s *server) showAccount(w http.ResponseWriter, r *http.Request, status int, wrong error) error {
	w.Header().Set("Cache-Control", "no-store")
	done := r.Method == http.MethodGet && r.URL.Query().Get("done") == "password"
	s.render(w, r, status, views.AccountPage(present.Account(s.frame(w, r), present.AccountState{Wrong: wrong, Done: done})))
	return nil
}

// changePassword gives the account of whoever is in another password. Their
// other sessions end; this one goes on.
func (s *server) changePassword(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	actor, _ := auth.From(r.Context())
	if actor.Via != account.ByPassword {
		return errBadForm // the page offers no such form
	}
	try := s.attempt(r, actor.Name)
	if s.paces.logins.Begin(try) > 0 {
		return s.showAccount(w, r, http.StatusTooManyRequests, errTooManyTries)
	}
	err := s.gate.Verify(r.Context(), r.PostForm.Get("current"))
	s.attempted(try, err)
	if errors.Is(err, account.ErrLoginRefused) {
		s.record(r.Context(), account.SetPassword, actor.Name, err)
		return s.showAccount(w, r, http.StatusForbidden, err)
	}
	if err != nil {
		return err
	}
	epoch, err := s.setPassword(r, actor.Name, r.PostForm.Get("new"), r.PostForm.Get("again"))
	if wrongPassword(err) {
		return s.showAccount(w, r, http.StatusUnprocessableEntity, err)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(s.gate.Adopt(r.Context(), epoch), s.gate.Remember(r.Context(), w)); err != nil {
		return err
	}
	http.Redirect(w, r, s.path(w, r, "account?done=password"), http.StatusSeeOther)
	return nil
}

// wrongPassword reports whether a person can mend err by another password.
func wrongPassword(err error) bool {
	for _, wrong := range []error{
		present.ErrPasswordsDiffer, account.ErrPasswordShort, account.ErrPasswordLong, account.ErrPasswordSimple, account.ErrPasswordIsName, account.ErrPasswordText,
	} {
		if errors.Is(err, wrong) {
			return true
		}
	}
	return false
}

// hashNew returns the hash of a password that somebody chooses for an account.
func (s *server) hashNew(r *http.Request, name, password, again string) (string, error) {
	if err := account.CheckPassword(name, password); err != nil {
		return "", err
	}
	if password != again {
		return "", present.ErrPasswordsDiffer
	}
	return s.Access.Passwords.Hash(r.Context(), password)
}

// setPassword gives an account a password and an epoch, which it returns.
func (s *server) setPassword(r *http.Request, name, password, again string) (epoch string, err error) {
	hash, err := s.hashNew(r, name, password, again)
	if err != nil {
		return "", err
	}
	epoch = account.NewEpoch()
	err = s.Access.Users.Change(r.Context(), name, false, func(u *account.User) error {
		u.Hash, u.Epoch, u.Changed = hash, epoch, s.Now()
		return nil
	})
	s.record(r.Context(), account.SetPassword, name, err)
	s.gate.Recheck() // of sessions of the epoch before
	return epoch, err
}

// logOutEverywhere ends all sessions of the account of whoever is in, this one
// too.
func (s *server) logOutEverywhere(w http.ResponseWriter, r *http.Request) error {
	actor, _ := auth.From(r.Context())
	if actor.Via != account.ByPassword {
		return s.logOut(w, r)
	}
	err := s.Access.Users.Change(r.Context(), actor.Name, false, func(u *account.User) error {
		u.Epoch = account.NewEpoch()
		return nil
	})
	s.record(r.Context(), account.LogOutAll, actor.Name, err)
	if err != nil {
		return err
	}
	if err := s.gate.Close(r.Context()); err != nil {
		return err
	}
	http.Redirect(w, r, s.path(w, r, "login"), http.StatusSeeOther)
	return nil
}

// path is a place below the language of the visitor.
func (s *server) path(w http.ResponseWriter, r *http.Request, place string) string {
	return "/" + s.language(w, r).Lang() + "/" + strings.TrimPrefix(place, "/")
}
