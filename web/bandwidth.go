package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// bandwidth explains the words of bandwidth and converts the figures in the
// query.
func (s *server) bandwidth(w http.ResponseWriter, r *http.Request) error {
	page, err := present.Bandwidth(s.lessonFrame(w, r), present.ReadBandwidth(r.URL.Query()))
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.BandwidthPage(page))
	return nil
}
