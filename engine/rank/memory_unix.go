//go:build unix

package rank

import "golang.org/x/sys/unix"

func allocate(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

func release(memory []byte) error { return unix.Munmap(memory) }
