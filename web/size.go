package web

import (
	"context"
	"net/http"

	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/web/account"
	"lockstep/web/auth"
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

// desk is what sizes are made from: the catalogue as it is now, what was
// measured, and for those who are in the machines of which logs are kept.
func (s *server) desk(ctx context.Context) (site.Desk, error) {
	d := s.sizes
	var err error
	if d.Known, err = s.catalog(ctx); err != nil {
		return d, err
	}
	if actor, in := auth.From(ctx); in && s.Machines != nil && actor.Role.May(account.Viewer) {
		d.Machines, err = s.Machines.List(ctx)
	}
	return d, err
}
