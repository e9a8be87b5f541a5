package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"lockstep/sizing/report"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
	"lockstep/web/present"
)

// Reports keeps reports. The error for one that does not exist is
// report.ErrNone.
type Reports interface {
	// Save keeps a report as a new one, or as the next version of the one its
	// ID names.
	Save(ctx context.Context, draft report.Report, now time.Time) (report.Report, error)
	// Find returns one version.
	Find(ctx context.Context, id string, version int) (report.Report, error)
	// Latest returns the newest versions of at most limit reports, the one
	// saved last first.
	Latest(ctx context.Context, limit int) ([]report.Report, error)
	// Share keeps a link to a version.
	Share(ctx context.Context, s report.Share) error
	// Shares returns the links that open a version at the given moment.
	Shares(ctx context.Context, id string, version int, now time.Time) ([]report.Share, error)
	// Opened returns the link of a secret. The error is report.ErrShareUnknown
	// or report.ErrShareGone for what opens nothing.
	Opened(ctx context.Context, secret string, now time.Time) (report.Share, error)
	// Unshare makes a link open nothing any more.
	Unshare(ctx context.Context, id string, now time.Time) (report.Share, error)
}

// listedReports is how many reports the list holds.
const listedReports = 200

// members is requireActor for what a stranger has filled in already: they log
// in first and come back to where next leads.
func (s *server) members(needed account.Role, next func(*http.Request) string, h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		switch err := may(r, needed); {
		case err == nil:
			return h(w, r)
		case err != errNoSession:
			return err
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxStrangerForm)
		if err := parseUpload(r); err != nil {
			return err
		}
		s.toLogin(w, r, next(r))
		return nil
	})
}

// here leads back to the page that was asked for.
func here(r *http.Request) string { return r.URL.RequestURI() }

// draftOf leads from a report that could not be saved to the form that holds
// everything that was typed.
func (s *server) draftOf(r *http.Request) string {
	values := r.PostForm
	values.Del("logo_data") // too long for an address
	if desk, err := s.desk(r.Context()); err == nil {
		values = present.ReadDraft(values, desk.Known).Values()
	}
	return r.URL.Path + "/new?" + values.Encode()
}

// reportOf leads from what is done to a version to the version.
func (s *server) reportOf(r *http.Request) string {
	return strings.TrimSuffix(strings.TrimSuffix(r.URL.Path, "/unshare"), "/share")
}

// reportRoutes adds the addresses of reports. Each belongs to members.
func (s *server) reportRoutes(r chi.Router) {
	if s.Reports == nil {
		return
	}
	const all = "/{lang:zh|en}/reports"
	r.Get(all, s.members(account.Viewer, here, s.reports))
	r.Post(all, s.members(account.Presenter, s.draftOf, s.saveReport))
	r.Get(all+"/new", s.members(account.Presenter, here, s.newReport))
	r.Get(all+"/compare", s.members(account.Viewer, here, s.compareReports))
	r.Get(all+"/{id}/v/{version}", s.members(account.Viewer, here, s.report))
	r.Get(all+"/{id}/v/{version}/print.css", s.members(account.Viewer, here, s.reportStyle))
	r.Get(all+"/{id}/v/{version}/logo.png", s.members(account.Viewer, here, s.reportLogo))
	r.Get(all+"/{id}/v/{version}/export", s.members(account.Viewer, here, s.exportReport))
	r.Post(all+"/{id}/v/{version}/share", s.members(account.Presenter, s.reportOf, s.shareReport))
	r.Post(all+"/{id}/v/{version}/unshare", s.members(account.Presenter, s.reportOf, s.unshareReport))
	r.With(s.paced).Get("/r/{secret}", s.handle(s.sharedReport))
	r.With(s.paced).Get("/r/{secret}/file", s.handle(s.sharedFile))
	r.With(s.paced).Get("/r/{secret}/logo.png", s.handle(s.sharedLogo))
}

func (s *server) reports(w http.ResponseWriter, r *http.Request) error {
	saved, err := s.Reports.Latest(r.Context(), listedReports+1)
	if err != nil {
		return err
	}
	more := len(saved) > listedReports
	s.render(w, r, http.StatusOK, views.ReportsPage(present.Reports(s.frame(w, r), saved[:min(len(saved), listedReports)], more)))
	return nil
}

// compareReports sets two versions side by side, or asks which.
func (s *server) compareReports(w http.ResponseWriter, r *http.Request) error {
	var sides [2]*report.Report
	for i, name := range []string{"a", "b"} {
		asked := r.URL.Query().Get(name)
		if asked == "" {
			continue
		}
		found, err := s.namedReport(r.Context(), asked)
		if err != nil {
			return err
		}
		sides[i] = &found
	}
	latest, err := s.Reports.Latest(r.Context(), listedReports)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.ReportComparePage(present.CompareReports(s.frame(w, r), latest, sides[0], sides[1])))
	return nil
}

// namedReport finds the version that a name such as 0007/2 says, or the newest
// where it says none.
func (s *server) namedReport(ctx context.Context, name string) (report.Report, error) {
	id, version := present.ReadReportName(name)
	found, err := s.Reports.Find(ctx, id, max(version, 1))
	if err == nil && version == 0 && found.Latest > 1 {
		found, err = s.Reports.Find(ctx, id, found.Latest)
	}
	return found, err
}

// newReport shows the form that makes a report of an estimate.
func (s *server) newReport(w http.ResponseWriter, r *http.Request) error {
	desk, err := s.desk(r.Context())
	if err != nil {
		return err
	}
	draft := present.ReadDraft(r.URL.Query(), desk.Known)
	if draft.Cover.Logo, _, err = s.logoOf(r, r.URL.Query(), draft.Of); err != nil {
		return err
	}
	return s.askReport(w, r, http.StatusOK, draft, desk)
}

// askReport shows the form. An estimate with a field that cannot be read goes
// back to where it can be mended.
func (s *server) askReport(w http.ResponseWriter, r *http.Request, status int, draft present.Draft, desk site.Desk) error {
	frame := s.frame(w, r)
	sound, err := draft.Price(desk)
	if err != nil {
		return err
	}
	if !sound {
		http.Redirect(w, r, draft.BackURL(frame), http.StatusSeeOther)
		return nil
	}
	if draft.Of != "" {
		if _, err := s.Reports.Find(r.Context(), draft.Of, 1); err != nil {
			return err
		}
	}
	s.render(w, r, status, views.ReportFormPage(present.NewReport(frame, draft)))
	return nil
}

// saveReport freezes the estimate that the form describes.
func (s *server) saveReport(w http.ResponseWriter, r *http.Request) error {
	if err := parseUpload(r); err != nil {
		return err
	}
	desk, err := s.desk(r.Context())
	if err != nil {
		return err
	}
	draft := present.ReadDraft(r.PostForm, desk.Known)
	draft.Flaws = draft.Cover.Flaws()
	logo, flaws, err := s.logoOf(r, r.PostForm, draft.Of)
	if err != nil {
		return err
	}
	draft.Cover.Logo, draft.Flaws = logo, append(draft.Flaws, flaws...)
	if draft.Cover.Expired(s.Now()) && !slices.ContainsFunc(draft.Flaws, func(f report.Flaw) bool { return f.Kind == report.NoDate }) {
		draft.Flaws = append(draft.Flaws, report.Flaw{Field: "valid", Kind: report.Past})
	}
	sound, err := draft.Price(desk)
	if err != nil {
		return err
	}
	if len(draft.Flaws) > 0 || !sound {
		return s.askReport(w, r, http.StatusUnprocessableEntity, draft, desk)
	}
	var languages []locale.Locale
	for _, lang := range []string{locale.Chinese, locale.English} {
		l, _ := s.texts.In(lang)
		languages = append(languages, l)
	}
	content := draft.Document(s.Version, s.Now().Format("2006-01-02 15:04"), languages)
	saved, err := s.Reports.Save(r.Context(), report.Report{ID: draft.Of, Cover: draft.Cover, Content: content}, s.Now())
	if err != nil {
		return err
	}
	http.Redirect(w, r, present.ReportURL(s.frame(w, r), saved), http.StatusSeeOther)
	return nil
}

// findReport returns the version that the path names.
func (s *server) findReport(r *http.Request) (report.Report, error) {
	version, err := strconv.Atoi(chi.URLParam(r, "version"))
	if err != nil {
		return report.Report{}, errors.Join(report.ErrNone, err)
	}
	return s.Reports.Find(r.Context(), chi.URLParam(r, "id"), version)
}

// reportLanguages returns the language that a report is asked for in, which is
// the page's unless the address says another, and the other one.
func (s *server) reportLanguages(w http.ResponseWriter, r *http.Request) (asked, other locale.Locale) {
	asked = s.language(w, r)
	if l, found := s.texts.In(r.URL.Query().Get("lang")); found {
		asked = l
	}
	other, _ = s.texts.In(locale.Chinese)
	if asked.Lang() == locale.Chinese {
		other, _ = s.texts.In(locale.English)
	}
	return asked, other
}

func (s *server) report(w http.ResponseWriter, r *http.Request) error {
	saved, err := s.findReport(r)
	if err != nil {
		return err
	}
	return s.showReport(w, r, saved, "")
}

// showReport shows a version with what can be done with it; made is a link to it
// that has just been made, empty for none.
func (s *server) showReport(w http.ResponseWriter, r *http.Request, saved report.Report, made string) error {
	asked, other := s.reportLanguages(w, r)
	frame := s.frame(w, r)
	page := present.Report(frame, asked, other, saved)
	page.Expired = present.ReportExpired(asked, saved, s.Now())
	if frame.May(account.Presenter) {
		shares, err := s.Reports.Shares(r.Context(), saved.ID, saved.Version, s.Now())
		if err != nil {
			return err
		}
		sharing := present.ReportShares(frame, asked, saved, shares, made)
		page.Shares = &sharing
	}
	s.render(w, r, http.StatusOK, views.ReportPage(page))
	return nil
}

// reportStyle is the style sheet of a report's printed pages, which carry its
// title.
func (s *server) reportStyle(w http.ResponseWriter, r *http.Request) error {
	saved, err := s.findReport(r)
	if err != nil {
		return err
	}
	asked, _ := s.reportLanguages(w, r)
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "private, no-cache")
	_, _ = w.Write([]byte(present.ReportStyle(asked, saved))) // an error means that the visitor has left
	return nil
}
