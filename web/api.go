package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/schedule"
)

// runState answers how a run stands: what its WebSocket would say first, for those
// who rather ask now and then.
func (s *server) runState(w http.ResponseWriter, r *http.Request) error {
	id, since, err := s.watched(r)
	if err != nil {
		return err
	}
	one := s.feeds.join(id)
	defer s.feeds.leave(one)
	made, _, _, err := one.next(r.Context(), place{since, passing})
	if err != nil {
		return err
	}
	return answerJSON(w, made.body)
}

// schedules answers with the catalogue: every collective and algorithm with its
// limits and closed forms.
func (s *server) schedules(w http.ResponseWriter, _ *http.Request) error {
	body, err := json.Marshal(schedule.List())
	if err != nil {
		return fmt.Errorf("write the catalogue: %w", err)
	}
	return answerJSON(w, body)
}

func answerJSON(w http.ResponseWriter, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // an error means that the visitor has left
	return nil
}

// runIn is the ID of the run that the address names.
func runIn(r *http.Request) string { return chi.URLParam(r, "id") }

// sinceIn is where whoever asks stands, 0 for nowhere yet.
func sinceIn(r *http.Request) (int, error) {
	text := r.URL.Query().Get("since")
	if text == "" {
		return 0, nil
	}
	since, err := strconv.Atoi(text)
	if err != nil || since < 0 {
		return 0, errBadSince
	}
	return since, nil
}
