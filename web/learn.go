package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/web/present"
)

// framedPolicy is the policy of a page that other sites may frame: that of
// every page, but for who may. Such a page serves no session content.
func framedPolicy(policy string) string {
	return strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors *", 1)
}

// learn lists what there is to learn.
func (s *server) learn(w http.ResponseWriter, r *http.Request) error {
	v, err := present.Learn(s.lessonFrame(w, r), present.LearnRequest{Query: r.URL.Query().Get("q"), Existing: s.existing(r)})
	if err != nil {
		return fmt.Errorf("present what there is to learn: %w", err)
	}
	s.render(w, r, http.StatusOK, views.LearnPage(v))
	return nil
}

// existing is what there is under /learn beside the lessons.
func (s *server) existing(r *http.Request) present.Existing {
	has := present.Existing{Collective: routed(r, "/zh/learn/all-reduce"), Runs: s.Runner != nil}
	for _, story := range present.Stories() {
		if routed(r, "/zh/learn/"+story) {
			has.Stories = append(has.Stories, story)
		}
	}
	return has
}

// routed reports whether a page has this very address.
func routed(r *http.Request, path string) bool {
	return chi.RouteContext(r.Context()).Routes.Match(chi.NewRouteContext(), http.MethodGet, path)
}

// lessonFrame surrounds a page under /learn. One that another site frames
// knows no session.
func (s *server) lessonFrame(w http.ResponseWriter, r *http.Request) present.Frame {
	frame := s.frame(w, r)
	frame.Section = "learn"
	if r.URL.Query().Get("embed") == "1" {
		frame.Session = false
		w.Header().Set("Content-Security-Policy", framedPolicy(w.Header().Get("Content-Security-Policy")))
	}
	return frame
}

// lessonRequest reads which lesson is asked for, or false after having
// answered that there is none.
func (s *server) lessonRequest(w http.ResponseWriter, r *http.Request, frame present.Frame) (present.LessonRequest, bool) {
	collective, algorithm := chi.URLParam(r, "collective"), chi.URLParam(r, "algorithm")
	entry, err := schedule.Find(schedule.Collective(collective), algorithm)
	if err != nil {
		v, err := present.Learn(frame, present.LearnRequest{Missing: collective + "/" + algorithm, Existing: s.existing(r)})
		if err != nil {
			s.fail(w, r, err)
			return present.LessonRequest{}, false
		}
		s.render(w, r, http.StatusNotFound, views.LearnPage(v))
		return present.LessonRequest{}, false
	}
	return present.LessonRequest{Entry: entry, Query: r.URL.Query(), Runs: routed(r, "/zh/runs/new"), Race: routed(r, "/zh/learn/race"), Origin: ownOrigin(r)}, true
}

// lesson shows one step of a collective. What its form sends is led to the
// address of what was chosen.
func (s *server) lesson(w http.ResponseWriter, r *http.Request) error {
	frame := s.lessonFrame(w, r)
	request, found := s.lessonRequest(w, r, frame)
	if !found {
		return nil
	}
	target, err := present.LessonTarget(frame, request)
	if err != nil {
		return err
	}
	if target != "" {
		http.Redirect(w, r, target, http.StatusSeeOther)
		return nil
	}
	lesson, err := workOut(r.Context(), s.turns, func() (views.Lesson, error) { return present.Lesson(frame, request) })
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.LessonPage(lesson))
	return nil
}

// lessonSteps is the document from which scripts play a lesson.
func (s *server) lessonSteps(w http.ResponseWriter, r *http.Request) error {
	frame := s.lessonFrame(w, r)
	request, found := s.lessonRequest(w, r, frame)
	if !found {
		return nil
	}
	document, err := workOut(r.Context(), s.turns, func() ([]byte, error) {
		table, err := present.BuildLessonTable(frame, request)
		if err != nil {
			return nil, err
		}
		document, err := json.Marshal(table)
		if err != nil {
			return nil, fmt.Errorf("write lesson table: %w", err)
		}
		return document, nil
	})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, no-cache")
	_, _ = w.Write(document) // an error means that the visitor has left
	return nil
}
