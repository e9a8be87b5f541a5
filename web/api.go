package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
)

// apiRoot is where every address for programs begins.
const apiRoot = "/api/v1"

// api is the part of the console that programs talk to: typed operations, and
// the OpenAPI document that is made of their types. It is filled by newAPI and
// read only from then on.
type api struct {
	*server
	huma.API
	document func() ([]byte, error) // openapi.json, made once
}

// apiRoutes adds the addresses of the API to r.
func (s *server) apiRoutes(r chi.Router) {
	a := s.newAPI(r)
	a.scheduleOperations()
	a.runOperations(r)
	a.nodeOperations()
	a.linkOperations()
	a.reportOperations()
	a.estimateOperations()
	a.importOperations()
	a.machineOperations()
	a.catalogOperations()
	a.describe()
	r.Get(apiRoot+"/openapi.json", s.handle(a.openAPI))
}

// newAPI returns an API without operations. It has no pages and no addresses
// of its own: a documentation page would load scripts from another origin.
func (s *server) newAPI(r chi.Router) *api {
	a := &api{server: s}
	a.document = sync.OnceValues(func() ([]byte, error) {
		text, err := json.MarshalIndent(a.OpenAPI(), "", " ")
		if err != nil {
			return nil, fmt.Errorf("write openapi.json: %w", err)
		}
		return append(text, '\n'), nil
	})
	a.API = humachi.New(r, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title:   "Lockstep",
				Version: "1",
				Description: "What a Lockstep console offers to programs. Keys carry their unit: size_bytes, time_s, busbw_gbytes_per_s (1 GB is 1e9 bytes). " +
					"What does not apply is absent. New keys may be added to answers; programs pass over those they do not know. " +
					"In requests an unknown key is refused.",
			},
			Components: &huma.Components{
				Schemas: newSchemas(),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token":   {Type: "http", Scheme: "bearer", Description: "An API token: Authorization: Bearer TOKEN."},
					"session": {Type: "apiKey", In: "cookie", Name: "lockstep_session_PORT", Description: "The session of a person who is logged in; pages of the console use it."},
				},
			},
		},
		Formats:                      map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat},
		DefaultFormat:                "application/json",
		Transformers:                 []huma.Transformer{a.transform},
		RejectUnknownQueryParameters: true,
	})
	return a
}

// openAPI answers with the description of the API, which is the same for every
// console of a version and hence no secret.
func (a *api) openAPI(w http.ResponseWriter, _ *http.Request) error {
	document, err := a.document()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/openapi+json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(document) // an error means that the visitor has left
	return nil
}

func answerJSON(w http.ResponseWriter, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // an error means that the visitor has left
	return nil
}

// runIn is the ID of the run that the address names.
func runIn(r *http.Request) string { return chi.URLParam(r, "id") }

// sinceIn is where whoever asks stands, 0 for nowhere yet.
func sinceIn(r *http.Request) (int, error) {
	text := r.URL.Query().Get("since")
	if text == "" {
		return 0, nil
	}
	since, err := strconv.Atoi(text)
	if err != nil || since < 0 {
		return 0, errBadSince
	}
	return since, nil
}
