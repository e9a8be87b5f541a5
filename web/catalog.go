package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"lockstep/sizing/catalog"
	"lockstep/views"
	"lockstep/web/account"
	"lockstep/web/auth"
	"lockstep/web/present"
)

// catalogRoutes adds the pages of the catalogue, which everyone reads, and of
// own entries, which presenters write.
func (s *server) catalogRoutes(r chi.Router) {
	const all = "/{lang:zh|en}/catalog"
	r.Get(all, s.handle(s.showCatalog))
	r.Get(all+"/{kind}", s.handle(s.showCatalog))
	if s.Entries == nil {
		return
	}
	r.Group(func(r chi.Router) {
		r.Use(s.requireActor(account.Presenter))
		r.Get(all+"/{kind}/new", s.handle(s.newEntry))
		r.Post(all+"/{kind}/new", s.handle(s.writeEntry))
		r.Get(all+"/{kind}/{id}/edit", s.handle(s.editEntry))
		r.Post(all+"/{kind}/{id}/edit", s.handle(s.writeEntry))
		r.Get(all+"/{kind}/{id}/remove", s.handle(s.askEntry))
		r.Post(all+"/{kind}/{id}/remove", s.handle(s.removeEntry))
	})
}

// kindIn is the kind that the address names, empty for all.
func kindIn(r *http.Request) (catalog.Kind, error) {
	text := chi.URLParam(r, "kind")
	if text == "" {
		return "", nil
	}
	kind, err := catalog.ParseKind(text)
	if err != nil {
		return "", errNotFound
	}
	return kind, nil
}

// stock is the catalogue as it stands.
func (s *server) stock(ctx context.Context) (present.Stock, error) {
	known, own, err := s.merged(ctx)
	return present.Stock{Known: known, Own: own, Takes: s.Entries != nil}, err
}

// showCatalog shows the catalogue or a part of it.
func (s *server) showCatalog(w http.ResponseWriter, r *http.Request) error {
	kind, err := kindIn(r)
	if err != nil {
		return err
	}
	stock, err := s.stock(r.Context())
	if err != nil {
		return err
	}
	query := r.URL.Query()
	ask := present.CatalogAsk{Kind: kind, Query: query.Get("q"), Saved: query.Get("saved"), Removed: query.Get("removed")}
	page, err := present.Catalog(s.frame(w, r), stock, ask)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, views.CatalogPage(page))
	return nil
}

// newEntry shows the empty form of a kind.
func (s *server) newEntry(w http.ResponseWriter, r *http.Request) error {
	kind, err := kindIn(r)
	if err != nil {
		return err
	}
	return s.showEntry(w, r, http.StatusOK, present.NewEntryForm(kind))
}

func (s *server) showEntry(w http.ResponseWriter, r *http.Request, status int, form present.EntryForm) error {
	known, err := s.catalog(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, status, views.CatalogFormPage(present.CatalogForm(s.frame(w, r), form, known)))
	return nil
}

// ownEntry is the own entry that the address names; the error is
// catalog.ErrNone for one that there is not, or that cannot be used.
func (s *server) ownEntry(r *http.Request) (catalog.Sheet, *catalog.Catalog, error) {
	kind, err := kindIn(r)
	if err != nil {
		return catalog.Sheet{}, nil, err
	}
	known, own, err := s.merged(r.Context())
	if err != nil {
		return catalog.Sheet{}, nil, err
	}
	id := chi.URLParam(r, "id")
	if sheet, found := known.Sheet(kind, id); found && sheet.Own {
		return sheet, known, nil
	}
	for _, e := range own { // one that cannot be used now can be mended, and go
		if e.Kind == kind && e.ID == id {
			sheet, err := e.Sheet()
			return sheet, known, err
		}
	}
	return catalog.Sheet{}, nil, fmt.Errorf("%w: %s %q", catalog.ErrNone, kind, id)
}

// editEntry shows the form of an own entry.
func (s *server) editEntry(w http.ResponseWriter, r *http.Request) error {
	sheet, _, err := s.ownEntry(r)
	if err != nil {
		return err
	}
	form, err := present.EditEntryForm(sheet)
	if err != nil {
		return err
	}
	return s.showEntry(w, r, http.StatusOK, form)
}

// writeEntry saves what the form holds, or fills it from JSON. What cannot be
// saved comes back as it was typed, with what is wrong beside each field.
func (s *server) writeEntry(w http.ResponseWriter, r *http.Request) error {
	kind, err := kindIn(r)
	if err != nil {
		return err
	}
	file, err := uploadedEntry(r)
	if err != nil {
		return err
	}
	form := present.ReadEntryForm(kind, chi.URLParam(r, "id"), r.PostForm, file)
	if form.Read {
		status := http.StatusOK
		if form.Err != nil {
			status = http.StatusUnprocessableEntity
		}
		return s.showEntry(w, r, status, form)
	}
	entry, err := s.saveForm(r.Context(), form)
	if unfit := (catalog.FieldErrors)(nil); errors.As(err, &unfit) || errors.Is(err, catalog.ErrTaken) || errors.Is(err, catalog.ErrFull) || errors.Is(err, catalog.ErrDocument) {
		form.Err = err
		return s.showEntry(w, r, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	s.toEntries(w, r, kind, url.Values{"saved": {entry.ID}}, entry.ID)
	return nil
}

// saveForm keeps the entry that a form describes.
func (s *server) saveForm(ctx context.Context, form present.EntryForm) (catalog.Entry, error) {
	document, err := form.Document()
	if err != nil {
		return catalog.Entry{}, err
	}
	return s.saveEntry(ctx, form.Kind, document, form.ID != "")
}

// saveEntry checks an own entry and keeps it in the name of whoever asks.
func (s *server) saveEntry(ctx context.Context, kind catalog.Kind, document []byte, replace bool) (catalog.Entry, error) {
	known, err := s.catalog(ctx)
	if err != nil {
		return catalog.Entry{}, err
	}
	entry, err := known.Read(kind, document)
	if err != nil {
		return entry, err
	}
	actor, _ := auth.From(ctx)
	entry.By, entry.Changed = actor.String(), s.Now()
	return entry, s.Entries.Save(ctx, entry, replace)
}

// askEntry asks before an own entry goes.
func (s *server) askEntry(w http.ResponseWriter, r *http.Request) error {
	return s.showRemoval(w, r, http.StatusOK)
}

func (s *server) showRemoval(w http.ResponseWriter, r *http.Request, status int) error {
	sheet, known, err := s.ownEntry(r)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, status, views.CatalogRemovePage(present.RemoveEntry(s.frame(w, r), sheet, known)))
	return nil
}

// removeEntry forgets an own entry, unless others are made of it.
func (s *server) removeEntry(w http.ResponseWriter, r *http.Request) error {
	kind, err := kindIn(r)
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	err = s.Entries.Remove(r.Context(), kind, id)
	if inUse := new(catalog.InUseError); errors.As(err, &inUse) {
		return s.showRemoval(w, r, http.StatusConflict)
	}
	if err != nil {
		return err
	}
	s.toEntries(w, r, kind, url.Values{"removed": {id}}, "")
	return nil
}

// toEntries leads to the page of a kind, and there to an entry.
func (s *server) toEntries(w http.ResponseWriter, r *http.Request, kind catalog.Kind, query url.Values, id string) {
	to := url.URL{Path: "/" + s.language(w, r).Lang() + "/catalog/" + string(kind), RawQuery: query.Encode()}
	if id != "" {
		to.Fragment = present.EntryAnchor(id)
	}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}
