package main

import (
	"errors"
	"os"
	"path/filepath"
)

// dataFlag is shared by every command that touches the store.
type dataFlag struct {
	Data string `placeholder:"DIR" help:"Data folder (default: $$LOCKSTEP_DATA, else ~/.local/share/lockstep)."`
}

// folder resolves the data folder without creating it.
func (f dataFlag) folder() (string, error) {
	if f.Data != "" {
		return f.Data, nil
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
