package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/sizing"
	"lockstep/sizing/site"
	"lockstep/static"
	"lockstep/views/locale"
	"lockstep/views/raster"
	"lockstep/web/auth"
	"lockstep/web/present"
)

// RecentRuns reads saved runs.
type RecentRuns interface {
	// Recent returns at most limit runs, newest first.
	Recent(ctx context.Context, limit int) ([]trace.Run, error)
}

// Config is what the pages are about and what they rest on. Runs, Article and
// KeyUsed may be nil; everything else is needed.
type Config struct {
	Port     int      // that browsers reach the console at
	Hosts    []string // accepted in the Host header; see LoopbackHosts
	Keys     auth.Keys
	Sessions auth.Sessions
	Access   Access                      // who comes in otherwise than by key, and from where
	KeyUsed  func(context.Context)       // called once after each key that has opened a session
	Ready    func(context.Context) error // whether the parts behind the pages can serve

	Live       LiveRuns   // nil where no runs are carried out
	Saved      SavedRuns  // nil for none
	Reports    Reports    // nil for none
	Machines   Machines   // nil where no logs are kept
	Entries    OwnEntries // of the catalogue; nil for none
	Runs       RecentRuns
	Runner     Runner // nil leaves the pages about runs out
	Archive    RunArchive
	Sweeper    Sweeper      // nil leaves comparisons out
	Sweeps     SweepArchive // nil with Sweeper
	Planner    Planner
	Disturb    Disturber   // nil for none
	Calibrator Calibrator  // nil for none
	Backends   Backends    // nil where there is nothing to choose
	Nodes      Nodes       // nil where no agents are listened to
	Keeper     NodeKeeper  // nil with Nodes
	Inviter    NodeInviter // nil with Nodes
	Article    func() (present.Article, error)
	Machine    inventory.Node
	LocalRanks int        // rank processes that this machine offers
	Metrics    *Metrics   // nil for none
	Unfinished Unfinished // nil for none; read by Metrics

	Develop bool // serves the gallery of parts, for those who build pages
	Version string
	Program string // how the console is called in a terminal here
	Now     func() time.Time
	Log     *slog.Logger
}

// keyTries is how many keys an address may try in a minute: more than a
// person needs, and nothing against 128 bits.
const keyTries = 30

// server answers requests. All fields are set by New and read only.
type server struct {
	Config
	hosts    map[string]bool
	gate     *auth.Gate
	texts    *locale.Bundle
	files    *static.Files
	assets   present.Assets
	pictures pictures
	press    *press
	turns    atOnce
	atlas    *sizing.Atlas
	sizes    site.Desk // its catalogue is the program's own; see desk
	held     heldCatalog
	tries    *httprate.RateLimiter
	paces    paces
	origins  *http.CrossOriginProtection
	feeds    *feeds // nil without saved runs
	here     compared
}

// New returns the handler of all pages.
func New(c Config) (http.Handler, error) {
	texts, err := locale.Load()
	if err != nil {
		return nil, err
	}
	files, err := static.New()
	if err != nil {
		return nil, err
	}
	painter, err := raster.New()
	if err != nil {
		return nil, err
	}
	sizes, err := site.OpenDesk()
	if err != nil {
		return nil, err
	}
	s := &server{
		Config: c,
		sizes:  sizes,
		hosts:  map[string]bool{},
		texts:  texts,
		files:  files,
		assets: present.Assets{
			Styles: []string{files.URL("css/tokens.css"), files.URL("css/page.css"), files.URL("css/parts.css"), files.URL("css/sweep.css"),
				files.URL("css/chart.css"), files.URL("css/race.css"), files.URL("css/which.css"), files.URL("css/stage.css"), files.URL("css/learn.css"), files.URL("css/take.css"), files.URL("css/ask.css"), files.URL("css/home.css"), files.URL("css/find.css"), files.URL("css/course.css"), files.URL("css/run.css"), files.URL("css/notice.css"), files.URL("css/size.css"), files.URL("css/step.css"), files.URL("css/report.css"), files.URL("css/people.css"), files.URL("css/nodes.css"), files.URL("css/break.css"), files.URL("css/texts.css"), files.URL("css/why.css"), files.URL("css/topology.css"), files.URL("css/diagnose.css"), files.URL("css/machines.css"), files.URL("css/catalog.css")},
			Script: files.URL("js/page.js"),
			Icon:   files.URL("img/favicon.svg"),
		},
		pictures: newPictures(files),
		press:    newPress(painter),
		turns:    newAtOnce(),
		atlas:    sizing.NewAtlas(present.PlaneRanks),
		tries:    httprate.NewRateLimiter(keyTries, time.Minute),
		origins:  http.NewCrossOriginProtection(),
	}
	if c.Saved != nil {
		s.feeds = newFeeds(c.Live, c.Saved, c.Now)
	}
	s.paces = newPaces(c.Now)
	s.audited()
	for _, host := range c.Hosts {
		s.hosts[host] = true
	}
	s.gate = auth.New(auth.Config{
		Port: c.Port, TLS: c.Access.TLS, Keys: c.Keys, Users: c.Access.Users, Passwords: c.Access.Passwords, Tokens: c.Access.Tokens,
		Sessions: c.Sessions, From: addressIn, Now: c.Now, Fail: s.fail,
	})
	return s.routes(), nil
}
