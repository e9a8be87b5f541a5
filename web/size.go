package web

import (
	"context"
	"net/http"

	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/web/present"
)

// size prices the training step that the address describes.
func (s *server) size(w http.ResponseWriter, r *http.Request) error {
	desk, err := s.desk(r.Context())
	if err != nil {
		return err
	}
	sized, err := present.ReadSized(r.URL.Query(), desk)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.SizePage(present.Size(s.frame(w, r), sized, desk.Known)))
	return nil
}

// desk is what sizes are made from: the catalogue as it is now, and what was
// measured.
func (s *server) desk(ctx context.Context) (site.Desk, error) {
	d := s.sizes
	var err error
	d.Known, err = s.catalog(ctx)
	return d, err
}
