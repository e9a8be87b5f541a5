package web

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"lockstep/sizing/catalog"
)

// OwnEntries keeps users' own entries of the catalogue.
type OwnEntries interface {
	List(ctx context.Context) ([]catalog.Entry, error)
	// Save keeps an entry, in the place of the one of its ID where replace
	// allows that. The errors are those of catalog.Add.
	Save(ctx context.Context, e catalog.Entry, replace bool) error
	// Remove forgets an entry. The errors are those of catalog.Remove.
	Remove(ctx context.Context, kind catalog.Kind, id string) error
}

// heldCatalog is the catalogue with the own entries that were there last. To
// check thousands of them takes longer than to see that none has changed, be it
// by this process or by a command.
type heldCatalog struct {
	mu    sync.Mutex
	own   []catalog.Entry
	known *catalog.Catalog // nil before the first use
}

// with returns carried with the own entries.
func (h *heldCatalog) with(carried *catalog.Catalog, own []catalog.Entry) *catalog.Catalog {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil || !slices.EqualFunc(h.own, own, sameEntry) {
		h.own, h.known = own, carried.With(own)
	}
	return h.known
}

func sameEntry(a, b catalog.Entry) bool {
	return a.Kind == b.Kind && a.ID == b.ID && bytes.Equal(a.Document, b.Document)
}

// catalog is what the program carries with the own entries as they are now.
func (s *server) catalog(ctx context.Context) (*catalog.Catalog, error) {
	known, _, err := s.merged(ctx)
	return known, err
}

// merged is the same with the own entries as they are kept.
func (s *server) merged(ctx context.Context) (*catalog.Catalog, []catalog.Entry, error) {
	carried, err := catalog.Embedded()
	if err != nil || s.Entries == nil {
		return carried, nil, err
	}
	own, err := s.Entries.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	return s.held.with(carried, own), own, nil
}
