package web

import (
	"net/http"
	"runtime"
	"runtime/debug"

	"lockstep/views"
	"lockstep/web/present"
)

// about shows what this program is made of.
func (s *server) about(w http.ResponseWriter, r *http.Request) error {
	build := present.Build{Version: s.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			build.Modules = append(build.Modules, present.Module{Path: m.Path, Version: m.Version})
		}
	}
	known, err := s.catalog(r.Context())
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.AboutPage(present.About(s.frame(w, r), build, known)))
	return nil
}
