package web

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"lockstep/sizing/report"
	"lockstep/web/present"
)

// maxReportBody is the most that the form of a report may carry, in bytes: a
// file, also one that is too large for a logo, so that this can be said beside
// everything else that was typed; a logo that was given before, in letters; and
// the fields. A stranger, who has typed them before a session ended, may bring
// as much as is accepted.
const (
	maxReportBody   = 4<<20 + maxStrangerForm
	maxStrangerForm = report.MaxLogo + report.MaxLogo*4/3 + maxBody + 16<<10
)

// parseUpload reads a form that may bring files, in memory alone.
func parseUpload(r *http.Request) error {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return parseForm(r)
	}
	err := r.ParseMultipartForm(maxReportBody) // no more than that comes in
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return err
	} else if err != nil {
		return errors.Join(errBadForm, err)
	}
	return printable(r.PostForm)
}

// uploadedLogo is the file of a parsed form, nil for none. One that is too long
// is cut behind what is too long already.
func uploadedLogo(r *http.Request) ([]byte, error) {
	if r.MultipartForm == nil || len(r.MultipartForm.File["logo"]) == 0 {
		return nil, nil
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()
	file, err := r.MultipartForm.File["logo"][0].Open()
	if err != nil {
		return nil, fmt.Errorf("open an uploaded logo: %w", err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, report.MaxLogo+1))
	if err != nil {
		return nil, fmt.Errorf("read an uploaded logo: %w", err)
	}
	return content, nil
}

// logoOf is the logo of a draft: a file that was just chosen, or the one that
// the form has kept, or that of the version that the draft follows. A file that
// is no logo is a flaw, and leaves the one before.
func (s *server) logoOf(r *http.Request, values url.Values, of string) (kept []byte, flaws []report.Flaw, err error) {
	asked := present.ReadLogo(values)
	switch {
	case !asked.Keep:
	case asked.Data != "":
		// It comes from outside, and is read as anything from there.
		if file, err := base64.StdEncoding.DecodeString(asked.Data); err == nil {
			kept, _, _ = report.Logo(file)
		}
	case of != "" && asked.Version > 0:
		former, err := s.Reports.Find(r.Context(), of, asked.Version)
		if err != nil {
			return nil, nil, err
		}
		kept = former.Cover.Logo
	}
	file, err := uploadedLogo(r)
	if err != nil || len(file) == 0 {
		return kept, nil, err
	}
	logo, flaw, ok := report.Logo(file)
	if !ok {
		return kept, []report.Flaw{flaw}, nil
	}
	return logo, nil, nil
}

// sendLogo answers with the logo of a version.
func sendLogo(w http.ResponseWriter, r *http.Request, saved report.Report) error {
	if len(saved.Cover.Logo) == 0 {
		return errNotFound
	}
	w.Header().Set("Content-Type", "image/png")
	http.ServeContent(w, r, "", saved.Saved, bytes.NewReader(saved.Cover.Logo))
	return nil
}

// reportLogo is the logo of a version that the path names.
func (s *server) reportLogo(w http.ResponseWriter, r *http.Request) error {
	saved, err := s.findReport(r)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	return sendLogo(w, r, saved)
}

// sharedLogo is the logo of a version for whoever has its link.
func (s *server) sharedLogo(w http.ResponseWriter, r *http.Request) error {
	saved, _, err := s.opened(w, r)
	if err != nil {
		return err
	}
	return sendLogo(w, r, saved)
}
