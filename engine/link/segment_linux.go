package link

import (
	"os"

	"golang.org/x/sys/unix"
)

func anonymousFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("lockstep", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "shared memory"), nil
}

// seal keeps the size as it is: a map beyond the end of a file would end a
// process.
func seal(f *os.File) error {
	_, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_GROW|unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL)
	return err
}
