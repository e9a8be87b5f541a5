package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"

	"lockstep/sizing/benchlog"
	"lockstep/sizing/diagnose"
	"lockstep/views"
	"lockstep/web/account"
	"lockstep/web/present"
)

// maxLogBody is the most that may be sent to be diagnosed, in bytes: every file
// and the text at their most, and what a form adds.
const maxLogBody = (present.MaxLogs+1)*present.MaxLog + 1<<20

// diagnoseRoutes adds the page that says what logs show. Nothing that is sent
// to it is kept, unless somebody asks for it.
func (s *server) diagnoseRoutes(r chi.Router) {
	const page = "/{lang:zh|en}/diagnose"
	r.Get(page, s.members(account.Viewer, here, s.showDiagnose))
	r.Post(page, s.members(account.Viewer, here, s.diagnose))
}

// showDiagnose shows the empty form, or one with a sample filled in.
func (s *server) showDiagnose(w http.ResponseWriter, r *http.Request) error {
	ask, err := present.SampleAsk(r.URL.Query().Get("sample"))
	if err != nil {
		return err
	}
	return s.answerDiagnose(w, r, http.StatusOK, ask)
}

// diagnose reads what the form brings, and answers with a page, or with the
// figures as a file.
func (s *server) diagnose(w http.ResponseWriter, r *http.Request) error {
	uploads, err := uploadedLogs(r)
	if err != nil {
		return err
	}
	ask, status := present.ReadDiagnose(r.PostForm, uploads), http.StatusUnprocessableEntity
	if r.PostForm.Get("as") == "language" && ask.Bare() { // nothing is asked but for the language
		ask.Asked, status = false, http.StatusOK
	}
	return s.answerDiagnose(w, r, status, ask)
}

// doctor knows the systems that the console knows at this moment.
func (s *server) doctor(ctx context.Context) (*diagnose.Doctor, error) {
	desk, err := s.desk(ctx)
	if err != nil {
		return nil, fmt.Errorf("open what is known of systems: %w", err)
	}
	return diagnose.New(desk.Library, desk.Known), nil
}

// answerDiagnose examines what was brought; status is that of a page without
// results.
func (s *server) answerDiagnose(w http.ResponseWriter, r *http.Request, status int, ask present.DiagnoseAsk) error {
	doctor, err := s.doctor(r.Context())
	if err != nil {
		return err
	}
	if err := ask.Examine(doctor); err != nil {
		return fmt.Errorf("diagnose logs: %w", err)
	}
	if as := r.PostForm.Get("as"); ask.Sound() {
		switch as {
		case "csv":
			return attach(w, "text/csv; charset=utf-8", "measurements.csv", func(w io.Writer) error { return present.WriteDiagnosisCSV(w, ask.Report()) })
		case "json":
			return attach(w, "application/json", "diagnosis.json", func(w io.Writer) error { return json.NewEncoder(w).Encode(ask.Report()) })
		}
		status = http.StatusOK
	}
	frame := s.frame(w, r)
	frame.Section = "diagnose"
	ask.Keeps = s.Machines != nil && frame.May(account.Presenter)
	if ask.Sound() && r.PostForm.Get("as") == "keep" {
		if err := s.keepMachine(r, doctor, &ask); err != nil {
			return err
		}
	}
	page, err := present.Diagnose(frame, ask)
	if err != nil {
		return fmt.Errorf("present a diagnosis: %w", err)
	}
	w.Header().Set("Cache-Control", "no-store") // what was brought stays nowhere
	s.render(w, r, status, views.DiagnosePage(page))
	return nil
}

// attach answers with a file to be saved.
func attach(w http.ResponseWriter, kind, name string, write func(io.Writer) error) error {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_ = write(w) // an error means that the visitor has left
	return nil
}

// uploadedLogs reads a form that may bring files, in memory alone.
func uploadedLogs(r *http.Request) ([]present.LogText, error) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return nil, parseForm(r)
	}
	err := r.ParseMultipartForm(maxLogBody) // no more than that comes in
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, err
	} else if err != nil {
		return nil, errors.Join(errBadForm, err)
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()
	if err := printable(r.PostForm); err != nil {
		return nil, err
	}
	var logs []present.LogText
	for _, header := range r.MultipartForm.File["files"] {
		text, err := uploadedText(header)
		if err != nil {
			return nil, err
		}
		if header.Filename == "" && text == "" { // a field without a file
			continue
		}
		logs = append(logs, present.LogText{Name: logName(header.Filename), Text: text})
	}
	return logs, nil
}

func uploadedText(header *multipart.FileHeader) (string, error) {
	file, err := header.Open()
	if err != nil {
		return "", fmt.Errorf("open an uploaded log: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, present.MaxLog+1))
	if err != nil {
		return "", fmt.Errorf("read an uploaded log: %w", err)
	}
	if len(text) > present.MaxLog { // it is refused, for its length
		return strings.ToValidUTF8(string(text), "\ufffd"), nil
	}
	return printed(benchlog.Uncoloured(string(benchlog.Plain(text)))), nil
}

// logName is a file's name without the folders that some browsers send along.
func logName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, "\ufffd"), `\`, "/"))
	return clipped(name)
}
