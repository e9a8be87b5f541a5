package web

import (
	"mime"
	"net/http"

	"lockstep/sizing/report"
	"lockstep/views/locale"
	"lockstep/web/present"
)

// exportReport gives a version as a file.
func (s *server) exportReport(w http.ResponseWriter, r *http.Request) error {
	saved, err := s.findReport(r)
	if err != nil {
		return err
	}
	asked, _ := s.reportLanguages(w, r)
	w.Header().Set("Cache-Control", "private, no-cache")
	return s.sendReport(w, asked, saved, r.URL.Query().Get("format"))
}

// sendReport answers with a report as a file to keep.
func (s *server) sendReport(w http.ResponseWriter, l locale.Locale, saved report.Report, format string) error {
	file, known, err := present.ReportFileOf(l, saved, format, s.paperStyle())
	if err != nil {
		return err
	}
	if !known {
		return errNotFound
	}
	w.Header().Set("Content-Type", file.Type)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}))
	_, _ = w.Write(file.Content) // an error means that the visitor has left
	return nil
}

// paperStyle is what a report as one HTML file looks like.
func (s *server) paperStyle() string { return present.PaperStyle(s.files.Text) }
