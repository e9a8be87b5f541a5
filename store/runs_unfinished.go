package store

import (
	"context"
	"fmt"
)

// Unfinished counts the runs of all processes that wait and that run.
func (r Runs) Unfinished(ctx context.Context) (queued, running int, err error) {
	err = r.store.read.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE outcome = 'queued'), count(*) FILTER (WHERE outcome = 'running')
		FROM runs WHERE outcome IN ('queued', 'running')`).Scan(&queued, &running)
	if err != nil {
		return 0, 0, fmt.Errorf("count unfinished runs: %w", err)
	}
	return queued, running, nil
}
