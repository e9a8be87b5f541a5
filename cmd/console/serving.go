package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A console that serves a data folder holds the lock beside the file that
// says where. The lock is the truth: it goes with its process, however that
// ends, and the file may outlive it.
const (
	servingLock = "serving.lock"
	servingFile = "serving"
)

// claimPatience is how long a console waits for the folder: the one before it
// may be about to end, or console key to have just looked.
const claimPatience = time.Second

// claim makes this process the one console of the data folder until release:
// before it, nothing there may be changed that such a console rests on.
func claim(ctx context.Context, dir string) (release func() error, err error) {
	lock := flock.New(filepath.Join(dir, servingLock), flock.SetPermissions(0o600))
	patience, cancel := context.WithTimeout(ctx, claimPatience)
	defer cancel()
	switch _, err := lock.TryLockContext(patience, 50*time.Millisecond); {
	case errors.Is(err, context.DeadlineExceeded):
		where, _ := os.ReadFile(filepath.Join(dir, servingFile))
		return nil, failure{code: "folder-in-use", err: errors.Join(
			fmt.Errorf("data folder %s is served already, at %s; stop that console or choose another folder with --data", dir, strings.TrimSpace(string(where))),
			lock.Close())}
	case err != nil:
		return nil, errors.Join(fmt.Errorf("claim data folder %s: %w", dir, err), lock.Close())
	}
	withdraw := func() error {
		err := os.Remove(filepath.Join(dir, servingFile))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	if err := withdraw(); err != nil { // what a console that was killed has left
		return nil, errors.Join(fmt.Errorf("claim data folder %s: %w", dir, err), lock.Close())
	}
	return func() error { return errors.Join(withdraw(), lock.Close()) }, nil
}

// publish says in a folder that was claimed where its console is.
func publish(dir, address string) error {
	if err := os.WriteFile(filepath.Join(dir, servingFile), []byte(address+"\n"), 0o600); err != nil {
		return fmt.Errorf("publish address: %w", err)
	}
	return nil
}

// servedAt returns the address of the console that serves the data folder,
// empty if there is none.
func servedAt(dir string) (string, error) {
	lock := flock.New(filepath.Join(dir, servingLock), flock.SetPermissions(0o600))
	free, err := lock.TryRLock() // shared, so that many may ask at once
	if err != nil {
		return "", fmt.Errorf("look for a console: %w", err)
	}
	if free {
		return "", lock.Close()
	}
	address, err := os.ReadFile(filepath.Join(dir, servingFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // it may be about to publish
		return "", fmt.Errorf("look for a console: %w", err)
	}
	return strings.TrimSpace(string(address)), nil
}
