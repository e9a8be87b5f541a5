package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"lockstep/static"
	"lockstep/web/account"
)

// routes is every address that the console answers.
func (s *server) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(s.logged, s.metered, addressed, s.recovered, s.secured, s.hosted, s.sameOrigin, s.readable, limited, middleware.GetHead)

	r.Get("/healthz", s.handle(s.healthz))
	r.Get("/readyz", s.handle(s.readyz))
	r.With(packed).Get(static.Prefix+"*", s.handle(s.staticFile))

	r.Group(func(r chi.Router) {
		r.Use(s.gate.Sessions, s.tokenNoted)
		r.Get("/", s.handle(s.root))
		r.Get("/login", s.handle(s.anyLogin))
		r.Post("/theme", s.handle(s.setTheme))
		r.Get("/{lang:zh|en}", s.handle(s.home))
		r.With(packed).Get("/{lang:zh|en}/", s.handle(s.home))
		r.With(packed).Get("/{lang:zh|en}/about", s.handle(s.about))
		r.Get("/{lang:zh|en}/login", s.handle(s.login))
		r.Post("/{lang:zh|en}/login", s.handle(s.logIn))
		r.Post("/{lang:zh|en}/logout", s.handle(s.logOut))
		r.Group(func(r chi.Router) {
			r.Use(s.paced, packed)
			r.Get("/{lang:zh|en}/learn/race", s.handle(s.race))
			r.Get("/{lang:zh|en}/learn/central-server", s.handle(s.centralServer))
			r.Get("/{lang:zh|en}/learn/why", s.handle(s.why))
			r.Get("/{lang:zh|en}/learn/topology", s.handle(s.topology))
			r.Get("/{lang:zh|en}/learn/words", s.handle(s.words))
			r.Get("/{lang:zh|en}/learn/paths/{id}", s.handle(s.learnPath))
			r.Get("/{lang:zh|en}/learn/labs", s.handle(s.labs))
			r.Get("/{lang:zh|en}/learn/labs/{id}", s.handle(s.lab))
			r.Get("/{lang:zh|en}/learn/libraries", s.handle(s.libraries))
			r.Get("/{lang:zh|en}/learn/bandwidth", s.handle(s.bandwidth))
			r.Get("/{lang:zh|en}/learn/customer", s.handle(s.customer))
			r.Get(collectivePattern(), s.handle(s.collective))
			r.Get("/{lang:zh|en}/size", s.handle(s.size))
			r.Get("/{lang:zh|en}/size/step", s.handle(s.step))
			r.Get("/{lang:zh|en}/learn", s.handle(s.learn))
			r.Get("/{lang:zh|en}/learn/{collective}/{algorithm}", s.handle(s.lesson))
			r.Get("/{lang:zh|en}/learn/{collective}/{algorithm}/steps.json", s.handle(s.lessonSteps))
			r.Get("/{lang:zh|en}/learn/{collective}/{algorithm}/step.svg", s.handle(s.lessonPicture))
			r.Get("/{lang:zh|en}/learn/{collective}/{algorithm}/step.png", s.handle(s.lessonPixels))
			r.Get("/{lang:zh|en}/learn/{collective}/{algorithm}/lesson.gif", s.handle(s.lessonFilm))
			r.Get("/{lang:zh|en}/learn/{collective}/{algorithm}/handout", s.handle(s.lessonHandout))
			r.Get("/{lang:zh|en}/learn/{collective}/{algorithm}/qr.svg", s.handle(s.lessonCode))
		})
		s.reportRoutes(r)
		s.diagnoseRoutes(r)
		s.catalogRoutes(r)
		s.machineRoutes(r)
		s.accountRoutes(r)
		if s.Develop {
			r.Get("/{lang:zh|en}/gallery", s.handle(s.gallery))
		}

		if s.Runner != nil {
			r.Route("/{lang:zh|en}/runs", func(r chi.Router) {
				r.Use(s.requireActor(account.Viewer))
				r.Get("/", s.handle(s.listRuns))
				r.Get("/{id}", s.handle(s.showRun))
				s.sweepRoutes(r)
				r.Group(func(r chi.Router) {
					r.Use(s.requireActor(account.Presenter))
					r.Post("/", s.handle(s.startRun))
					r.Get("/new", s.handle(s.newRun))
					r.Post("/calibrate", s.handle(s.calibrate))
					r.Post("/{id}/cancel", s.handle(s.cancelRun))
					r.Post("/{id}/signal", s.handle(s.disturbRun))
				})
			})
		}

		s.nodeRoutes(r)
		s.apiRoutes(r)
		s.metricsRoute(r)
	})

	r.NotFound(s.gate.Sessions(s.handle(s.notFound)).ServeHTTP)
	r.MethodNotAllowed(s.gate.Sessions(s.handle(s.methodNotAllowed)).ServeHTTP)
	return r
}
