package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// libraries tells what the communication libraries are for and how they came
// about.
func (s *server) libraries(w http.ResponseWriter, r *http.Request) error {
	page, err := present.Libraries(s.lessonFrame(w, r), present.ReadLibraries(r.URL.Query()))
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.LibrariesPage(page))
	return nil
}
