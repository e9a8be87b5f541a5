package web

import (
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"

	"lockstep/cluster/inventory"
)

var update = flag.Bool("update", false, "rewrite golden files")

// fullAPI is the API of a console that has every part.
func fullAPI(t *testing.T) (*floor, console, *api) {
	t.Helper()
	f := newFloor(t)
	var a *api
	c := newConsole(t, f.config, f.everything, func(c *Config) {
		a = (&server{Config: *c}).newAPI(chi.NewRouter())
		a.Log = slog.New(slog.DiscardHandler)
		a.scheduleOperations()
		a.runOperations(chi.NewRouter())
		a.nodeOperations()
		a.linkOperations()
		a.reportOperations()
		a.estimateOperations()
		a.importOperations()
		a.machineOperations()
		a.catalogOperations()
		a.describe()
	})
	return f, c, a
}

// everything lets a console carry runs out and list them.
func (f *floor) everything(c *Config) {
	c.Runner, c.Archive, c.Runs, c.Planner = f.Engine, f.db.Runs(), f.db.Runs(), f
	c.Reports, c.Machines = f.db.Reports(), f.db.Machines()
}

func TestOpenAPIDocumentIsTheGoldenOne(t *testing.T) {
	_, c, _ := fullAPI(t)
	answer := c.get("/api/v1/openapi.json")
	wantStatus(t, "openapi.json", answer, http.StatusOK)
	got := body(t, answer)
	golden := filepath.Join("testdata", "openapi.json")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("openapi.json (-want +got); go test ./web -run OpenAPI -update rewrites it:\n%s", diff)
	}
	var document struct {
		OpenAPI string                               `json:"openapi"`
		Paths   map[string]map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal([]byte(got), &document); err != nil {
		t.Fatal(err)
	}
	for path, operations := range document.Paths {
		for method, op := range operations {
			for _, key := range []string{"operationId", "summary", "description", "responses"} {
				if op[key] == nil {
					t.Errorf("%s %s has no %s", method, path, key)
				}
			}
		}
	}
}

func TestEveryKeyOfTheAPIIsDescribed(t *testing.T) {
	_, _, a := fullAPI(t)
	missing := undescribed(a)
	slices.Sort(missing)
	for _, key := range missing {
		t.Errorf("%s has no words", key)
	}
}

// undescribed returns the keys of the API's documents that have no words yet,
// but for what a machine is made of, which inventory tells.
func undescribed(a *api) []string {
	var missing []string
	registry := a.OpenAPI().Components.Schemas
	for name, s := range registry.Map() {
		if t := registry.TypeFromRef("#/components/schemas/" + name); t.PkgPath() == typeOf[inventory.Node]().PkgPath() && t != typeOf[inventory.Member]() {
			continue
		}
		if s.Description == "" {
			missing = append(missing, name)
		}
		for key, property := range s.Properties {
			if property.Description == "" {
				missing = append(missing, fmt.Sprintf("%s.%s", name, key))
			}
		}
	}
	return missing
}
