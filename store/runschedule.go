package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// Schedule returns the schedule that a run carried out, proved right again.
// The error is trace.ErrNoSchedule where it cannot be had, and trace.ErrNoRun
// for a run that is not there.
func (r Runs) Schedule(ctx context.Context, run trace.Run) (*schedule.Schedule, error) {
	if !run.Imported {
		return run.Rebuild()
	}
	n, err := parseRunID(run.ID)
	if err != nil {
		return nil, err
	}
	var packed []byte
	if err := r.store.read.QueryRowContext(ctx, `SELECT schedule FROM runs WHERE id = ?`, n).Scan(&packed); err != nil {
		return nil, fmt.Errorf("read schedule of run %s: %w", runID(n), err)
	}
	s, err := unpackSchedule(packed)
	if err == nil && s.Hash() != run.ScheduleHash {
		err = errors.New("it is not the one that the run names")
	}
	if err != nil {
		return nil, fmt.Errorf("read schedule of run %s: %w: %w", runID(n), trace.ErrNoSchedule, err)
	}
	return s, nil
}

// packSchedule returns nil for none.
func packSchedule(s *schedule.Schedule) ([]byte, error) {
	if s == nil {
		return nil, nil
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := errors.Join(s.WriteJSON(z), z.Close())
	return b.Bytes(), err
}

func unpackSchedule(packed []byte) (*schedule.Schedule, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return schedule.Read(z) // bounded, whatever it unpacks to
}
