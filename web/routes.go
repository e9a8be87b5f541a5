package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"lockstep/static"
)

// routes is every address that the console answers.
func (s *server) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(s.logged, s.recovered, secured, s.hosted, s.sameOrigin, limited, middleware.GetHead)

	r.Get("/healthz", s.handle(s.healthz))
	r.Get("/readyz", s.handle(s.readyz))
	r.Get(static.Prefix+"*", s.handle(s.staticFile))

	r.Group(func(r chi.Router) {
		r.Use(s.gate.Sessions)
		r.Get("/", s.handle(s.root))
		r.Get("/login", s.handle(s.anyLogin))
		r.Post("/theme", s.handle(s.setTheme))
		r.Get("/{lang:zh|en}", s.handle(s.home))
		r.Get("/{lang:zh|en}/", s.handle(s.home))
		r.Get("/{lang:zh|en}/login", s.handle(s.login))
		r.Post("/{lang:zh|en}/login", s.handle(s.logIn))
		r.Post("/{lang:zh|en}/logout", s.handle(s.logOut))
	})

	r.NotFound(s.gate.Sessions(s.handle(s.notFound)).ServeHTTP)
	r.MethodNotAllowed(s.gate.Sessions(s.handle(s.methodNotAllowed)).ServeHTTP)
	return r
}
