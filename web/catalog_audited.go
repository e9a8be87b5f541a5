package web

import (
	"context"
	"errors"

	"lockstep/sizing/catalog"
	"lockstep/web/account"
)

// auditedEntries keeps who has changed the catalogue. What could not be said is
// not tried.
type auditedEntries struct {
	s *server
	OwnEntries
}

func (a auditedEntries) Save(ctx context.Context, e catalog.Entry, replace bool) error {
	err := a.OwnEntries.Save(ctx, e, replace)
	if unfit := (catalog.FieldErrors)(nil); !errors.As(err, &unfit) && !errors.Is(err, catalog.ErrTaken) {
		a.s.record(ctx, account.SaveEntry, string(e.Kind)+" "+e.ID, err)
	}
	return err
}

func (a auditedEntries) Remove(ctx context.Context, kind catalog.Kind, id string) error {
	err := a.OwnEntries.Remove(ctx, kind, id)
	if inUse := new(catalog.InUseError); !errors.Is(err, catalog.ErrNone) && !errors.As(err, &inUse) {
		a.s.record(ctx, account.RemoveEntry, string(kind)+" "+id, err)
	}
	return err
}
