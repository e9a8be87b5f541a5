package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Runs reads saved runs. A run that its process has left behind is ended as
// failed (console stopped) before anybody sees it.
type Runs struct {
	store *Store
	owner string // whose runs need no look, "" for nobody's
}

// Runs returns the runs of the store.
func (s *Store) Runs() Runs { return Runs{store: s} }

// runID is how people see the number of a run.
func runID(n int64) string { return fmt.Sprintf("%04d", n) }

// parseRunID reads a run's ID, with or without its leading zeros.
func parseRunID(id string) (int64, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 1 || strings.ContainsAny(id, "+-") {
		return 0, fmt.Errorf("%w: %q; an ID is a number such as 0007", trace.ErrNoRun, id)
	}
	return n, nil
}

// Recent returns at most limit runs, newest first.
func (r Runs) Recent(ctx context.Context, limit int) ([]trace.Run, error) {
	if err := r.settle(ctx); err != nil {
		return nil, fmt.Errorf("read recent runs: %w", err)
	}
	runs, err := r.list(ctx, `SELECT id, outcome, document FROM runs ORDER BY id DESC LIMIT ?`, max(limit, 0))
	if err != nil {
		return nil, fmt.Errorf("read recent runs: %w", err)
	}
	return runs, nil
}

// Finished returns at most limit runs that are done, newest first.
func (r Runs) Finished(ctx context.Context, limit int) ([]trace.Run, error) {
	runs, err := r.list(ctx, `SELECT id, outcome, document FROM runs WHERE outcome = 'done' ORDER BY id DESC LIMIT ?`, max(limit, 0))
	if err != nil {
		return nil, fmt.Errorf("read finished runs: %w", err)
	}
	return runs, nil
}

// Find returns a run with the times of its iterations, which lists of runs
// leave out. The ID may lack its leading zeros. The error of an ID that names
// none is trace.ErrNoRun.
func (r Runs) Find(ctx context.Context, id string) (trace.Run, error) {
	n, err := parseRunID(id)
	if err != nil {
		return trace.Run{}, err
	}
	if err := r.settle(ctx); err != nil {
		return trace.Run{}, fmt.Errorf("find run %s: %w", id, err)
	}
	var iterations []byte
	run, err := scanRun(r.store.read.QueryRowContext(ctx, `SELECT id, outcome, document, iterations FROM runs WHERE id = ?`, n), &iterations)
	if err == nil {
		run.Iterated, err = unpackTimes(iterations)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return trace.Run{}, fmt.Errorf("%w: %s", trace.ErrNoRun, runID(n))
	case err != nil:
		return trace.Run{}, fmt.Errorf("find run %s: %w", runID(n), err)
	}
	return run, nil
}

// Trace returns what happened in a run that has ended, as far as it got, and
// the predicted end of each counted round; each is nil where there is none.
// The error of an ID that names no run is trace.ErrNoRun.
func (r Runs) Trace(ctx context.Context, id string) ([]trace.Event, []unit.Seconds, error) {
	n, err := parseRunID(id)
	if err != nil {
		return nil, nil, err
	}
	var packed []byte
	var predicted sql.NullString
	err = r.store.read.QueryRowContext(ctx, `SELECT trace, rounds FROM runs WHERE id = ?`, n).Scan(&packed, &predicted)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil, fmt.Errorf("%w: %s", trace.ErrNoRun, runID(n))
	case err != nil:
		return nil, nil, fmt.Errorf("read trace of run %s: %w", runID(n), err)
	}
	events, err := unpackEvents(packed)
	if err != nil {
		return nil, nil, fmt.Errorf("read trace of run %s: %w", runID(n), err)
	}
	var rounds []unit.Seconds
	if predicted.Valid {
		if err := json.Unmarshal([]byte(predicted.String), &rounds); err != nil {
			return nil, nil, fmt.Errorf("read predicted rounds of run %s: %w", runID(n), err)
		}
	}
	return events, rounds, nil
}

// settle ends orphaned runs, if there are any: mostly there are none, and the
// write lock is left alone.
func (r Runs) settle(ctx context.Context) error {
	left, err := r.store.orphans(ctx, r.store.read, r.owner)
	if err != nil || len(left) == 0 {
		return err
	}
	tx, err := r.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("end orphaned runs: %w", err)
	}
	defer tx.Rollback()
	if err := r.store.settle(ctx, tx, r.owner); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("end orphaned runs: %w", err)
	}
	return nil
}

// scanRun reads id, outcome and document, and more columns into more.
func scanRun(row interface{ Scan(...any) error }, more ...any) (trace.Run, error) {
	var run trace.Run
	var n int64
	var outcome, document string
	if err := row.Scan(append([]any{&n, &outcome, &document}, more...)...); err != nil {
		return run, err
	}
	if err := json.Unmarshal([]byte(document), &run); err != nil {
		return run, fmt.Errorf("read run %s: %w", runID(n), err)
	}
	run.ID, run.Outcome = runID(n), trace.Outcome(outcome)
	return run, nil
}
