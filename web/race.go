package web

import (
	"fmt"
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// race shows two algorithms for one collective on one axis of time.
func (s *server) race(w http.ResponseWriter, r *http.Request) error {
	frame := s.frame(w, r)
	frame.Section = "learn"
	page, err := present.Race(frame, present.ReadRace(r.URL.Query()))
	if err != nil {
		return fmt.Errorf("present race: %w", err)
	}
	s.render(w, r, http.StatusOK, views.RacePage(page))
	return nil
}
