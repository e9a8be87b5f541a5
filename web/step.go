package web

import (
	"net/http"

	"lockstep/sizing/trained"
	"lockstep/views"
	"lockstep/web/present"
)

// step prices the training step that the address describes.
func (s *server) step(w http.ResponseWriter, r *http.Request) error {
	known, err := s.catalog(r.Context())
	if err != nil {
		return err
	}
	model, err := trained.Embedded()
	if err != nil {
		return err
	}
	page, err := present.Step(s.frame(w, r), present.ReadStepForm(r.URL.Query(), known), model, known)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.StepPage(page))
	return nil
}
