package web

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"lockstep/views/locale"
	"lockstep/web/auth"
	"lockstep/web/present"
)

// themeCookie is where the browser keeps the visitor's theme.
const themeCookie = "lockstep_theme"

// language is that of the path, else the one the browser asks for.
func (s *server) language(w http.ResponseWriter, r *http.Request) locale.Locale {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if l, found := s.texts.In(first); found {
		return l
	}
	w.Header().Add("Vary", "Accept-Language")
	return s.texts.Negotiate(r.Header.Get("Accept-Language"))
}

// frame is what surrounds the answer to r.
func (s *server) frame(w http.ResponseWriter, r *http.Request) present.Frame {
	actor, in := auth.From(r.Context())
	f := present.Frame{
		Locale:  s.language(w, r),
		Target:  r.URL,
		Session: in,
		Actor:   actor,
		People:  s.Access.Users != nil,
		Runs:    s.Runner != nil,
		Ranks:   s.LocalRanks,
		Assets:  s.assets,
		Version: s.Version,
		Program: s.Program,
	}
	other := locale.Chinese
	if f.Locale.Lang() == locale.Chinese {
		other = locale.English
	}
	f.Other, _ = s.texts.In(other)
	if cookie, err := r.Cookie(themeCookie); err == nil {
		f.Theme = cookie.Value
	}
	return f
}

// render writes a page. It is made in full first, so that a failure leaves no
// half page behind.
func (s *server) render(w http.ResponseWriter, r *http.Request, status int, page templ.Component) {
	var body bytes.Buffer
	if err := page.Render(r.Context(), &body); err != nil {
		s.Log.ErrorContext(r.Context(), "render page", "path", r.URL.Path, "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "private, no-cache")
	}
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // an error means that the visitor has left
}
