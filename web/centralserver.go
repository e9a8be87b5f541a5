package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// centralServer shows the article's argument for the figures in the query.
func (s *server) centralServer(w http.ResponseWriter, r *http.Request) error {
	frame := s.frame(w, r)
	frame.Section = "learn"
	s.render(w, r, http.StatusOK, views.CentralServerPage(present.CentralServer(frame, present.ReadCollector(r.URL.Query()))))
	return nil
}
