package web

import (
	"fmt"
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// race shows two algorithms for one collective on one axis of time. What its
// forms send is led to the address of what was chosen.
func (s *server) race(w http.ResponseWriter, r *http.Request) error {
	frame := s.frame(w, r)
	frame.Section = "learn"
	ask := present.ReadRace(r.URL.Query())
	if ask.Moves() {
		http.Redirect(w, r, present.RaceURL(frame, ask), http.StatusSeeOther)
		return nil
	}
	page, err := present.Race(frame, ask, s.atlas)
	if err != nil {
		return fmt.Errorf("present race: %w", err)
	}
	s.render(w, r, http.StatusOK, views.RacePage(page))
	return nil
}
