package web

import (
	"net/http"
	"net/url"
)

// requireSession lets only visitors with a session through; the others are led
// to the login page, and from there to the page they asked for. After a form
// that came without a session they land on the page it stood on.
func (s *server) requireSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.gate.Has(r.Context()) {
			next.ServeHTTP(w, r)
			return
		}
		asked := r.URL.RequestURI()
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			asked = ""
			if from, err := url.Parse(r.Referer()); err == nil { // our own: sameOrigin has looked
				asked = from.RequestURI()
			}
		}
		login := url.URL{Path: "/" + s.language(w, r).Lang() + "/login"}
		if path, ok := localPath(asked); ok && path != "/" {
			login.RawQuery = url.Values{"next": {path}}.Encode()
		}
		http.Redirect(w, r, login.String(), http.StatusSeeOther)
	})
}
