package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"lockstep/engine/trace"
)

// ownersFolder holds one lock file for each process that runs. A process's
// number would not do for a name: numbers are given again, and mean nothing
// in another container on the same folder.
const ownersFolder = "owners"

// newOwner makes an owner that lives until its lock is released or its process
// ends, however it ends. The caller is in a write transaction: between making
// the file and locking it, settle would take it for a dead one's.
func (s *Store) newOwner() (name string, lock *flock.Flock, err error) {
	if err := os.MkdirAll(filepath.Join(s.dir, ownersFolder), 0o700); err != nil {
		return "", nil, fmt.Errorf("make folder of owners: %w", err)
	}
	var random [8]byte
	rand.Read(random[:]) // never fails
	name = hex.EncodeToString(random[:])
	lock = flock.New(s.ownerPath(name), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		err = errors.New("somebody else holds it")
	}
	if err != nil {
		return "", nil, fmt.Errorf("lock owner file %s: %w", lock.Path(), err)
	}
	return name, lock, nil
}

func (s *Store) ownerPath(owner string) string {
	return filepath.Join(s.dir, ownersFolder, owner+".lock")
}

// lives reports whether an owner's process still holds its lock.
func (s *Store) lives(owner string) (bool, error) {
	if strings.ContainsAny(owner, `/\.`) {
		return false, nil // no name that we give
	}
	// Shared, so that two who ask at the same time do not see each other;
	// without creating what is not there.
	probe := flock.New(s.ownerPath(owner), flock.SetFlag(os.O_RDONLY))
	free, err := probe.TryRLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("probe lock of owner %s: %w", owner, err)
	case !free:
		return true, nil
	}
	return false, probe.Close()
}

// orphan is a run whose owner is gone.
type orphan struct {
	id       int64
	outcome  trace.Outcome // queued or running
	document string
}

// orphans returns the runs that have not ended and whose owner is gone. The
// owner self is alive.
func (s *Store) orphans(ctx context.Context, db querier, self string) ([]orphan, error) {
	rows, err := db.QueryContext(ctx, `SELECT id, owner, outcome, document FROM runs WHERE outcome IN ('queued', 'running') AND owner <> ?`, self)
	if err != nil {
		return nil, fmt.Errorf("look for orphaned runs: %w", err)
	}
	defer rows.Close()
	var found []orphan
	known := map[string]bool{}
	for rows.Next() {
		var o orphan
		var owner string
		if err := rows.Scan(&o.id, &owner, &o.outcome, &o.document); err != nil {
			return nil, fmt.Errorf("look for orphaned runs: %w", err)
		}
		alive, asked := known[owner]
		if !asked {
			if alive, err = s.lives(owner); err != nil {
				return nil, err
			}
			known[owner] = alive
		}
		if !alive {
			found = append(found, o)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("look for orphaned runs: %w", err)
	}
	return found, nil
}

// settle ends, inside the write transaction tx, the runs whose owner is gone.
func (s *Store) settle(ctx context.Context, tx *sql.Tx, self string) error {
	left, err := s.orphans(ctx, tx, self)
	if err != nil {
		return err
	}
	for _, o := range left {
		var run trace.Run
		if err := json.Unmarshal([]byte(o.document), &run); err != nil {
			// One damaged row must not keep the whole folder from working.
			run = trace.Run{Version: 1, Warnings: []trace.Warning{{
				Code: "unreadable", Message: "the saved run could not be read: " + err.Error(), Values: trace.Values{"reason": err.Error()},
			}}}
		}
		run.Failure = &trace.Failure{Kind: trace.ConsoleStopped, Step: -1, Message: "console stopped before the run ended; its progress is lost"}
		if o.outcome == trace.Queued {
			run.Failure.Message, run.Failure.Values = "console stopped before it was the run's turn", trace.Values{"why": "queued"}
		}
		document, err := json.Marshal(run)
		if err != nil {
			return fmt.Errorf("write run %s: %w", runID(o.id), err)
		}
		if _, err := tx.ExecContext(ctx, `UPDATE runs SET outcome = 'failed', ended_ms = ?, document = ? WHERE id = ?`,
			time.Now().UnixMilli(), string(document), o.id); err != nil {
			return fmt.Errorf("end orphaned run %s: %w", runID(o.id), err)
		}
	}
	return nil
}

// sweep removes the lock files of owners that are gone. The caller is in a
// write transaction, as for newOwner.
func (s *Store) sweep() error {
	paths, err := filepath.Glob(s.ownerPath("*"))
	if err != nil {
		return err
	}
	var errs []error
	for _, path := range paths {
		owner := strings.TrimSuffix(filepath.Base(path), ".lock")
		alive, err := s.lives(owner)
		if err == nil && !alive {
			if err = os.Remove(path); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
