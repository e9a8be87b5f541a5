package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"lockstep/store"
)

type restoreCommand struct {
	dataFlag
	File  string `arg:"" help:"The backup, as console backup has written it."`
	Force bool   `help:"Move what is in the data folder into a folder of its own there."`
	JSON  bool   `name:"json" help:"One JSON document."`
}

// Run puts a backup in place of an empty data folder, or with --force of a
// full one. It does all of it or nothing.
func (c restoreCommand) Run(ctx context.Context, term terminal) (err error) {
	dir, err := c.folder()
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return usageError{field: "file", message: err.Error()}
	}
	defer file.Close()
	if at, err := file.Stat(); err == nil && at.IsDir() {
		return usageError{field: "file", message: c.File + " is a folder; accepted: a file that console backup has written"}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make data folder: %w", err)
	}
	release, err := keepFree(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	manifest, aside, err := store.Restore(ctx, store.Restoration{From: file, Dir: dir, Beside: besideDatabase, Force: c.Force})
	switch {
	case errors.Is(err, store.ErrFolderFull):
		return usage("data", fmt.Errorf("%s is not empty; accepted: a folder that is empty or does not exist, or --force, which moves what is there into a folder of its own", dir))
	case errors.Is(err, store.ErrFolderUsed):
		return failure{code: "folder-in-use", err: fmt.Errorf("data folder %s is in use: another process carries out runs there; let it end first", dir)}
	case errors.Is(err, store.ErrBackupDamaged):
		return failure{code: "backup-damaged", err: fmt.Errorf("%s: %w; nothing was changed", c.File, err)}
	case errors.Is(err, store.ErrBackupNewer):
		return failure{code: "backup-newer", err: fmt.Errorf("%s: %w; nothing was changed", c.File, err)}
	case err != nil:
		return err
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(struct {
			Version int            `json:"version"`
			Data    string         `json:"data"`
			Aside   string         `json:"moved_aside,omitempty"`
			Backup  store.Manifest `json:"manifest"`
		}{1, dir, aside, manifest})
	}
	fmt.Fprintf(term.out, "restored %s as of %s, written by %s\n", dir, manifest.Created.Local().Format(time.DateTime), manifest.Program)
	if aside != "" {
		fmt.Fprintf(term.out, "what was there is in %s\n", aside)
	}
	_, err = fmt.Fprintln(term.out, "sessions, opening keys and unused join tokens are not restored: console key prints a fresh key. Nodes whose certificate was renewed since then must join anew")
	return err
}

// keepFree keeps consoles from serving the data folder until release.
func keepFree(dir string) (release func() error, err error) {
	lock := flock.New(filepath.Join(dir, servingLock), flock.SetPermissions(0o600))
	free, err := lock.TryLock()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("claim data folder %s: %w", dir, err), lock.Close())
	}
	if !free {
		where, _ := os.ReadFile(filepath.Join(dir, servingFile))
		return nil, failure{code: "folder-in-use", err: errors.Join(
			fmt.Errorf("data folder %s is served, at %s; stop that console first", dir, strings.TrimSpace(string(where))), lock.Close())}
	}
	return lock.Close, nil
}
