package web

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/sizing/catalog"
)

// OwnEntries reads users' own entries of the catalogue.
type OwnEntries interface {
	List(ctx context.Context) ([]catalog.Entry, error)
}

// catalogOperations are about accelerators, systems, fabrics and models.
func (a *api) catalogOperations() {
	add(a, everyone, huma.Operation{
		OperationID: "list-catalog", Method: http.MethodGet, Path: "/catalog/{kind}", Tags: []string{"models"}, Summary: "A part of the catalogue",
		Description: "Accelerators, systems, fabrics or models with their sources and what is doubtful, own entries last: the document of console catalog KIND --json.",
	}, a.listedCatalog)
}

type catalogInput struct {
	Kind string `path:"kind" enum:"models,systems,accelerators,fabrics" doc:"The part."`
}

type catalogOutput struct{ Body json.RawMessage }

func (a *api) listedCatalog(ctx context.Context, in *catalogInput) (*catalogOutput, error) {
	known, err := a.catalog(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(known.List(catalog.Kind(in.Kind)))
	return &catalogOutput{text}, err
}

// catalog is what the program carries with the own entries as they are now.
func (s *server) catalog(ctx context.Context) (*catalog.Catalog, error) {
	known, err := catalog.Embedded()
	if err != nil || s.Entries == nil {
		return known, err
	}
	own, err := s.Entries.List(ctx)
	if err != nil {
		return nil, err
	}
	return known.With(own), nil
}
