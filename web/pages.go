package web

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"lockstep/cluster/inventory"
	"lockstep/views"
	"lockstep/web/present"
)

// recentRuns is how many runs the home page lists.
const recentRuns = 8

// root sends the visitor to the home page in their language.
func (s *server) root(w http.ResponseWriter, r *http.Request) error {
	home := "/" + s.language(w, r).Lang() + "/"
	if bringsKey(r) {
		return s.enter(w, r, home)
	}
	http.Redirect(w, r, home, http.StatusFound)
	return nil
}

func (s *server) home(w http.ResponseWriter, r *http.Request) error {
	frame := s.frame(w, r)
	home := "/" + frame.Locale.Lang() + "/"
	if bringsKey(r) {
		return s.enter(w, r, home)
	}
	if r.URL.Path != home { // the slash is missing
		http.Redirect(w, r, home, http.StatusMovedPermanently)
		return nil
	}
	start, err := s.start()
	if err != nil {
		return err
	}
	if s.Access.Network && !frame.Session { // what the machine is like is nobody else's business
		start.Machine = inventory.Node{}
	}
	if s.Runs != nil && frame.Session {
		if start.Runs, err = s.Runs.Recent(r.Context(), recentRuns); err != nil {
			return fmt.Errorf("read recent runs: %w", err)
		}
	}
	s.render(w, r, http.StatusOK, views.HomePage(present.Home(frame, start)))
	return nil
}

// start is what the home page shows to everyone.
func (s *server) start() (present.Start, error) {
	start := present.Start{Machine: s.Machine, LocalRanks: s.LocalRanks, CanRun: s.Runner != nil}
	if s.Article != nil {
		article, err := s.Article()
		if err != nil {
			return start, fmt.Errorf("compute the article's figures: %w", err)
		}
		start.Article = &article
	}
	return start, nil
}

func (s *server) staticFile(w http.ResponseWriter, r *http.Request) error {
	if !s.files.Has(r.URL.Path) {
		return errNotFound
	}
	s.files.ServeHTTP(w, r)
	return nil
}

// healthz says that the process answers.
func (s *server) healthz(w http.ResponseWriter, _ *http.Request) error {
	return plain(w, http.StatusOK, "ok\n")
}

// readyz says whether the parts behind the pages can serve; why not is for
// the log.
func (s *server) readyz(w http.ResponseWriter, r *http.Request) error {
	if err := s.Ready(r.Context()); err != nil {
		s.Log.WarnContext(r.Context(), "not ready", "error", err)
		return plain(w, http.StatusServiceUnavailable, "not ready\n")
	}
	return plain(w, http.StatusOK, "ok\n")
}

func plain(w http.ResponseWriter, status int, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // an error means that the visitor has left
	return nil
}

func (s *server) notFound(http.ResponseWriter, *http.Request) error { return errNotFound }

// methodNotAllowed names the methods that the address does take.
func (s *server) methodNotAllowed(w http.ResponseWriter, r *http.Request) error {
	routes := chi.RouteContext(r.Context()).Routes
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
			allowed = append(allowed, method)
			if method == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
		}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return errMethodNotAllowed
}
