package link

import (
	"os"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	futexWait = 0 // not private: other processes wake
	futexWake = 1
)

// sleep sleeps for d, or until rouse, unless the bell has rung since it was
// seen.
func sleep(bell *uint32, seen uint32, d time.Duration) {
	limit := unix.NsecToTimespec(int64(max(d, 0)))
	// Whatever ends it, the caller looks around.
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(bell)), futexWait, uintptr(seen), uintptr(unsafe.Pointer(&limit)), 0, 0)
	runtime.KeepAlive(&limit)
}

// rouse ends a sleep on the bell.
func rouse(bell *uint32) {
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(bell)), futexWake, 1, 0, 0, 0)
}

// yield lets another thread run on this processor.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// alive reports whether there is such a process.
func alive(process int) bool { return unix.Kill(process, 0) != unix.ESRCH }

// populate has the system make the pages of memory now. One that cannot makes
// them when they are touched.
func populate(memory []byte) {
	page := os.Getpagesize()
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & uintptr(page-1))
	if skip >= len(memory) {
		return
	}
	_ = unix.Madvise(memory[skip:], unix.MADV_POPULATE_WRITE)
}
