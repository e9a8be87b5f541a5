package store

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// ErrNoData says that there is no database to back up.
var ErrNoData = errors.New("there is no data to back up")

// backupFormat is that of the files that Backup writes.
const backupFormat = 1

// manifestName is the first entry of a backup.
const manifestName = "manifest.json"

// Manifest is what a backup says of itself. It stands first in the file.
type Manifest struct {
	Format  int         `json:"format"`
	Program string      `json:"program"` // the version that wrote it
	Created time.Time   `json:"created"`
	Schema  int64       `json:"schema"` // of the database
	Files   []FileEntry `json:"files"`  // in the order in which they follow
}

// FileEntry is a file of a backup.
type FileEntry struct {
	Name   string `json:"name"` // in the data folder
	Size   int64  `json:"size_bytes"`
	SHA256 string `json:"sha256"`
}

// forgotten are the rows that belong to the moment: what lets somebody in
// without more, and who is at work. A token that lets one node join, once,
// would count again for whoever has used it since.
var forgotten = []struct{ table, rows string }{
	{"sessions", "true"},
	{"opening_keys", "true"},
	{"tokens", "kind = 'join' AND used_ms IS NULL"},
	{"occupied", "true"},
}

// Backup writes everything that the data folder keeps to w, as of one moment,
// while others read and write it: the database, and those of the files named
// beside that exist. Open sessions, opening keys and join tokens that wait for
// their node are left out. scratch is a folder for a copy of the database,
// which is gone when Backup returns. The error where there is no database is
// ErrNoData.
func Backup(ctx context.Context, dir, scratch, program string, beside []string, w io.Writer) (m Manifest, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return m, fmt.Errorf("find data folder: %w", err)
	}
	if scratch, err = filepath.Abs(scratch); err != nil {
		return m, fmt.Errorf("find folder for a copy: %w", err)
	}
	if there, err := Exists(dir); err != nil || !there {
		return m, errors.Join(fmt.Errorf("back up %s: %w", dir, ErrNoData), err)
	}
	work, err := os.MkdirTemp(scratch, ".lockstep-backup-*") // 0700
	if err != nil {
		return m, fmt.Errorf("make room for a copy: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	m = Manifest{Format: backupFormat, Program: program, Created: time.Now().UTC()}
	copied := filepath.Join(work, databaseFile)
	if m.Schema, err = copyDatabase(ctx, filepath.Join(dir, databaseFile), copied); err != nil {
		return m, fmt.Errorf("back up database: %w", err)
	}
	paths := []string{copied}
	for _, name := range beside {
		switch _, err := os.Stat(filepath.Join(dir, name)); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return m, fmt.Errorf("back up %s: %w", name, err)
		default: // copied, so that what is hashed is what is packed
			path := filepath.Join(work, name)
			if err := copyFile(filepath.Join(dir, name), path); err != nil {
				return m, fmt.Errorf("back up %s: %w", name, err)
			}
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		entry, err := entryOf(path)
		if err != nil {
			return m, err
		}
		m.Files = append(m.Files, entry)
	}
	return m, pack(ctx, w, m, paths)
}

// copyDatabase writes a database as of one moment, without what is forgotten,
// and returns the version of its schema.
func copyDatabase(ctx context.Context, from, to string) (schema int64, err error) {
	// Not query_only, which forbids to write the copy too.
	live, err := sql.Open("sqlite3", dsn(from, url.Values{"mode": {"ro"}}))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, live.Close()) }()
	if err := prepareFile(to); err != nil {
		return 0, err
	}
	if _, err := live.ExecContext(ctx, `VACUUM INTO ?`, to); err != nil {
		return 0, fmt.Errorf("copy: %w", err)
	}
	// No log beside the copy, so that it is one file.
	db, err := sql.Open("sqlite3", dsn(to, url.Values{"_journal_mode": {"DELETE"}, "_synchronous": {"FULL"}, "_secure_delete": {"on"}}))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	for _, f := range forgotten {
		var n int
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?`, f.table).Scan(&n); err != nil {
			return 0, err
		}
		if n == 0 { // of an earlier schema
			continue
		}
		if _, err := db.ExecContext(ctx, `DELETE FROM `+f.table+` WHERE `+f.rows); err != nil {
			return 0, fmt.Errorf("forget %s: %w", f.table, err)
		}
	}
	return schemaVersion(ctx, db)
}

// schemaVersion reads the version of a database's schema without changing it.
func schemaVersion(ctx context.Context, db *sql.DB) (version int64, err error) {
	err = db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	return version, nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func entryOf(path string) (FileEntry, error) {
	f, err := os.Open(path)
	if err != nil {
		return FileEntry{}, err
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return FileEntry{}, fmt.Errorf("read %s: %w", path, err)
	}
	return FileEntry{Name: filepath.Base(path), Size: size, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// pack writes the manifest and the files as a compressed archive.
func pack(ctx context.Context, w io.Writer, m Manifest, paths []string) error {
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	zip := gzip.NewWriter(w)
	archive := tar.NewWriter(zip)
	add := func(name string, size int64, from io.Reader) error {
		head := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: m.Created, Format: tar.FormatPAX}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		_, err := io.Copy(archive, reading{ctx, from})
		return err
	}
	if err := add(manifestName, int64(len(text)), bytes.NewReader(text)); err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	for i, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("write backup: %w", err)
		}
		err = errors.Join(add(m.Files[i].Name, m.Files[i].Size, f), f.Close())
		if err != nil {
			return fmt.Errorf("write backup: %w", err)
		}
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	return nil
}

// reading ends with its context.
type reading struct {
	ctx  context.Context
	from io.Reader
}

func (r reading) Read(p []byte) (int, error) {
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}
