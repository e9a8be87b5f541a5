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
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Errors of Restore.
var (
	ErrBackupDamaged = errors.New("backup is damaged")
	ErrBackupNewer   = errors.New("backup was written by a newer version of the program")
	ErrFolderFull    = errors.New("data folder is not empty")
	ErrFolderUsed    = errors.New("data folder is in use by another process")
)

// maxManifest bounds what is read before anything is believed, in bytes.
const maxManifest = 1 << 20

// asidePrefix begins the names of the folders that keep what was there before.
const asidePrefix = "before-restore-"

// Restoration is a backup to be put in place.
type Restoration struct {
	From   io.Reader
	Dir    string   // the data folder; made if there is none
	Beside []string // names of the files that a backup may hold beside the database
	Force  bool     // move what is there into a folder of its own
}

// Restore puts a backup in place: all of it, or nothing and an error. What it
// holds is checked and brought to the current schema first. It returns the
// backup's manifest, and where the earlier content has gone with Force. Lock
// files, by which other processes look out for each other, stay. The caller
// sees to it that no console serves the folder.
func Restore(ctx context.Context, r Restoration) (m Manifest, aside string, err error) {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return m, "", fmt.Errorf("find data folder: %w", err)
	}
	if err := prepareFolder(dir); err != nil {
		return m, "", fmt.Errorf("prepare data folder %s: %w", dir, err)
	}
	there, err := content(dir)
	switch {
	case err != nil:
		return m, "", fmt.Errorf("look into data folder %s: %w", dir, err)
	case len(there) > 0 && !r.Force:
		return m, "", fmt.Errorf("%s: %w", dir, ErrFolderFull)
	}
	if err := unused(dir); err != nil {
		return m, "", err
	}
	// Within the folder: it may be a file system of its own.
	stage, err := os.MkdirTemp(dir, ".restoring-*")
	if err != nil {
		return m, "", fmt.Errorf("make room: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	if m, err = unpack(ctx, r.From, stage, append(slices.Clone(r.Beside), databaseFile)); err != nil {
		return m, "", err
	}
	if err := proven(ctx, stage, m); err != nil {
		return m, "", err
	}
	if len(there) > 0 {
		aside = filepath.Join(dir, asidePrefix+time.Now().UTC().Format("20060102-150405.000"))
		if err := os.Mkdir(aside, 0o700); err != nil {
			return m, "", fmt.Errorf("make room for what was there: %w", err)
		}
		var moved []string
		defer func() {
			if err == nil {
				return
			}
			// Nothing was put in place, so that what was there goes back.
			for _, name := range slices.Backward(moved) {
				err = errors.Join(err, os.Rename(filepath.Join(aside, name), filepath.Join(dir, name)))
			}
			err = errors.Join(err, os.Remove(aside))
		}()
		for _, name := range there {
			if strings.HasPrefix(name, asidePrefix) { // of an earlier restoration
				continue
			}
			if err := os.Rename(filepath.Join(dir, name), filepath.Join(aside, name)); err != nil {
				return m, aside, fmt.Errorf("move %s aside: %w", name, err)
			}
			moved = append(moved, name)
		}
	}
	return m, aside, settleIn(stage, dir, m)
}

// settleIn moves the files of a proven backup to their places, the database
// last: a folder that has one is whole.
func settleIn(stage, dir string, m Manifest) error {
	files := slices.Clone(m.Files)
	slices.SortStableFunc(files, func(a, b FileEntry) int {
		return boolInt(a.Name == databaseFile) - boolInt(b.Name == databaseFile)
	})
	for i, f := range files {
		if err := os.Rename(filepath.Join(stage, f.Name), filepath.Join(dir, f.Name)); err != nil {
			err = fmt.Errorf("put %s in place: %w", f.Name, err)
			for _, placed := range files[:i] {
				err = errors.Join(err, os.Remove(filepath.Join(dir, placed.Name)))
			}
			return err
		}
	}
	return syncFolder(dir)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// content is what a restoration would replace.
func content(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".lock") || e.Name() == "lost+found" { // of a file system of its own
			continue
		}
		names = append(names, e.Name())
	}
	return names, nil
}

// unused returns ErrFolderUsed while a process carries out runs there.
func unused(dir string) error {
	owners, err := os.ReadDir(filepath.Join(dir, ownersFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look who uses data folder %s: %w", dir, err)
	}
	s := &Store{dir: dir}
	for _, o := range owners {
		name, _ := strings.CutSuffix(o.Name(), ".lock")
		switch alive, err := s.lives(name); {
		case err != nil:
			return err
		case alive:
			return fmt.Errorf("%s: %w", dir, ErrFolderUsed)
		}
	}
	return nil
}

// unpack writes the files of a backup to a folder, each as its manifest says
// and none besides.
func unpack(ctx context.Context, from io.Reader, to string, known []string) (m Manifest, err error) {
	damaged := func(err error) error {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if errors.Is(err, syscall.ENOSPC) { // the disk's fault, and the backup is as good as before
			return fmt.Errorf("unpack backup: %w", err)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("it ends too early")
		}
		return fmt.Errorf("%w: %w", ErrBackupDamaged, err)
	}
	zip, err := gzip.NewReader(reading{ctx, from})
	if err != nil {
		return m, damaged(fmt.Errorf("it is no compressed archive: %w", err))
	}
	archive := tar.NewReader(zip)
	head, err := archive.Next()
	if err != nil {
		return m, damaged(err)
	}
	if head.Name != manifestName {
		return m, damaged(fmt.Errorf("it begins with %q and not with its manifest", head.Name))
	}
	text, err := io.ReadAll(io.LimitReader(archive, maxManifest))
	if err != nil {
		return m, damaged(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, damaged(fmt.Errorf("read manifest: %w", err))
	}
	if m.Format != backupFormat {
		return m, fmt.Errorf("%w: it has format %d, this version knows %d", ErrBackupNewer, m.Format, backupFormat)
	}
	for i, f := range m.Files {
		if !slices.Contains(known, f.Name) || slices.ContainsFunc(m.Files[:i], func(o FileEntry) bool { return o.Name == f.Name }) {
			return m, damaged(fmt.Errorf("its manifest names %q", f.Name))
		}
		head, err := archive.Next()
		if err != nil {
			return m, damaged(err)
		}
		if head.Name != f.Name || head.Size != f.Size || head.Typeflag != tar.TypeReg {
			return m, damaged(fmt.Errorf("%s stands where %s of %d bytes is due", head.Name, f.Name, f.Size))
		}
		if err := write(archive, filepath.Join(to, f.Name), f); err != nil {
			return m, damaged(err)
		}
	}
	if _, err := archive.Next(); err != io.EOF {
		return m, damaged(errors.New("more follows than its manifest says"))
	}
	if _, err := io.Copy(io.Discard, zip); err != nil { // to the checksum at the end
		return m, damaged(err)
	}
	return m, nil
}

// write keeps one file, safe from the loss of power, if it is what its entry
// says.
func write(from io.Reader, path string, entry FileEntry) (err error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, sum), from); err != nil {
		return err
	}
	want, err := hex.DecodeString(entry.SHA256)
	if err != nil || !bytes.Equal(want, sum.Sum(nil)) {
		return fmt.Errorf("%s is not what its checksum says", entry.Name)
	}
	return out.Sync()
}

// proven checks an unpacked database and brings it to the current schema.
func proven(ctx context.Context, stage string, m Manifest) (err error) {
	path := filepath.Join(stage, databaseFile)
	if there, err := Exists(stage); err != nil || !there {
		return errors.Join(fmt.Errorf("%w: it holds no database", ErrBackupDamaged), err)
	}
	db, err := sql.Open("sqlite3", readDSN(path))
	if err != nil {
		return err
	}
	schema, err := newSchema(db)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	sources := schema.ListSources()
	newest := sources[len(sources)-1].Version
	sound := ""
	err = db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&sound)
	if err == nil && sound != "ok" {
		err = errors.New(sound)
	}
	var has int64
	if err == nil {
		has, err = schemaVersion(ctx, db)
	}
	if closed := db.Close(); err != nil || closed != nil {
		return fmt.Errorf("%w: its database: %w", ErrBackupDamaged, errors.Join(err, closed))
	}
	if has > newest {
		return fmt.Errorf("%w: its database has schema %d, this version knows %d", ErrBackupNewer, has, newest)
	}
	if has != m.Schema {
		return fmt.Errorf("%w: its database has schema %d, its manifest says %d", ErrBackupDamaged, has, m.Schema)
	}
	s, err := Open(ctx, stage)
	if err != nil {
		return fmt.Errorf("bring backup to the current schema: %w", err)
	}
	return s.Close()
}
