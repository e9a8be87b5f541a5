package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// libraries tells what the communication libraries are for and how they came
// about.
func (s *server) libraries(w http.ResponseWriter, r *http.Request) error {
	ask := present.ReadLibraries(r.URL.Query())
	ask.Runs = routed(r, "/zh/runs/new")
	page, err := present.Libraries(s.lessonFrame(w, r), ask)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.LibrariesPage(page))
	return nil
}
