package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/web/present"
)

// collectivePattern is the address of a collective's own page. It names all of
// them, so that no other page under /learn seems to be there.
func collectivePattern() string {
	var names []string
	for _, c := range schedule.Collectives() {
		names = append(names, string(c))
	}
	return "/{lang:zh|en}/learn/{collective:" + strings.Join(names, "|") + "}"
}

// collective shows one collective with all its algorithms.
func (s *server) collective(w http.ResponseWriter, r *http.Request) error {
	page, err := present.Collective(s.lessonFrame(w, r), schedule.Collective(chi.URLParam(r, "collective")), r.URL.Query(), s.atlas)
	if err != nil {
		return fmt.Errorf("present a collective: %w", err)
	}
	s.render(w, r, http.StatusOK, views.CollectivePage(page))
	return nil
}
