package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"lockstep/web/account"
	"lockstep/web/auth"
)

// roleError is a refusal of somebody who is in, but may not do this.
type roleError struct{ needed, has account.Role }

func (e *roleError) Error() string {
	return fmt.Sprintf("this needs the role %s, and whoever asks has %s", e.needed, e.has)
}

// may returns nil if whoever asks may do what the role may. Otherwise the
// error is errNoSession for a stranger, account.ErrTokenRefused for a program
// whose token opens nothing, and a *roleError for the rest.
func may(r *http.Request, needed account.Role) error {
	actor, in := auth.From(r.Context())
	switch {
	case !in && auth.ByBearer(r.Context()):
		return account.ErrTokenRefused
	case !in:
		return errNoSession
	case !actor.Role.May(needed):
		return &roleError{needed, actor.Role}
	}
	return nil
}

// requireActor lets only those through whose role includes the needed one. A
// stranger who asks for a page is led to the login page, and from there to the
// page they asked for; after a form that came without a session they land on
// the page it stood on. Programs, which are whoever asks below /api/ or brings
// a token, are answered 401. Whoever is in with too small a role gets 403 and
// is told which one it takes.
func (s *server) requireActor(needed account.Role) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch err := may(r, needed); {
			case err == nil:
				next.ServeHTTP(w, r)
			case err == errNoSession && !strings.HasPrefix(r.URL.Path, "/api/"):
				s.toLogin(w, r, askedPage(r))
			default:
				s.fail(w, r, err)
			}
		})
	}
}

// askedPage is the page to come back to after the login.
func askedPage(r *http.Request) string {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return r.URL.RequestURI()
	}
	from, err := url.Parse(r.Referer()) // our own: sameOrigin has looked
	if err != nil {
		return ""
	}
	return from.RequestURI()
}

// toLogin leads to the login page, and from there to next.
func (s *server) toLogin(w http.ResponseWriter, r *http.Request, next string) {
	login := url.URL{Path: "/" + s.language(w, r).Lang() + "/login"}
	if path, ok := localPath(next); ok && path != "/" {
		login.RawQuery = url.Values{"next": {path}}.Encode()
	}
	http.Redirect(w, r, login.String(), http.StatusSeeOther)
}
