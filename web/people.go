package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/account"
	"lockstep/web/auth"
	"lockstep/web/present"
)

// accountRoutes adds the addresses of accounts: each person's own, and those
// of everyone for admins.
func (s *server) accountRoutes(r chi.Router) {
	if s.Access.Users == nil {
		return
	}
	r.Route("/{lang:zh|en}/account", func(r chi.Router) {
		r.Use(s.requireActor(account.Viewer))
		r.Get("/", s.handle(s.accountPage))
		r.Post("/password", s.handle(s.changePassword))
		r.Post("/logout", s.handle(s.logOutEverywhere))
	})
	r.Route("/{lang:zh|en}/people", func(r chi.Router) {
		r.Use(s.requireActor(account.Admin))
		r.Get("/", s.handle(s.people))
		r.Post("/add", s.handle(s.addUser))
		r.Post("/role", s.handle(s.setRole))
		r.Post("/password", s.handle(s.resetPassword))
		r.Post("/remove", s.handle(s.removeUser))
		r.Post("/token", s.handle(s.createToken))
		r.Post("/revoke", s.handle(s.revokeToken))
		r.Post("/session", s.handle(s.endSession))
		r.Get("/audit", s.handle(s.audit))
	})
}

// people shows accounts and tokens.
func (s *server) people(w http.ResponseWriter, r *http.Request) error {
	return s.showPeople(w, r, http.StatusOK, present.PeopleState{})
}

func (s *server) showPeople(w http.ResponseWriter, r *http.Request, status int, state present.PeopleState) error {
	var err error
	if state.Users, err = s.Access.Users.List(r.Context()); err != nil {
		return err
	}
	if s.Access.Tokens != nil {
		if state.Tokens, err = s.Access.Tokens.List(r.Context()); err != nil {
			return err
		}
	}
	if err := s.listSessions(r, &state); err != nil {
		return err
	}
	state.Now, state.CanToken, state.Nodes = s.Now(), s.Access.Tokens != nil, s.Nodes != nil
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, status, views.PeoplePage(present.People(s.frame(w, r), state)))
	return nil
}

func (s *server) toPeople(w http.ResponseWriter, r *http.Request, part string) error {
	http.Redirect(w, r, s.path(w, r, "people"+part), http.StatusSeeOther)
	return nil
}

// addUser makes an account.
func (s *server) addUser(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	state := present.PeopleState{Form: present.FormAdd, Name: clipped(r.PostForm.Get("name")), Role: r.PostForm.Get("role")}
	name, err := account.ParseName(r.PostForm.Get("name"))
	role, wrongRole := account.ParseRole(state.Role)
	var hash string
	if err == nil && wrongRole != nil {
		return errors.Join(errBadForm, wrongRole)
	}
	if err == nil {
		hash, err = s.hashNew(r, name, r.PostForm.Get("new"), r.PostForm.Get("again"))
	}
	if err == nil {
		now := s.Now()
		err = s.Access.Users.Add(r.Context(), account.User{Name: name, Role: role, Hash: hash, Epoch: account.NewEpoch(), Created: now, Changed: now})
		if !errors.Is(err, account.ErrUserExists) {
			s.record(r.Context(), account.AddUser, name, err)
		}
	}
	if errors.Is(err, account.ErrName) || errors.Is(err, account.ErrUserExists) || wrongPassword(err) {
		state.Wrong = err
		return s.showPeople(w, r, http.StatusUnprocessableEntity, state)
	}
	if err != nil {
		return err
	}
	return s.toPeople(w, r, "#users")
}

// setRole gives an account another role.
func (s *server) setRole(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	name := r.PostForm.Get("name")
	role, err := account.ParseRole(r.PostForm.Get("role"))
	if err != nil {
		return errors.Join(errBadForm, err)
	}
	err = s.Access.Users.Change(r.Context(), name, s.Access.Network, func(u *account.User) error {
		u.Role = role
		return nil
	})
	return s.altered(w, r, account.SetRole, name, string(role), err)
}

// removeUser forgets an account.
func (s *server) removeUser(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	name := r.PostForm.Get("name")
	err := s.Access.Users.Remove(r.Context(), name, s.Access.Network)
	return s.altered(w, r, account.RemoveUser, name, "", err)
}

// altered records what was done to an account and shows how people now stand.
func (s *server) altered(w http.ResponseWriter, r *http.Request, action account.Action, name, detail string, err error) error {
	if !errors.Is(err, account.ErrNoUser) {
		actor, _ := auth.From(r.Context())
		s.append(r.Context(), account.AuditEntry{
			Who: actor.String(), Via: actor.Via, Action: action, Target: name, Outcome: outcomeOf(err), Detail: detail,
		})
	}
	if errors.Is(err, account.ErrLastAdmin) {
		return s.showPeople(w, r, http.StatusConflict, present.PeopleState{Form: present.FormUsers, Name: name, Wrong: err})
	}
	if err != nil {
		return err
	}
	s.gate.Recheck()
	return s.toPeople(w, r, "#users")
}

// resetPassword gives somebody else's account another password.
func (s *server) resetPassword(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	name := r.PostForm.Get("name")
	_, err := s.setPassword(r, name, r.PostForm.Get("new"), r.PostForm.Get("again"))
	if wrongPassword(err) {
		return s.showPeople(w, r, http.StatusUnprocessableEntity, present.PeopleState{Form: present.FormPassword, Name: name, Wrong: err})
	}
	if err != nil {
		return err
	}
	return s.toPeople(w, r, "#users")
}

// createToken makes a token for a program and shows its text, this once.
// Sending the form again makes another: the text is not kept to be shown after
// a redirect.
func (s *server) createToken(w http.ResponseWriter, r *http.Request) error {
	if s.Access.Tokens == nil {
		return errNotFound
	}
	if err := parseForm(r); err != nil {
		return err
	}
	actor, _ := auth.From(r.Context())
	state := present.PeopleState{
		Form: present.FormToken, Role: r.PostForm.Get("role"), Label: clipped(r.PostForm.Get("label")), Days: clipped(r.PostForm.Get("days")),
	}
	text, token, err := account.NewToken(account.TokenRequest{
		Kind: account.APIToken, Role: account.Role(state.Role), Label: r.PostForm.Get("label"), Lifetime: wholeDays(state.Days), By: actor.String(),
	}, s.Now())
	switch {
	case errors.Is(err, account.ErrLabel), errors.Is(err, account.ErrTokenLifetime):
		state.Wrong = err
		return s.showPeople(w, r, http.StatusUnprocessableEntity, state)
	case err != nil:
		return errors.Join(errBadForm, err)
	}
	err = s.Access.Tokens.Add(r.Context(), token)
	s.record(r.Context(), account.CreateToken, token.ID, err)
	if err != nil {
		return err
	}
	return s.showPeople(w, r, http.StatusOK, present.PeopleState{Made: &token, Secret: text})
}

// wholeDays is a number of days as a duration; what is none, or too many to be
// one, is a duration that no token can have.
func wholeDays(text string) time.Duration {
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > 10_000 {
		return -1
	}
	return time.Duration(days) * 24 * time.Hour
}

// revokeToken makes a token open nothing from now on.
func (s *server) revokeToken(w http.ResponseWriter, r *http.Request) error {
	if s.Access.Tokens == nil {
		return errNotFound
	}
	if err := parseForm(r); err != nil {
		return err
	}
	id := r.PostForm.Get("id")
	_, err := s.Access.Tokens.Revoke(r.Context(), id, s.Now())
	if errors.Is(err, account.ErrNoToken) {
		return err
	}
	s.record(r.Context(), account.RevokeToken, id, err)
	if err != nil {
		return err
	}
	s.gate.Recheck()
	return s.toPeople(w, r, "#tokens")
}

// auditOnPage is how many entries a page of the audit log holds.
const auditOnPage = 100

// audit shows what was done and by whom, newest first.
func (s *server) audit(w http.ResponseWriter, r *http.Request) error {
	if s.Access.Audit == nil {
		return errNotFound
	}
	query := r.URL.Query()
	state := present.AuditState{Filter: account.AuditFilter{
		Action: account.Action(query.Get("action")), Outcome: account.AuditOutcome(query.Get("outcome")), Who: query.Get("who"),
	}}
	state.Filter.Before, _ = strconv.ParseInt(query.Get("before"), 10, 64) // what is no place is the newest end
	entries, err := s.Access.Audit.List(r.Context(), state.Filter, auditOnPage+1)
	if err != nil {
		return fmt.Errorf("show audit log: %w", err)
	}
	state.Older = len(entries) > auditOnPage
	state.Entries = entries[:min(len(entries), auditOnPage)]
	s.render(w, r, http.StatusOK, views.AuditPage(present.Audit(s.frame(w, r), state)))
	return nil
}
