package web

import (
	"fmt"
	"net/http"
	"slices"

	"lockstep/views"
	"lockstep/web/present"
)

// gallery shows every part that pages are made of. It is routed in
// development only.
func (s *server) gallery(w http.ResponseWriter, r *http.Request) error {
	start, err := s.start()
	if err != nil {
		return err
	}
	desk, err := s.desk(r.Context())
	if err != nil {
		return err
	}
	frame := s.frame(w, r)
	frame.Assets.Styles = append(slices.Clone(frame.Assets.Styles), s.files.URL("css/gallery.css"))
	page, err := present.Gallery(frame, present.GalleryMaterial{Tokens: string(s.files.Content("css/tokens.css")), Start: start, Desk: desk})
	if err != nil {
		return fmt.Errorf("present the gallery: %w", err)
	}
	s.render(w, r, http.StatusOK, views.GalleryPage(page))
	return nil
}
