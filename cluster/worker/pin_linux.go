package worker

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// pinned calls f on a processor of its own: the seat-th of those that this
// process may use, counting round. A system that does not allow it runs f
// where it likes.
func pinned(seat int, f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var may, one unix.CPUSet
	if unix.SchedGetaffinity(0, &may) == nil && may.Count() > 0 {
		one.Set(nth(&may, seat%may.Count()))
		if unix.SchedSetaffinity(0, &one) == nil {
			defer func() { _ = unix.SchedSetaffinity(0, &may) }() // what it was before is allowed
		}
	}
	f()
}

// nth returns the n-th processor of a set that has more.
func nth(set *unix.CPUSet, n int) int {
	for cpu := 0; ; cpu++ {
		if set.IsSet(cpu) {
			if n == 0 {
				return cpu
			}
			n--
		}
	}
}
