package web

import (
	"errors"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/web/auth"
	"lockstep/web/present"
)

// shareReport makes a link to a version, and shows it once.
func (s *server) shareReport(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	saved, err := s.findReport(r)
	if err != nil {
		return err
	}
	asked, _ := s.reportLanguages(w, r)
	actor, _ := auth.From(r.Context())
	share, secret := report.NewShare(saved, asked.Lang(), actor.String(), s.Now(), present.ShareLifetime(r.PostForm.Get("days")))
	if err := s.Reports.Share(r.Context(), share); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return s.showReport(w, r, saved, ownOrigin(r)+"/r/"+secret)
}

// unshareReport revokes a link.
func (s *server) unshareReport(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	saved, err := s.findReport(r)
	if err != nil {
		return err
	}
	if _, err := s.Reports.Unshare(r.Context(), r.PostForm.Get("share"), s.Now()); err != nil {
		return err
	}
	http.Redirect(w, r, present.ReportURL(s.frame(w, r), saved), http.StatusSeeOther)
	return nil
}

// opened returns the report that the link of a request opens, and the frame in
// its language. Secrets that open nothing are counted for whoever tries them.
func (s *server) opened(w http.ResponseWriter, r *http.Request) (report.Report, present.Frame, error) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex, nofollow")
	frame := s.frame(w, r)
	share, err := s.Reports.Opened(r.Context(), chi.URLParam(r, "secret"), s.Now())
	if errors.Is(err, report.ErrShareUnknown) && s.tries.OnLimit(w, r, neighbourhood(addressOf(r))) {
		return report.Report{}, frame, errTooManyTries
	}
	if err != nil {
		return report.Report{}, frame, err
	}
	lang := share.Lang
	if asked := r.URL.Query().Get("lang"); asked != "" {
		lang = asked
	}
	if l, known := s.texts.In(lang); known && l.Lang() != frame.Locale.Lang() {
		frame.Locale, frame.Other = l, frame.Locale
	}
	saved, err := s.Reports.Find(r.Context(), share.Report, share.Version)
	return saved, frame, err
}

// sharedReport shows a report to whoever has its link.
func (s *server) sharedReport(w http.ResponseWriter, r *http.Request) error {
	saved, frame, err := s.opened(w, r)
	if err != nil {
		return err
	}
	page := present.SharedReport(frame, saved, "/r/"+chi.URLParam(r, "secret"))
	page.Expired = present.ReportExpired(frame.Locale, saved, s.Now())
	s.render(w, r, http.StatusOK, views.SharedReportPage(page))
	return nil
}

// sharedFile gives a report to whoever has its link as a file.
func (s *server) sharedFile(w http.ResponseWriter, r *http.Request) error {
	saved, frame, err := s.opened(w, r)
	if err != nil {
		return err
	}
	format := r.URL.Query().Get("format")
	if !slices.Contains(present.SharedFormats(), format) {
		return errNotFound
	}
	return s.sendReport(w, frame.Locale, saved, format)
}
