package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// dataFlag is shared by every command that touches the store.
type dataFlag struct {
	Data *string `placeholder:"DIR" help:"Data folder (default: $$LOCKSTEP_DATA, else ~/.local/share/lockstep)."`
}

// folder resolves the data folder without creating it.
func (f dataFlag) folder() (string, error) {
	if f.Data != nil {
		at, err := os.Stat(*f.Data)
		switch {
		case *f.Data == "":
			return "", usage("data", errors.New("empty; accepted: a folder, which is made if it does not exist"))
		case err == nil && !at.IsDir():
			return "", usage("data", fmt.Errorf("%s is no folder; accepted: a folder, which is made if it does not exist", *f.Data))
		}
		return *f.Data, nil
	}
	if dir := os.Getenv("LOCKSTEP_DATA"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usage("data", errors.New("no home folder to keep data in; give a folder"))
	}
	return filepath.Join(home, ".local", "share", "lockstep"), nil
}

// openToOthers says what is wrong about a data folder that other users of the
// machine can look into; empty for nothing. Its rights are left as they are,
// for a folder that was there before may serve other ends too.
func openToOthers(dir string) (string, error) {
	const others = 0o077
	at, err := os.Stat(dir)
	if err != nil || runtime.GOOS == "windows" || at.Mode().Perm()&others == 0 {
		return "", err
	}
	return fmt.Sprintf("other users can look into the data folder %s (mode %#o); to keep them out: chmod 700 %[1]s", dir, at.Mode().Perm()), nil
}
