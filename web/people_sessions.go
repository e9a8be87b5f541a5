package web

import (
	"net/http"

	"lockstep/web/account"
	"lockstep/web/auth"
	"lockstep/web/present"
)

// sessionsOnPage is how many open sessions the page of people shows, those used
// last first.
const sessionsOnPage = 200

// listSessions adds the open sessions to the page of people.
func (s *server) listSessions(r *http.Request, state *present.PeopleState) (err error) {
	state.Sessions, err = s.gate.Opened(r.Context(), sessionsOnPage)
	state.Own, _ = s.gate.Own(r.Context())
	return err
}

// endSession ends a session, whoever's it is, with everything that is open
// under it.
func (s *server) endSession(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	id, err := account.ParseSessionID(r.PostForm.Get("id"))
	if err != nil {
		return err
	}
	actor, _ := auth.From(r.Context())
	own, _ := s.gate.Own(r.Context())
	ended, err := s.gate.End(r.Context(), id)
	if err != nil {
		return err
	}
	// It may have been the visitor's own.
	s.append(r.Context(), account.AuditEntry{
		Who: actor.String(), Via: actor.Via, Action: account.EndSession, Target: ended.Actor.String() + " " + id.Short(), Outcome: account.Allowed,
	})
	if id == own {
		if err := s.gate.Close(r.Context()); err != nil {
			return err
		}
		http.Redirect(w, r, s.path(w, r, "login"), http.StatusSeeOther)
		return nil
	}
	return s.toPeople(w, r, "#sessions")
}
