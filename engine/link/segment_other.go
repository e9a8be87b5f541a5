//go:build !unix

package link

import (
	"errors"
	"os"
)

// SharesMemory reports whether ranks of this system can have a segment.
const SharesMemory = false

func anonymousFile() (*os.File, error) { return nil, errors.ErrUnsupported }

func seal(*os.File) error { return nil }

func mapShared(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapShared([]byte) error { return nil }
