package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"
)

// ErrNewerSchema says that a later version of the program has written the
// data folder; this one cannot know what it would break.
var ErrNewerSchema = errors.New("data folder was written by a newer version of the program")

//go:embed migrations/*.sql
var migrations embed.FS

// migrateAlone brings the schema up to date while no other process does.
// SQLite's own lock is not enough: switching a new file to WAL does not wait
// its turn, and two processes would both find the first migration missing.
func migrateAlone(ctx context.Context, db *sql.DB, dir string) (err error) {
	lock := flock.New(filepath.Join(dir, "migrate.lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return fmt.Errorf("wait for another process's migration: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	schema, err := newSchema(db)
	if err != nil {
		return err
	}
	current, target, err := schema.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if current > target {
		return fmt.Errorf("%w: it has schema %d, this version knows %d", ErrNewerSchema, current, target)
	}
	_, err = schema.Up(ctx)
	return err
}

// newSchema returns the steps from any earlier schema to the current one. It
// borrows db: closing db is the caller's.
func newSchema(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithVerbose(false), goose.WithDisableGlobalRegistry(true))
}
