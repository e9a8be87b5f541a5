package web

import (
	"fmt"
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// why shows what training communicates for, with the figures in the query.
func (s *server) why(w http.ResponseWriter, r *http.Request) error {
	frame := s.frame(w, r)
	frame.Section = "learn"
	page, err := present.Why(frame, present.ReadWhy(r.URL.Query()))
	if err != nil {
		return fmt.Errorf("present why training communicates: %w", err)
	}
	s.render(w, r, http.StatusOK, views.WhyPage(page))
	return nil
}
