package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// customer says what to ask a customer and what an answer changes.
func (s *server) customer(w http.ResponseWriter, r *http.Request) error {
	page, err := present.Customer(s.lessonFrame(w, r))
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.CustomerPage(page))
	return nil
}
