package web

import (
	"fmt"
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// size prices the training step that the address describes.
func (s *server) size(w http.ResponseWriter, r *http.Request) error {
	form := present.ReadSizeForm(r.URL.Query())
	estimate, err := form.Step.Estimate()
	if err != nil { // the form leaves nothing that cannot be priced
		return fmt.Errorf("price a step: %w", err)
	}
	s.render(w, r, http.StatusOK, views.SizePage(present.Size(s.frame(w, r), form, estimate)))
	return nil
}
