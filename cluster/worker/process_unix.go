//go:build unix

package worker

import (
	"os"

	"golang.org/x/sys/unix"
)

// openStdio puts standard input into the poller, so that closing it ends a
// read that waits.
func openStdio() (stdio, error) {
	if err := unix.SetNonblock(0, true); err != nil {
		return stdio{}, err
	}
	return stdio{os.NewFile(0, "stdin"), os.Stdout}, nil
}

// segment returns the memory that this process was given to share, nil if it
// was given none: the first extra file of exec.Cmd, announced by SegmentEnv.
func segment() *os.File {
	if os.Getenv(SegmentEnv) == "" {
		return nil
	}
	const file = 3
	unix.CloseOnExec(file)
	return os.NewFile(file, "shared memory")
}
