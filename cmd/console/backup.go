package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lockstep/cluster"
	"lockstep/engine/unit"
	"lockstep/store"
	"lockstep/web/certificate"
)

// besideDatabase are the files of the data folder that a backup carries beside
// the database: without the authority all nodes would have to join anew, and
// with another certificate all programs would have to be told its fingerprint.
var besideDatabase = []string{cluster.AuthorityCertificate, cluster.AuthorityKey, certificate.SelfSignedFile, certificate.SelfSignedKeyFile}

type backupCommand struct {
	dataFlag
	File string `arg:"" help:"Where to write the backup; it must not exist yet."`
	JSON bool   `name:"json" help:"One JSON document."`
}

// Run writes a backup of the data folder, also while a console serves it. The
// file appears under its name when it is whole, for its owner alone: it may
// hold the keys of the cluster.
func (c backupCommand) Run(ctx context.Context, term terminal) error {
	dir, err := c.folder()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(c.File); err == nil {
		return usageError{field: "file", message: c.File + " exists; accepted: the name of a file that does not"}
	}
	manifest, size, err := c.write(ctx, dir)
	switch {
	case errors.Is(err, store.ErrNoData):
		return usage("data", fmt.Errorf("there is nothing to back up in %s", dir))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist):
		return usageError{field: "file", message: err.Error() + "; accepted: the name of a file that does not exist, in a folder that does"}
	case err != nil:
		return err
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(struct {
			Version int            `json:"version"`
			File    string         `json:"file"`
			Size    int64          `json:"size_bytes"`
			Backup  store.Manifest `json:"manifest"`
		}{1, c.File, size, manifest})
	}
	_, err = fmt.Fprintf(term.out, "backed up %s to %s: %s, %s; it holds secrets, keep it like a key\n",
		dir, c.File, unit.Bytes(size), count(len(manifest.Files), "file"))
	return err
}

func (c backupCommand) write(ctx context.Context, dir string) (m store.Manifest, size int64, err error) {
	folder := filepath.Dir(c.File)
	part, err := os.CreateTemp(folder, ".lockstep-backup-*") // 0600
	if err != nil {
		return m, 0, err
	}
	defer func() {
		_ = part.Close() // a second time, where all went well
		if gone := os.Remove(part.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	if m, err = store.Backup(ctx, dir, folder, buildVersion(), besideDatabase, part); err != nil {
		return m, 0, err
	}
	at, err := part.Stat()
	if err != nil {
		return m, 0, err
	}
	if err := errors.Join(part.Sync(), part.Close()); err != nil {
		return m, 0, fmt.Errorf("write %s: %w", c.File, err)
	}
	// A link and not a renaming, which would replace what has come meanwhile.
	if err := os.Link(part.Name(), c.File); errors.Is(err, fs.ErrExist) {
		return m, 0, err
	} else if err != nil { // a file system without links
		if err := os.Rename(part.Name(), c.File); err != nil {
			return m, 0, err
		}
	}
	return m, at.Size(), nil
}
