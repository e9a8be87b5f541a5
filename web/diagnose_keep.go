package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"lockstep/sizing/diagnose"
	evidence "lockstep/sizing/measured"
	"lockstep/web/account"
	"lockstep/web/auth"
	"lockstep/web/present"
)

// Machines keeps logs of systems, for predictions that rest on them.
type Machines interface {
	// Save keeps a machine, in the place of one of the same name. The error is
	// measured.ErrMachineName for a name that cannot be.
	Save(ctx context.Context, k evidence.Kept) error
	// List returns all machines by name.
	List(ctx context.Context) ([]evidence.Kept, error)
	// Remove forgets a machine. The error is measured.ErrNoMachine where there
	// is none.
	Remove(ctx context.Context, name string) error
}

// keepMachine keeps the logs of a form under the name that it gives. What
// cannot be is said beside the field.
func (s *server) keepMachine(r *http.Request, doctor *diagnose.Doctor, ask *present.DiagnoseAsk) error {
	if err := may(r, account.Presenter); err != nil {
		return err
	}
	if s.Machines == nil {
		return errNotFound
	}
	tables, err := ask.Tables(doctor)
	if unfit := new(diagnose.UnfitError); errors.As(err, &unfit) {
		ask.RefuseUnfit(unfit)
		return nil
	}
	if err != nil {
		return fmt.Errorf("read logs to keep: %w", err)
	}
	if len(tables) == 0 {
		ask.RefuseMachine("diagnose.keep.nothing")
		return nil
	}
	actor, _ := auth.From(r.Context())
	kept := evidence.Kept{Version: 1, Name: ask.Machine, Made: s.Now().UTC().Truncate(time.Second), By: actor.String(), Tables: tables}
	compared, err := s.sizes.Library.Compare(kept)
	if errors.Is(err, evidence.ErrTooFew) {
		ask.RefuseMachine("diagnose.keep.nothing")
		return nil
	} else if err != nil {
		return err
	}
	if err := evidence.CheckMachineName(kept.Name); err != nil {
		ask.RefuseMachine("diagnose.keep.name")
		return nil
	}
	err = s.Machines.Save(r.Context(), kept)
	s.record(r.Context(), account.Calibrate, kept.Name, err)
	if err != nil {
		return err
	}
	ask.Compared = compared
	return nil
}
