//go:build unix && !linux

package link

import (
	"errors"
	"os"
)

func anonymousFile() (*os.File, error) {
	f, err := os.CreateTemp("", "lockstep-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func seal(*os.File) error { return nil }
