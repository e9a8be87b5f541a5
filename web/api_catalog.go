package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/sizing/catalog"
	"lockstep/web/account"
)

// catalogOperations are about accelerators, systems, fabrics and models.
func (a *api) catalogOperations() {
	add(a, everyone, huma.Operation{
		OperationID: "list-catalog", Method: http.MethodGet, Path: "/catalog/{kind}", Tags: []string{"models"}, Summary: "A part of the catalogue",
		Description: "Accelerators, systems, fabrics or models with their sources and what is doubtful, own entries last: the document of console catalog KIND --json.",
	}, a.listedCatalog)
	if a.Entries == nil {
		return
	}
	add(a, account.Presenter, huma.Operation{
		OperationID: "save-entry", Method: http.MethodPost, Path: "/catalog/{kind}", Tags: []string{"models"}, Summary: "Add an own entry",
		Description: "The body is the entry with the keys of the list, or the config.json of a model as Hugging Face has it, whose parameters are counted from its shape. " +
			"Its source and basis have to be given. The answer is a list of this entry alone.",
		DefaultStatus: http.StatusCreated, Errors: []int{http.StatusConflict},
	}, a.savedEntry)
	add(a, account.Presenter, huma.Operation{
		OperationID: "remove-entry", Method: http.MethodDelete, Path: "/catalog/{kind}/{id}", Tags: []string{"models"}, Summary: "Remove an own entry",
		Description:   "An entry that own systems are made of stays: 409.",
		DefaultStatus: http.StatusNoContent, Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity},
	}, a.removedEntry)
}

type catalogInput struct {
	Kind string `path:"kind" enum:"models,systems,accelerators,fabrics" doc:"The part."`
}

type catalogOutput struct{ Body catalog.Listing }

func (a *api) listedCatalog(ctx context.Context, in *catalogInput) (*catalogOutput, error) {
	known, err := a.catalog(ctx)
	if err != nil {
		return nil, err
	}
	return &catalogOutput{known.List(catalog.Kind(in.Kind))}, nil
}

// savedEntryInput takes the entry as it is: which keys it has is said by
// catalog.Fields, which also words what is wrong.
type savedEntryInput struct {
	Kind    string `path:"kind" enum:"models,systems,accelerators,fabrics" doc:"The part."`
	Replace bool   `query:"replace" doc:"Also replace an own entry of the same ID."`
	ID      string `query:"id" maxLength:"40" doc:"The ID of the entry, in the place of what the body says."`
	Name    string `query:"name" maxLength:"80" doc:"The name of the entry, in the place of what the body says."`
	Source  string `query:"source" maxLength:"400" doc:"Where the figures come from, in the place of what the body says."`
	Body    json.RawMessage
}

func (a *api) savedEntry(ctx context.Context, in *savedEntryInput) (*catalogOutput, error) {
	kind := catalog.Kind(in.Kind)
	document, err := in.document(kind)
	if err != nil {
		return nil, unfitEntry(err)
	}
	entry, err := a.saveEntry(ctx, kind, document, in.Replace)
	if err != nil {
		return nil, unfitEntry(err)
	}
	sheet, err := entry.Sheet()
	if err != nil {
		return nil, err
	}
	return &catalogOutput{sheet.Listing()}, nil
}

// document is the entry with what the address says of it.
func (in *savedEntryInput) document(kind catalog.Kind) ([]byte, error) {
	text := []byte(in.Body)
	if kind == catalog.Models && catalog.IsConfig(text) {
		var err error
		if text, _, err = catalog.FromConfig(text); err != nil {
			return nil, wrong(WrongInput{Message: err.Error()})
		}
	}
	if in.ID+in.Name+in.Source == "" {
		return text, nil
	}
	var entry map[string]json.RawMessage
	if err := json.Unmarshal(text, &entry); err != nil || entry == nil {
		return text, nil // Read says what is wrong with it
	}
	for key, value := range map[string]string{"id": in.ID, "name": in.Name, "source": in.Source} {
		if value == "" {
			continue
		}
		said, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		entry[key] = said
	}
	return json.Marshal(entry)
}

type removedEntryInput struct {
	Kind string `path:"kind" enum:"models,systems,accelerators,fabrics" doc:"The part."`
	ID   string `path:"id" maxLength:"40" doc:"The own entry."`
}

func (a *api) removedEntry(ctx context.Context, in *removedEntryInput) (*struct{}, error) {
	if err := a.Entries.Remove(ctx, catalog.Kind(in.Kind), in.ID); err != nil {
		return nil, unfitEntry(err)
	}
	return nil, nil
}

// unfitEntry makes a Problem of what cannot be done with an entry; other errors
// stay.
func unfitEntry(err error) error {
	var unfit catalog.FieldErrors
	inUse := new(catalog.InUseError)
	switch {
	case errors.As(err, &unfit):
		inputs := make([]WrongInput, len(unfit))
		for i, e := range unfit {
			inputs[i] = WrongInput{Pointer: "/" + e.Field.Key, Message: e.Message()}
		}
		return wrong(inputs...)
	case errors.Is(err, catalog.ErrTaken):
		return &Problem{Status: http.StatusConflict, title: "error.entry-exists", Detail: err.Error() + "; replace=true puts this one in its place"}
	case errors.As(err, &inUse):
		return &Problem{Status: http.StatusConflict, title: "error.entry-in-use", Detail: inUse.Error()}
	case errors.Is(err, catalog.ErrFull):
		return &Problem{Status: http.StatusConflict, title: "error.entries-full", Detail: catalog.ErrFull.Error()}
	case errors.Is(err, catalog.ErrDocument):
		return wrong(WrongInput{Message: err.Error()})
	}
	return err
}
