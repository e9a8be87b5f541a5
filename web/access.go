package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"lockstep/web/account"
	"lockstep/web/present"
)

// maxGiven is how much of a refused key the form gives back, in bytes.
const maxGiven = 200

// bringsKey reports whether the address carries a key to be used. A HEAD, by
// which programs look at links, uses nothing up.
func bringsKey(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Query().Has("key")
}

// enter opens a session with the key in the address and goes on to the page
// without it, so that it stays in no history and no bookmark. A visitor who
// has a session keeps both it and the key.
func (s *server) enter(w http.ResponseWriter, r *http.Request, path string) error {
	w.Header().Set("Cache-Control", "no-store")
	query := r.URL.Query()
	key := query.Get("key")
	query.Del("key")
	err := s.open(w, r, key)
	if errors.Is(err, account.ErrKeyRefused) {
		return s.askLogin(w, r, http.StatusForbidden, present.Attempt{Next: path, Refused: true})
	}
	if err != nil {
		return err
	}
	clean := url.URL{Path: path, RawQuery: query.Encode()}
	http.Redirect(w, r, clean.String(), http.StatusSeeOther)
	return nil
}

// open gives a visitor without session one, for a key.
func (s *server) open(w http.ResponseWriter, r *http.Request, key string) error {
	if s.gate.Has(r.Context()) {
		return nil
	}
	// What cannot be a key costs the visitor none of their tries: any page on
	// the web could make their browser send such.
	if _, err := account.ParseKey(key); err != nil {
		return err
	}
	if embedded(r) {
		return account.ErrKeyRefused
	}
	visitor := neighbourhood(addressOf(r))
	// A key that opens does so however many others were tried: a class may sit
	// behind one address, and 128 bits need no other guard. Those that open
	// nothing are counted, for whoever tries them.
	switch err := s.gate.Open(r.Context(), key); {
	case errors.Is(err, account.ErrKeyRefused):
		if s.tries.OnLimit(w, r, visitor) { // which says when to try again
			return errTooManyTries
		}
		if s.paces.refusals.allow(visitor) {
			s.record(r.Context(), account.LogIn, string(account.ByKey), err)
		}
		return err
	case err != nil:
		return err
	}
	s.record(r.Context(), account.LogIn, string(account.ByKey), nil)
	if s.KeyUsed != nil {
		// The key is used even if the visitor leaves at this very moment.
		s.KeyUsed(context.WithoutCancel(r.Context()))
	}
	return nil
}

// embedded reports whether another site's page has the browser fetch this
// without showing it, as an image, say. A link that a person follows is
// fetched as a document.
func embedded(r *http.Request) bool {
	site, dest := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Dest")
	return (site == "cross-site" || site == "same-site") && dest != "document"
}

// anyLogin sends the visitor to the login page in their language.
func (s *server) anyLogin(w http.ResponseWriter, r *http.Request) error {
	login := url.URL{Path: "/" + s.language(w, r).Lang() + "/login"}
	if next, ok := localPath(r.URL.Query().Get("next")); ok {
		login.RawQuery = url.Values{"next": {next}}.Encode()
	}
	http.Redirect(w, r, login.String(), http.StatusSeeOther)
	return nil
}

func (s *server) login(w http.ResponseWriter, r *http.Request) error {
	next := s.next(w, r, r.URL.Query().Get("next"))
	if s.gate.Has(r.Context()) {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return nil
	}
	return s.askLogin(w, r, http.StatusOK, present.Attempt{Next: next})
}

// logIn takes what one of the login page's two forms holds: a key, or a name
// and a password.
func (s *server) logIn(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	next := s.next(w, r, r.PostForm.Get("next"))
	if r.PostForm.Has("password") {
		return s.logInByPassword(w, r, next)
	}
	given := r.PostForm.Get("key")
	err := s.open(w, r, keyIn(given))
	if errors.Is(err, account.ErrKeyRefused) {
		return s.askLogin(w, r, http.StatusForbidden, present.Attempt{Next: next, Given: clipped(given), Refused: true})
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, next, http.StatusSeeOther)
	return nil
}

func (s *server) logOut(w http.ResponseWriter, r *http.Request) error {
	if s.gate.Has(r.Context()) {
		s.record(r.Context(), account.LogOut, "", nil)
	}
	if err := s.gate.Close(r.Context()); err != nil {
		return err
	}
	http.Redirect(w, r, s.next(w, r, ""), http.StatusSeeOther)
	return nil
}

// setTheme is the theme switch for browsers without scripts.
func (s *server) setTheme(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	theme := r.PostForm.Get("theme")
	if !present.IsTheme(theme) {
		return errBadForm
	}
	http.SetCookie(w, &http.Cookie{
		Name: themeCookie, Value: theme, Path: "/", MaxAge: 365 * 24 * 60 * 60,
		SameSite: http.SameSiteLaxMode, // not HttpOnly: the script of the page sets it too
	})
	http.Redirect(w, r, s.next(w, r, r.PostForm.Get("next")), http.StatusSeeOther)
	return nil
}

// next returns the page to go on to: the one asked for if it is the console's
// own, else the home page.
func (s *server) next(w http.ResponseWriter, r *http.Request, asked string) string {
	if next, ok := localPath(asked); ok {
		return next
	}
	return "/" + s.language(w, r).Lang() + "/"
}

// localPath accepts a path on this console. Browsers read // and \ as the
// start of another host, and drop control characters before they look.
func localPath(next string) (string, bool) {
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsRune(next, '\\') || strings.ContainsFunc(next, unicode.IsControl) {
		return "", false
	}
	u, err := url.Parse(next)
	if err != nil || u.Host != "" || u.Scheme != "" {
		return "", false
	}
	return next, true
}

// keyIn finds the key in what a person has pasted: the key alone, or the
// whole address that holds it.
func keyIn(pasted string) string {
	pasted = strings.TrimSpace(pasted)
	if _, rest, found := strings.Cut(pasted, "key="); found {
		pasted, _, _ = strings.Cut(rest, "&")
	}
	return pasted
}

// clipped is what a form gives back of what was typed.
func clipped(given string) string {
	return strings.ToValidUTF8(given[:min(len(given), maxGiven)], "")
}

// parseForm reads a form into r.PostForm. Whatever comes out of there can be
// printed.
func parseForm(r *http.Request) error {
	err := r.ParseForm()
	switch tooLarge := new(http.MaxBytesError); {
	case err == nil:
		return printable(r.PostForm)
	case errors.As(err, &tooLarge):
		return err
	}
	return errors.Join(errBadForm, err)
}
