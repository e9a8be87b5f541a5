package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"lockstep/engine/trace"
)

// RunQueue is one process's hand in the queue of runs that all processes on
// the data folder share. The runs that it enters are its own: no other process
// claims or finishes them while it lives, and once it is gone they are ended
// as failed by whoever looks next. It is safe for concurrent use.
type RunQueue struct {
	Runs
	lock *flock.Flock
}

// JoinRuns takes a hand in the queue of runs, and ends what dead processes
// have left in it.
func (s *Store) JoinRuns(ctx context.Context) (_ *RunQueue, err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("join run queue: %w", err)
	}
	defer tx.Rollback()
	q := &RunQueue{Runs: Runs{store: s}}
	if q.owner, q.lock, err = s.newOwner(); err != nil {
		return nil, fmt.Errorf("join run queue: %w", err)
	}
	if err = s.settle(ctx, tx, q.owner); err == nil {
		err = s.sweep()
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("join run queue: %w", err), q.Close())
	}
	return q, nil
}

// Close leaves the queue. What the process has not finished counts as left
// behind.
func (q *RunQueue) Close() error {
	err := q.lock.Close()
	if gone := os.Remove(q.lock.Path()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	if err != nil {
		return fmt.Errorf("leave run queue: %w", err)
	}
	return nil
}

// Enqueue keeps a queued run and what belongs to it, gives it the next ID and
// returns it.
func (q *RunQueue) Enqueue(ctx context.Context, run trace.Run, kept trace.Kept) (trace.Run, error) {
	run.ID, run.Outcome = "", trace.Queued
	document, err := json.Marshal(run)
	if err != nil {
		return run, fmt.Errorf("write run: %w", err)
	}
	var predicted sql.NullString
	if kept.Rounds != nil {
		text, err := json.Marshal(kept.Rounds)
		if err != nil {
			return run, fmt.Errorf("write predicted rounds: %w", err)
		}
		predicted = sql.NullString{String: string(text), Valid: true}
	}
	schedule, err := packSchedule(kept.Schedule)
	if err != nil {
		return run, fmt.Errorf("write schedule of run: %w", err)
	}
	done, err := q.store.write.ExecContext(ctx, `INSERT INTO runs (outcome, owner, created_ms, document, rounds, schedule) VALUES ('queued', ?, ?, ?, ?, ?)`,
		q.owner, run.Created.UnixMilli(), string(document), predicted, schedule)
	if err != nil {
		return run, fmt.Errorf("enqueue run: %w", err)
	}
	n, err := done.LastInsertId()
	if err != nil {
		return run, fmt.Errorf("enqueue run: %w", err)
	}
	run.ID = runID(n)
	return run, nil
}

// Claim makes a queued run of this process the running one if nothing runs
// and no older run waits, runs of dead processes aside, and nobody occupies the
// machine. Otherwise it returns how many come first. A run that is running already stays so.
func (q *RunQueue) Claim(ctx context.Context, id string) (ahead int, err error) {
	n, err := parseRunID(id)
	if err != nil {
		return 0, err
	}
	// While the answer is "not yet", nobody needs to be held up for it.
	left, err := q.store.orphans(ctx, q.store.read, q.owner)
	if err != nil {
		return 0, err
	}
	if ahead, err = q.ahead(ctx, q.store.read, n); err != nil || ahead > 0 && len(left) == 0 {
		return ahead, err
	}
	tx, err := q.store.write.BeginTx(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("claim run %s: %w", id, err)
	}
	defer tx.Rollback()
	if err := q.store.settle(ctx, tx, q.owner); err != nil {
		return 0, fmt.Errorf("claim run %s: %w", id, err)
	}
	if ahead, err = q.ahead(ctx, tx, n); err != nil {
		return 0, err
	}
	if ahead == 0 {
		if _, err := tx.ExecContext(ctx, `UPDATE runs SET outcome = 'running', started_ms = ? WHERE id = ? AND outcome = 'queued'`,
			time.Now().UnixMilli(), n); err != nil {
			return 0, fmt.Errorf("claim run %s: %w", id, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return 0, fmt.Errorf("claim run %s: %w", id, err)
	}
	return ahead, nil
}

// ahead counts what comes before a run of this process that has not ended.
func (q *RunQueue) ahead(ctx context.Context, db querier, n int64) (int, error) {
	outcome, _, err := q.own(ctx, db, n)
	switch {
	case err != nil:
		return 0, err
	case outcome.Final():
		return 0, fmt.Errorf("claim run %s: it has ended: %s", runID(n), outcome)
	}
	var ahead int
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM runs WHERE outcome = 'running' AND id <> ?1 OR outcome = 'queued' AND id < ?1`, n).Scan(&ahead)
	if err != nil {
		return 0, fmt.Errorf("claim run %s: %w", runID(n), err)
	}
	measuring, err := q.store.occupied(ctx, db)
	return ahead + measuring, err
}

// own returns how a run of this process stands.
func (q *RunQueue) own(ctx context.Context, db querier, n int64) (outcome trace.Outcome, document string, err error) {
	var owner string
	err = db.QueryRowContext(ctx, `SELECT outcome, owner, document FROM runs WHERE id = ?`, n).Scan(&outcome, &owner, &document)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = fmt.Errorf("%w: %s", trace.ErrNoRun, runID(n))
	case err != nil:
		err = fmt.Errorf("find run %s: %w", runID(n), err)
	case owner != q.owner:
		err = fmt.Errorf("run %s belongs to another process", runID(n))
	}
	return outcome, document, err
}

// Finish keeps the end of a run of this process, with its trace. Finishing
// once more with the same end changes nothing; with another it is refused.
func (q *RunQueue) Finish(ctx context.Context, run trace.Run, events []trace.Event) error {
	n, err := parseRunID(run.ID)
	if err != nil {
		return err
	}
	if !run.Outcome.Final() {
		return fmt.Errorf("finish run %s: it is %s", run.ID, run.Outcome)
	}
	packed, err := packEvents(events)
	if err != nil {
		return fmt.Errorf("finish run %s: write trace: %w", run.ID, err)
	}
	iterations, err := packTimes(run.Iterated)
	if err != nil {
		return fmt.Errorf("finish run %s: write times: %w", run.ID, err)
	}
	run.Iterated = nil // they have their own column
	document, err := json.Marshal(run)
	if err != nil {
		return fmt.Errorf("finish run %s: %w", run.ID, err)
	}
	tx, err := q.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("finish run %s: %w", run.ID, err)
	}
	defer tx.Rollback()
	outcome, kept, err := q.own(ctx, tx, n)
	switch {
	case err != nil:
		return fmt.Errorf("finish: %w", err)
	case outcome.Final() && outcome == run.Outcome && kept == string(document):
		return nil // acknowledged, but the word was lost
	case outcome.Final():
		return fmt.Errorf("finish run %s: it has ended: %s", run.ID, outcome)
	}
	if _, err := tx.ExecContext(ctx, `UPDATE runs SET outcome = ?, ended_ms = ?, document = ?, trace = ?, iterations = ? WHERE id = ?`,
		string(run.Outcome), time.Now().UnixMilli(), string(document), packed, iterations, n); err != nil {
		return fmt.Errorf("finish run %s: %w", run.ID, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("finish run %s: %w", run.ID, err)
	}
	return nil
}
