package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lockstep/engine/trace"
)

// Occupy takes the machine for a measurement that is no run: until Vacate no
// run begins, of any process. Runs come first: where one is running or waits,
// and where somebody else measures, it returns how many there are, and nothing
// is taken. What a dead process holds counts for nothing.
func (q *RunQueue) Occupy(ctx context.Context) (ahead int, err error) {
	tx, err := q.store.write.BeginTx(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("occupy machine: %w", err)
	}
	defer tx.Rollback()
	if err := q.store.settle(ctx, tx, q.owner); err != nil {
		return 0, fmt.Errorf("occupy machine: %w", err)
	}
	if ahead, err = q.store.occupied(ctx, tx); err != nil {
		return 0, err
	}
	var runs int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM runs WHERE outcome IN (?, ?)`, trace.Queued, trace.Running).Scan(&runs); err != nil {
		return 0, fmt.Errorf("occupy machine: %w", err)
	}
	if ahead += runs; ahead == 0 {
		// In the place of a dead one's.
		if _, err := tx.ExecContext(ctx, `INSERT INTO occupied (id, owner, since_ms) VALUES (1, ?, ?)
			ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, since_ms = excluded.since_ms`, q.owner, time.Now().UnixMilli()); err != nil {
			return 0, fmt.Errorf("occupy machine: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return 0, fmt.Errorf("occupy machine: %w", err)
	}
	return ahead, nil
}

// Vacate gives the machine back to the queue of runs.
func (q *RunQueue) Vacate(ctx context.Context) error {
	if _, err := q.store.write.ExecContext(ctx, `DELETE FROM occupied WHERE owner = ?`, q.owner); err != nil {
		return fmt.Errorf("vacate machine: %w", err)
	}
	return nil
}

// occupied returns 1 while a living process measures, else 0.
func (s *Store) occupied(ctx context.Context, db querier) (int, error) {
	var owner string
	switch err := db.QueryRowContext(ctx, `SELECT owner FROM occupied`).Scan(&owner); {
	case errors.Is(err, sql.ErrNoRows):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("see who measures: %w", err)
	}
	alive, err := s.lives(owner)
	if err != nil || !alive {
		return 0, err
	}
	return 1, nil
}
