package web

import (
	"fmt"
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/present"
)

// words shows the glossary.
func (s *server) words(w http.ResponseWriter, r *http.Request) error {
	v, err := present.Words(s.lessonFrame(w, r), s.existing(r))
	if err != nil {
		return fmt.Errorf("present words: %w", err)
	}
	s.render(w, r, http.StatusOK, views.WordsPage(v))
	return nil
}

// courseRequest reads which path or lab is asked for.
func (s *server) courseRequest(r *http.Request) present.CourseRequest {
	return present.CourseRequest{ID: chi.URLParam(r, "id"), Answers: r.URL.Query().Get("answer") == "1", Existing: s.existing(r)}
}

// learnPath shows an order in which to go through pages.
func (s *server) learnPath(w http.ResponseWriter, r *http.Request) error {
	v, found, err := present.Path(s.lessonFrame(w, r), s.courseRequest(r))
	if err != nil {
		return fmt.Errorf("present path: %w", err)
	}
	if !found {
		return s.learnMissing(w, r)
	}
	s.render(w, r, http.StatusOK, views.PathPage(v))
	return nil
}

// labs lists the sheets of the labs.
func (s *server) labs(w http.ResponseWriter, r *http.Request) error {
	s.render(w, r, http.StatusOK, views.LabsPage(present.Labs(s.lessonFrame(w, r))))
	return nil
}

// lab shows one sheet, with its answer where the address asks for that.
func (s *server) lab(w http.ResponseWriter, r *http.Request) error {
	v, found, err := present.Lab(s.lessonFrame(w, r), s.courseRequest(r))
	if err != nil {
		return fmt.Errorf("present lab: %w", err)
	}
	if !found {
		return s.learnMissing(w, r)
	}
	s.render(w, r, http.StatusOK, views.LabPage(v))
	return nil
}

// learnMissing answers that there is no such path or lab, with what there is.
func (s *server) learnMissing(w http.ResponseWriter, r *http.Request) error {
	v, err := present.Learn(s.lessonFrame(w, r), present.LearnRequest{Missing: chi.URLParam(r, "id"), Existing: s.existing(r)})
	if err != nil {
		return fmt.Errorf("present what there is to learn: %w", err)
	}
	s.render(w, r, http.StatusNotFound, views.LearnPage(v))
	return nil
}
