package store

import (
	"context"
	"fmt"

	"lockstep/engine/trace"
)

// Before returns at most limit runs that were entered before the one with the
// ID, newest first; an empty ID stands for the end of the list. The error of
// what is no ID is trace.ErrNoRun.
func (r Runs) Before(ctx context.Context, id string, limit int) ([]trace.Run, error) {
	if id == "" {
		return r.Recent(ctx, limit)
	}
	n, err := parseRunID(id)
	if err != nil {
		return nil, err
	}
	if err := r.settle(ctx); err != nil {
		return nil, fmt.Errorf("read runs before %s: %w", id, err)
	}
	return r.list(ctx, `SELECT id, outcome, document FROM runs WHERE id < ? ORDER BY id DESC LIMIT ?`, n, max(limit, 0))
}

// list reads the runs that a query selects: id, outcome and document.
func (r Runs) list(ctx context.Context, query string, args ...any) ([]trace.Run, error) {
	rows, err := r.store.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read runs: %w", err)
	}
	defer rows.Close()
	runs := []trace.Run{}
	for rows.Next() {
		run, err := scanRun(rows)
		if err != nil {
			return nil, fmt.Errorf("read runs: %w", err)
		}
		runs = append(runs, run)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read runs: %w", err)
	}
	return runs, nil
}
