package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver named in open
)

// databaseFile is the name of the database in the data folder.
const databaseFile = "lockstep.db"

// Store is an open data folder. It is safe for concurrent use.
type Store struct {
	dir   string  // the data folder
	read  *sql.DB // any number of connections, none of which can write
	write *sql.DB // one connection; each transaction takes the write lock as it begins
}

// Open opens the data folder, making it (0700) and its database (0600) where
// they do not exist, and brings the schema up to date. Any number of processes
// may open the same folder, also for the first time at the same time. Open
// refuses a folder that other users can write to, and with ErrNewerSchema one
// that a later version of the program has written.
func Open(ctx context.Context, dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find data folder: %w", err)
	}
	if err := prepareFolder(dir); err != nil {
		return nil, fmt.Errorf("prepare data folder %s: %w", dir, err)
	}
	path := filepath.Join(dir, databaseFile)
	if err := prepareFile(path); err != nil {
		return nil, fmt.Errorf("prepare database %s: %w", path, err)
	}
	s := &Store{dir: dir}
	if s.write, err = sql.Open("sqlite3", writeDSN(path)); err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite3", readDSN(path)); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.Close())
	}
	s.read.SetMaxOpenConns(max(4, runtime.GOMAXPROCS(0)))
	if err := migrateAlone(ctx, s.write, dir); err != nil {
		return nil, errors.Join(fmt.Errorf("migrate database %s: %w", path, err), s.Close())
	}
	return s, nil
}

// Close waits for what is under way and closes the database.
func (s *Store) Close() error {
	var errs []error
	// The writer goes last: the last connection to leave folds the log into
	// the database, and a read-only one cannot.
	for _, pool := range []*sql.DB{s.read, s.write} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return errors.Join(errs...)
}

// Ready reports why the store cannot serve right now, or nil: the schema can
// be read and the write lock can be had.
func (s *Store) Ready(ctx context.Context) error {
	var tables int
	if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return fmt.Errorf("read schema: %w", err)
	}
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("take write lock: %w", err)
	}
	if err := tx.Rollback(); err != nil {
		return fmt.Errorf("release write lock: %w", err)
	}
	return nil
}

// writeDSN holds all settings of a writing connection. Immediate transactions
// wait for the lock when they begin, where waiting is safe, instead of failing
// half-way when a read turns into a write.
func writeDSN(path string) string {
	return dsn(path, url.Values{
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"},
		"_txlock":       {"immediate"},
	})
}

// readDSN holds all settings of a reading connection. The journal mode is a
// property of the file, which the writer has set.
func readDSN(path string) string {
	return dsn(path, url.Values{
		"mode":         {"ro"},
		"_query_only":  {"1"},
		"_synchronous": {"FULL"},
	})
}

func dsn(path string, settings url.Values) string {
	settings.Set("_foreign_keys", "1")
	settings.Set("_busy_timeout", "10000") // milliseconds
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a Windows drive
		path = "/" + path
	}
	// As a URL, so that a folder's name may hold ? # and %.
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: settings.Encode()}).String()
}
