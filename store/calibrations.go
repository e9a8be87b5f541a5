package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"lockstep/sizing/calibrate"
)

// Calibrations saves what machines were found to be like.
type Calibrations struct{ store *Store }

// Calibrations returns the calibrations of the store.
func (s *Store) Calibrations() Calibrations { return Calibrations{s} }

// Save keeps c, which counts for its machine from now on.
func (k Calibrations) Save(ctx context.Context, c calibrate.Calibration) error {
	document, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("write calibration: %w", err)
	}
	if _, err := k.store.write.ExecContext(ctx, `INSERT INTO calibrations (machine, made_ms, document) VALUES (?, ?, ?)`,
		c.Machine.Key(), c.Made.UnixMilli(), string(document)); err != nil {
		return fmt.Errorf("save calibration: %w", err)
	}
	return nil
}

// Calibration returns the newest of a machine. The error is calibrate.ErrNone
// where there is none.
func (k Calibrations) Calibration(ctx context.Context, machine calibrate.Fingerprint) (calibrate.Calibration, error) {
	var c calibrate.Calibration
	var document string
	err := k.store.read.QueryRowContext(ctx, `SELECT document FROM calibrations WHERE machine = ? ORDER BY id DESC LIMIT 1`, machine.Key()).Scan(&document)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return c, calibrate.ErrNone
	case err != nil:
		return c, fmt.Errorf("find calibration: %w", err)
	}
	if err := json.Unmarshal([]byte(document), &c); err != nil {
		return c, fmt.Errorf("read calibration: %w", err)
	}
	return c, nil
}
