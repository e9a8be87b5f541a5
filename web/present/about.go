package present

import (
	"slices"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/views"
	"lockstep/views/raster"
)

// Build is what the program was made of and with.
type Build struct {
	Version  string
	Go       string   // version of the compiler
	Platform string   // system and architecture
	Modules  []Module // linked into the program
}

// Module is a Go module at a version.
type Module struct{ Path, Version string }

// unknownLicence stands where Licences has no entry; a test keeps that from
// happening.
const unknownLicence = "?"

// Licences are those of the modules that the program is linked with, by their
// SPDX names, as their own licence files say.
func Licences() map[string]string {
	return map[string]string{
		"github.com/a-h/templ":                "MIT",
		"github.com/alecthomas/kong":          "MIT",
		"github.com/alexedwards/argon2id":     "MIT",
		"github.com/alexedwards/scs/v2":       "MIT",
		"github.com/beorn7/perks":             "MIT",
		"github.com/boombuler/barcode":        "MIT",
		"codeberg.org/go-pdf/fpdf":            "MIT",
		"github.com/cespare/xxhash/v2":        "MIT",
		"github.com/danielgtaylor/huma/v2":    "MIT",
		"github.com/ebitengine/purego":        "Apache-2.0",
		"github.com/go-chi/chi/v5":            "MIT",
		"github.com/go-chi/httprate":          "MIT",
		"github.com/gofrs/flock":              "BSD-3-Clause",
		"github.com/hashicorp/yamux":          "MPL-2.0",
		"github.com/klauspost/cpuid/v2":       "MIT",
		"github.com/mattn/go-sqlite3":         "MIT",
		"github.com/mfridman/interpolate":     "MIT",
		"github.com/munnerz/goautoneg":        "BSD-3-Clause",
		"github.com/nicksnyder/go-i18n/v2":    "MIT",
		"github.com/pressly/goose/v3":         "MIT",
		"github.com/prometheus/client_golang": "Apache-2.0",
		"github.com/prometheus/client_model":  "Apache-2.0",
		"github.com/prometheus/common":        "Apache-2.0",
		"github.com/prometheus/procfs":        "Apache-2.0",
		"github.com/richardlehane/mscfb":      "Apache-2.0",
		"github.com/richardlehane/msoleps":    "Apache-2.0",
		"github.com/sethvargo/go-retry":       "Apache-2.0",
		"github.com/tiendc/go-deepcopy":       "MIT",
		"github.com/xuri/efp":                 "BSD-3-Clause",
		"github.com/xuri/excelize/v2":         "BSD-3-Clause",
		"github.com/xuri/nfp":                 "BSD-3-Clause",
		"github.com/zeebo/xxh3":               "BSD-2-Clause",
		"go.uber.org/multierr":                "MIT",
		"golang.org/x/crypto":                 "BSD-3-Clause",
		"golang.org/x/image":                  "BSD-3-Clause",
		"golang.org/x/net":                    "BSD-3-Clause",
		"golang.org/x/sync":                   "BSD-3-Clause",
		"golang.org/x/sys":                    "BSD-3-Clause",
		"golang.org/x/term":                   "BSD-3-Clause",
		"golang.org/x/text":                   "BSD-3-Clause",
		"google.golang.org/protobuf":          "BSD-3-Clause",
		"nhooyr.io/websocket":                 "ISC",
	}
}

// About presents what the program is made of and what its figures rest on.
func About(f Frame, b Build, known *catalog.Catalog) views.About {
	l := f.Locale
	a := views.About{
		Page: f.page(l.T("about.title")),
		Build: []views.Fact{
			{Name: "Lockstep", Values: []string{b.Version}},
			{Name: l.T("about.go"), Values: []string{strings.TrimPrefix(b.Go, "go")}},
			{Name: l.T("about.platform"), Values: []string{b.Platform}},
		},
		Kinds: []views.AboutKind{
			{Name: l.T("about.measured"), Text: l.T("about.measured.text")},
			{Name: l.T("about.modelled"), Text: l.T("about.modelled.text")},
			{Name: l.T("about.assumed"), Text: l.T("about.assumed.text")},
		},
		Sources: []views.AboutSource{
			{What: l.T("about.source.article"), From: l.T("about.source.article.text")},
			{What: l.T("about.source.forms"), From: l.T("about.source.forms.text")},
			{What: l.T("about.source.busbw"), From: l.T("about.source.busbw.text")},
			{What: l.T("about.source.networks"), From: l.T("about.source.networks.text")},
		},
		Catalog: f.catalogOverview(known, false),
	}
	licences := Licences()
	for _, m := range b.Modules {
		licence, known := licences[m.Path]
		if !known {
			licence = unknownLicence
		}
		a.Modules = append(a.Modules, views.AboutModule{Name: m.Path, Version: m.Version, Licence: licence})
	}
	slices.SortFunc(a.Modules, func(x, y views.AboutModule) int { return strings.Compare(x.Name, y.Name) })
	a.Modules = append(a.Modules, views.AboutModule{Name: "SQLite", Version: l.T("about.sqlite"), Licence: l.T("about.public")})
	a.Modules = append(a.Modules, views.AboutModule{Name: "Noto Sans CJK SC", Version: l.T("about.font"), Licence: "OFL-1.1"})
	a.FontLicence = raster.FontLicence()
	return a
}
