package link

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"lockstep/engine/kernel"
)

// raw is the transport that makes every system call on the rank's own thread.
//
// Calls that can't block go past Go's scheduler (RawSyscall): they cost what
// the kernel takes, and no thread is woken to stand in. Between two of them
// the loop of the caller is ordinary Go code, which the scheduler can stop.
type raw struct {
	cut  atomic.Bool // no way moves anything any more
	wake int         // an eventfd, readable once cut

	mu     sync.Mutex
	closed bool  // owned by mu, which keeps interrupt from descriptors that are closed
	fds    []int // owned by mu

	// The rest is the rank's thread's.
	spin    int  // turns of the present wait
	most    int  // of any
	slept   bool // in the present wait
	yields  int  // after the turns
	pace    pace
	waiting []*socket // found empty or full since the last turn
	large   bool      // one of them expects much
	polled  []unix.PollFd
}

func newRaw(cfg *Config) (*raw, error) {
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("open an eventfd: %w", err)
	}
	r := &raw{wake: wake, spin: callSpins, most: callSpins, yields: callYields}
	if cfg.Crowded {
		r.spin, r.most, r.yields = 0, 0, crowdedYields
	}
	return r, nil
}

// adopt takes the descriptor out of Go's poller and closes conn.
func (r *raw) adopt(conn *net.TCPConn) (sending, receiving way, err error) {
	fd := -1
	control, err := conn.SyscallConn()
	if err == nil {
		var dup error
		err = control.Control(func(own uintptr) {
			if fd, dup = unix.FcntlInt(own, unix.F_DUPFD_CLOEXEC, 0); dup == nil {
				dup = unix.SetNonblock(fd, true)
			}
			if dup == nil {
				dup = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
			}
		})
		err = errors.Join(err, dup)
	}
	if fd >= 0 {
		r.mu.Lock()
		r.fds = append(r.fds, fd)
		r.mu.Unlock()
	}
	if err = errors.Join(err, conn.Close()); err != nil {
		return nil, nil, fmt.Errorf("take over a connection: %w", err)
	}
	// The lists of a turn have room for every way.
	r.waiting = make([]*socket, 0, 2*len(r.fds))
	r.polled = make([]unix.PollFd, 0, 2*len(r.fds)+1)
	return &socket{raw: r, fd: fd, sends: true}, &socket{raw: r, fd: fd}, nil
}

func (r *raw) interrupt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.cut.Swap(true) {
		return
	}
	for _, fd := range r.fds {
		// Then break the association, which sends a reset: an end whose send
		// is held up by our full buffers would not hear of the shutdown alone.
		// Errors mean that the other end has been faster.
		_ = unix.Shutdown(fd, unix.SHUT_RDWR)
		none := unix.RawSockaddr{Family: unix.AF_UNSPEC}
		_, _, _ = unix.RawSyscall(unix.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&none)), unsafe.Sizeof(none))
	}
	one := [8]byte{1}
	_, _ = unix.Write(r.wake, one[:]) // cannot be full: it is written once
}

func (r *raw) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	r.cut.Store(true)
	errs := []error{unix.Close(r.wake)}
	for _, fd := range r.fds {
		errs = append(errs, unix.Close(fd))
	}
	return errors.Join(errs...)
}

// socket is one direction of a connection.
type socket struct {
	raw   *raw
	fd    int
	sends bool
	gone  bool // the other end has closed, seen while sleeping

	blocked bool // the last call found it empty or full
	listed  bool // in raw.waiting

	message unix.Msghdr // kept here so that a call allocates nothing
	parts   [2]unix.Iovec
}

// much is what a receive must expect before a pause pays: every empty-handed
// call takes the socket's lock from the packets that arrive.
const much = 4 << 10

func (s *socket) move(head, body []byte) (int, error) {
	if s.raw.cut.Load() {
		return 0, net.ErrClosed
	}
	if len(head) == 0 {
		head, body = body, nil
	}
	whole := len(head) + len(body)
	n, errno := s.call(head, body)
	switch {
	case errno == unix.EAGAIN || errno == unix.EINTR:
		if s.gone {
			return 0, broken(io.EOF, s.raw.cut.Load())
		}
		s.block(whole)
		return 0, nil
	case errno != 0:
		return 0, broken(errno, s.raw.cut.Load())
	case n == 0:
		return 0, broken(io.EOF, s.raw.cut.Load())
	}
	s.raw.pace.moved = true
	if s.blocked = false; n < whole {
		s.block(whole - n)
	}
	return n, nil
}

// block notes that the way was found empty or full.
func (s *socket) block(left int) {
	s.blocked = true
	if !s.listed {
		s.listed = true
		s.raw.waiting = append(s.raw.waiting, s)
	}
	if !s.sends && left >= much {
		s.raw.large = true
	}
}

// call makes one system call, with as few arguments as will do.
func (s *socket) call(head, body []byte) (n int, errno syscall.Errno) {
	const flags = unix.MSG_DONTWAIT | unix.MSG_NOSIGNAL
	if len(body) == 0 {
		trap := uintptr(unix.SYS_RECVFROM)
		if s.sends {
			trap = unix.SYS_SENDTO
		}
		got, _, errno := unix.RawSyscall6(trap, uintptr(s.fd), uintptr(unsafe.Pointer(unsafe.SliceData(head))), uintptr(len(head)), flags, 0, 0)
		return int(got), errno
	}
	s.parts[0].Base, s.parts[1].Base = unsafe.SliceData(head), unsafe.SliceData(body)
	s.parts[0].SetLen(len(head))
	s.parts[1].SetLen(len(body))
	s.message.Iov = &s.parts[0]
	s.message.SetIovlen(len(s.parts))
	trap := uintptr(unix.SYS_RECVMSG)
	if s.sends {
		trap = unix.SYS_SENDMSG
	}
	got, _, errno := unix.RawSyscall(trap, uintptr(s.fd), uintptr(unsafe.Pointer(&s.message)), flags)
	s.parts[0].Base, s.parts[1].Base = nil, nil // they are the caller's
	return int(got), errno
}

// wait is how many PAUSE instructions a large receive that found nothing waits
// for packets.
const wait = 20

// ease lets a little time pass where that helps packets to arrive.
func (r *raw) ease() {
	if r.large {
		kernel.Spin(wait)
	}
}
