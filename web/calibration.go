package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"lockstep/sizing/calibrate"
	"lockstep/web/account"
	"lockstep/web/present"
)

// Calibrator measures what this machine is like, beside everything else.
type Calibrator interface {
	// Calibration returns what was found. The error is calibrate.ErrNone where
	// the machine is not calibrated.
	Calibration(ctx context.Context) (calibrate.Calibration, error)
	// Calibrating returns how far a calibration under way is, and why the
	// latest one failed.
	Calibrating() (p calibrate.Progress, under bool, failed error)
	// Recalibrate asks for another; one that is under way counts.
	Recalibrate()
}

// calibration returns how it stands; nil where nobody calibrates.
func (s *server) calibration(ctx context.Context) (*present.Calibration, error) {
	if s.Calibrator == nil {
		return nil, nil
	}
	c := &present.Calibration{}
	progress, under, failed := s.Calibrator.Calibrating()
	if c.Failed = failed; under {
		c.Under = &progress
	}
	found, err := s.Calibrator.Calibration(ctx)
	switch {
	case err == nil:
		c.Found = &found
	case !errors.Is(err, calibrate.ErrNone):
		return nil, fmt.Errorf("show calibration: %w", err)
	}
	return c, nil
}

// calibrate asks for a calibration and goes back to the form, as it was filled
// in.
func (s *server) calibrate(w http.ResponseWriter, r *http.Request) error {
	if s.Calibrator == nil {
		return errNotFound
	}
	if err := parseForm(r); err != nil {
		return err
	}
	s.Calibrator.Recalibrate()
	s.record(r.Context(), account.Calibrate, "", nil)
	http.Redirect(w, r, present.ReadRunRequest(r.PostForm).CalibrationURL(s.runFrame(w, r)), http.StatusSeeOther)
	return nil
}
