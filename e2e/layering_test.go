package e2e

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers is the import table of ARCHITECTURE.md: for each package the packages
// of ours that it may import. A trailing /... takes in everything below.
var layers = map[string][]string{
	"engine/unit":           {},
	"views/locale":          {},
	"views/draw":            {},
	"views/raster":          {},
	"views/paper":           {"sizing/report"},
	"static":                {},
	"web/account":           {},
	"engine/schedule":       {"engine/unit"},
	"engine/schedule/msccl": {"engine/schedule"},
	"cluster/inventory":     {"engine/unit"},
	"engine/trace":          ground,
	"engine/kernel":         {"engine/unit", "engine/schedule"},
	"engine/rank":           append([]string{"engine/kernel"}, lowest...),
	"engine/link":           append([]string{"engine/kernel", "engine/rank"}, lowest...),
	"sizing/cost":           lowest,
	"sizing/sim":            append([]string{"sizing/cost"}, lowest...),
	"sizing/leastsquares":   {},
	"sizing/hardware":       {},
	"sizing/catalog":        {"sizing/hardware"},
	"sizing/measured":       append([]string{"sizing/catalog", "sizing/hardware", "sizing/leastsquares"}, lowest...),
	"sizing/train":          {"sizing/catalog"},
	"sizing/trained":        {"sizing/catalog", "sizing/train", "sizing/leastsquares"},
	"sizing/plan":           {"engine/schedule", "sizing/catalog", "sizing/train", "sizing/trained"},
	"sizing/calibrate":      append([]string{"sizing/cost", "sizing/sim", "sizing/leastsquares"}, lowest...),
	"sizing/benchlog":       lowest,
	"sizing/diagnose":       append([]string{"sizing/benchlog", "sizing/catalog", "sizing/hardware", "sizing/measured"}, lowest...),
	"sizing":                append([]string{"sizing/cost", "sizing/sim", "sizing/calibrate"}, lowest...),
	"sizing/site":           append([]string{"sizing", "sizing/catalog", "sizing/cost", "sizing/hardware", "sizing/measured"}, lowest...),
	"sizing/report":         append([]string{"sizing/..."}, lowest...),
	"engine":                {"engine/unit", "engine/schedule", "engine/trace", "cluster/inventory"},
	"engine/sweep":          lowest,
	"engine/sweep/carry":    append([]string{"engine", "engine/sweep"}, lowest...),
	"engine/library/mpi":    append([]string{"engine/kernel", "engine/rank"}, lowest...),
	"cluster/worker":        append([]string{"engine/kernel", "engine/rank", "engine/link", "engine/library/mpi", "web/account"}, lowest...),
	"cluster/conduct":       append([]string{"engine/rank", "engine/link", "cluster/worker"}, lowest...),
	"cluster/local":         append([]string{"engine/rank", "engine/link", "engine/library/mpi", "web/account", "cluster/worker", "cluster/conduct"}, lowest...),
	"cluster/span":          append([]string{"engine/rank", "engine/link", "cluster/worker", "cluster/conduct", "cluster/local", "cluster/wire"}, lowest...),
	"cluster/wire":          {"engine/unit", "cluster/inventory"},
	"cluster/agent":         {"engine/unit", "cluster/inventory", "cluster/wire"},
	"cluster":               {"engine/unit", "cluster/inventory", "cluster/wire", "web/account"},
	"store":                 append([]string{"web/account", "sizing/...", "engine/sweep"}, lowest...),
	"views":                 {"views/locale", "views/draw"},
	"web/present":           presenting,
	"web/auth":              presenting,
	"web/certificate":       {},
	"web":                   append([]string{"web/present", "web/auth", "static"}, presenting...),
	"cmd/console":           {"..."},
	"e2e":                   {},
	"e2e/bench":             {"e2e/fabric"},
	"e2e/fabric":            {},
}

var (
	ground     = []string{"engine/unit", "engine/schedule", "cluster/inventory"}
	lowest     = append([]string{"engine/trace"}, ground...)
	presenting = append([]string{"engine", "engine/sweep", "sizing/...", "web/account", "views/...", "views/locale", "views/draw"}, lowest...)
)

// only names the packages that may import a module at all.
var only = map[string][]string{
	"github.com/mattn/go-sqlite3":         {"store"},
	"nhooyr.io/websocket":                 {"web", "e2e/bench"},
	"github.com/hashicorp/yamux":          {"cluster/wire", "cluster/span"},
	"github.com/ebitengine/purego":        {"cluster/inventory", "engine/library/..."},
	"github.com/alecthomas/kong":          {"cmd/console"},
	"github.com/danielgtaylor/huma/v2":    {"web"},
	"github.com/prometheus/client_golang": {"web"},
	"github.com/nicksnyder/go-i18n/v2":    {"views/locale"},
}

type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

const module = "lockstep"

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...")
	cmd.Dir = ".."
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var packages []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

// matches reports whether pattern takes in the package at path.
func matches(pattern, path string) bool {
	if prefix, all := strings.CutSuffix(pattern, "..."); all {
		return strings.HasPrefix(path+"/", prefix)
	}
	return pattern == path
}

func TestLayering(t *testing.T) {
	for _, p := range list(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		allowed, known := layers[name]
		if !known {
			t.Errorf("package %s is not in the import table of ARCHITECTURE.md", name)
			continue
		}
		for _, path := range p.Imports {
			if ours, ok := strings.CutPrefix(path, module+"/"); ok {
				if !slices.ContainsFunc(allowed, func(a string) bool { return matches(a, ours) }) {
					t.Errorf("%s imports %s, which its floor may not", name, ours)
				}
				continue
			}
			for restricted, homes := range only {
				if !matches(restricted+"/...", path) {
					continue
				}
				if !slices.ContainsFunc(homes, func(h string) bool { return matches(h, name) }) {
					t.Errorf("%s imports %s, which belongs to %v", name, path, homes)
				}
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for _, p := range list(t) {
		documented := false
		for _, file := range p.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			documented = documented || parsed.Doc != nil
		}
		if !documented && len(p.GoFiles) > 0 {
			t.Errorf("package %s has no doc comment", p.ImportPath)
		}
	}
}
