package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/sizing"
	"lockstep/sizing/calibrate"
	evidence "lockstep/sizing/measured"
	"lockstep/views"
	"lockstep/web/account"
	"lockstep/web/present"
)

// machineRoutes adds the page of what predictions for certain machines rest on.
func (s *server) machineRoutes(r chi.Router) {
	const page = "/{lang:zh|en}/machines"
	r.Get(page, s.members(account.Viewer, here, s.machines))
	r.Get(page+"/{name}/remove", s.members(account.Presenter, here, s.askMachine))
	r.Post(page+"/{name}/remove", s.members(account.Presenter, here, s.removeMachine))
}

func (s *server) machines(w http.ResponseWriter, r *http.Request) error {
	return s.showMachines(w, r, http.StatusOK, nil)
}

// showMachines shows the page; wrong is what could not be done, nil for nothing.
func (s *server) showMachines(w http.ResponseWriter, r *http.Request, status int, wrong error) error {
	desk, err := s.desk(r.Context())
	if err != nil {
		return err
	}
	m := present.Machines{Desk: desk, Wrong: wrong, Links: sizing.CompareProbes(s.ways().Links)}
	if s.Calibrator != nil {
		found, err := s.Calibrator.Calibration(r.Context())
		switch {
		case err == nil:
			m.Found, m.Here = &found, s.here.of(found)
		case !errors.Is(err, calibrate.ErrNone):
			return err
		}
	}
	page, err := present.MachinesPage(s.frame(w, r), m)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, status, views.MachinesPage(page))
	return nil
}

// askMachine asks before the logs of a machine are forgotten.
func (s *server) askMachine(w http.ResponseWriter, r *http.Request) error {
	desk, err := s.desk(r.Context())
	if err != nil {
		return err
	}
	question, known := present.MachineQuestion(s.frame(w, r), desk.Machines, nodeName(r))
	if !known {
		return s.showMachines(w, r, http.StatusNotFound, evidence.ErrNoMachine)
	}
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, http.StatusOK, views.MachineQuestionPage(question))
	return nil
}

func (s *server) removeMachine(w http.ResponseWriter, r *http.Request) error {
	switch err := s.forgetMachine(r.Context(), nodeName(r)); {
	case errors.Is(err, evidence.ErrNoMachine):
		return s.showMachines(w, r, http.StatusNotFound, err)
	case err != nil:
		return err
	}
	http.Redirect(w, r, "/"+s.language(w, r).Lang()+"/machines", http.StatusSeeOther)
	return nil
}

// forgetMachine forgets the logs of a machine, for a page or a program.
func (s *server) forgetMachine(ctx context.Context, name string) error {
	if s.Machines == nil {
		return evidence.ErrNoMachine
	}
	err := s.Machines.Remove(context.WithoutCancel(ctx), name)
	if !errors.Is(err, evidence.ErrNoMachine) {
		s.record(ctx, account.RemoveMachine, name, err)
	}
	return err
}
