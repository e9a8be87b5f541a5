package local

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// folderPrefix begins the names of the folders of runs with MPI among a user's
// temporary files. Of each folderLock is locked while its run lives: a lock goes
// with its process, however that ends.
const (
	folderPrefix = "lockstep-mpi-"
	folderLock   = "alive"
)

// folderYouth is how long a folder may be without its lock: it is being made.
const folderYouth = time.Minute

// runFolder is what a run with MPI keeps its files in.
type runFolder struct {
	path  string
	alive *flock.Flock
}

// newRunFolder makes a folder for one run, for this user alone, and removes
// those of runs whose console was killed.
func newRunFolder() (runFolder, error) {
	sweep(os.TempDir())
	for range 3 { // a sweeper of another console may be quicker than we lock it
		path, err := os.MkdirTemp("", folderPrefix) // 0700
		if err != nil {
			return runFolder{}, err
		}
		f := runFolder{path, flock.New(filepath.Join(path, folderLock), flock.SetPermissions(0o600))}
		if mine, err := f.alive.TryLock(); mine {
			return f, nil
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return runFolder{}, errors.Join(err, os.RemoveAll(path))
		}
	}
	return runFolder{}, errors.New("the folder for a run with MPI is removed as soon as it is made")
}

// remove removes the folder and all that is in it.
func (f runFolder) remove() error {
	return errors.Join(os.RemoveAll(f.path), f.alive.Close())
}

// sweep removes what runs of this user have left in a folder for temporary
// files. What cannot be removed stays until the next time.
func sweep(temporary string) {
	entries, err := os.ReadDir(temporary)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(temporary, e.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || !strings.HasPrefix(e.Name(), folderPrefix) {
			continue
		}
		if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() {
			continue
		}
		lock := flock.New(filepath.Join(path, folderLock), flock.SetFlag(os.O_RDWR))
		if over, err := lock.TryLock(); over || errors.Is(err, os.ErrNotExist) && time.Since(info.ModTime()) > folderYouth {
			_ = os.RemoveAll(path)
		}
		_ = lock.Close()
	}
}
