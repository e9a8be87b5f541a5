package web

import (
	"fmt"
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// topology shows the same all-reduce in several ways on the nodes that the
// query describes.
func (s *server) topology(w http.ResponseWriter, r *http.Request) error {
	frame := s.frame(w, r)
	frame.Section = "learn"
	page, err := present.Topology(frame, present.ReadTopology(r.URL.Query()))
	if err != nil {
		return fmt.Errorf("present topology: %w", err)
	}
	s.render(w, r, http.StatusOK, views.TopologyPage(page))
	return nil
}
