//go:build unix

package link

import (
	"os"

	"golang.org/x/sys/unix"
)

// SharesMemory reports whether ranks of this system can have a segment.
const SharesMemory = true

func mapShared(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func unmapShared(memory []byte) error { return unix.Munmap(memory) }
