package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Permission bits that let someone else than the owner write, or do anything.
const (
	othersWrite fs.FileMode = 0o022
	othersAny   fs.FileMode = 0o077
)

// Exists reports whether there is a database in the data folder; a folder that
// does not exist has none. It makes neither.
func Exists(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, databaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// prepareFolder makes dir for its owner alone. A folder that exists is left as
// it is, for it may serve other ends too, but one that others can write to is
// refused: they could swap the database.
func prepareFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	at, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" && at.Mode().Perm()&othersWrite != 0 {
		return fmt.Errorf("other users can write to it (mode %#o); keep data in a folder of your own, or run: chmod go-w %s", at.Mode().Perm(), dir)
	}
	return nil
}

// prepareFile makes the database file before SQLite does, because SQLite
// would let everybody read it. The log beside it inherits the mode.
func prepareFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	at, err := f.Stat()
	if err == nil && runtime.GOOS != "windows" && at.Mode().Perm()&othersAny != 0 {
		err = f.Chmod(0o600)
	}
	return errors.Join(err, f.Close())
}
