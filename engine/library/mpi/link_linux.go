//go:build amd64 || arm64

package mpi

import (
	"errors"
	"fmt"
	"math/bits"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"lockstep/engine/kernel"
	"lockstep/engine/rank"
)

const (
	// most is the longest payload of a message: as much as a slice has, so that
	// the library chooses how it travels.
	most = 64 << 20
	// tags are those that every library has room for.
	tags = 1 << 15

	spins, yields = 2000, 200
	nap           = 20 * time.Microsecond // the library gets on with nothing meanwhile
)

var errClosed = errors.New("the link is closed")

// Link is a rank.Link over the library's sends and receives.
type Link struct {
	world   *World
	cfg     LinkConfig
	to      []*outlet
	from    []*inlet
	meeting request
	closed  atomic.Bool
}

var _ rank.Link = (*Link)(nil)

// Link connects the rank with its peers, once for a World.
func (w *World) Link(cfg LinkConfig) (rank.Link, error) {
	l := &Link{world: w, cfg: cfg, to: make([]*outlet, w.Ranks), from: make([]*inlet, w.Ranks)}
	var err error
	if l.meeting, err = w.request(); err != nil {
		return nil, err
	}
	for _, peer := range cfg.To {
		r, err := w.request()
		if err != nil {
			return nil, err
		}
		l.to[peer] = &outlet{end{l, r, uintptr(peer)}}
	}
	for _, peer := range cfg.From {
		r, err := w.request()
		if err != nil {
			return nil, err
		}
		l.from[peer] = &inlet{end: end{l, r, uintptr(peer)}}
	}
	return l, nil
}

// To returns the sending end of the edge to peer, nil if there is none.
func (l *Link) To(peer int) rank.Outlet {
	if peer >= 0 && peer < len(l.to) && l.to[peer] != nil {
		return l.to[peer]
	}
	return nil
}

// From returns the receiving end of the edge from peer, nil if there is none.
func (l *Link) From(peer int) rank.Inlet {
	if peer >= 0 && peer < len(l.from) && l.from[peer] != nil {
		return l.from[peer]
	}
	return nil
}

// Barrier returns when every rank has called it as often as this one.
func (l *Link) Barrier(idle func(turn int) error) error {
	r := &l.meeting
	code, _, _ := purego.SyscallN(l.world.calls.ibarrier, l.world.comm, uintptr(unsafe.Pointer(r.handle)))
	if err := l.world.check("MPI_Ibarrier", code); err != nil {
		return err
	}
	for turn := 1; ; turn++ {
		if done, err := r.done(); done || err != nil {
			return err
		}
		if err := idle(turn); err != nil {
			return err
		}
	}
}

// Idle lets time pass; see rank.Link. The library gets on only while it is
// called, so a rank that waits sleeps but for moments.
func (l *Link) Idle(turn int, most time.Duration) error {
	if l.closed.Load() {
		return errClosed
	}
	spin := spins
	if l.cfg.Crowded {
		spin = 0
	}
	switch {
	case turn <= spin:
		kernel.Spin(1)
	case turn <= spin+yields:
		_, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
	default:
		time.Sleep(min(nap, most))
	}
	return nil
}

// Interrupt makes every call return an error. Peers notice when the process
// ends: MPI has no word for giving up.
func (l *Link) Interrupt() { l.closed.Store(true) }

// Close frees the link; what is under way ends with the process.
func (l *Link) Close() error {
	l.closed.Store(true)
	var errs []error
	for _, i := range l.from {
		if i != nil && len(i.buffer) > 0 && !i.begun {
			errs = append(errs, unix.Munmap(i.buffer))
			i.buffer = nil
		}
	}
	return errors.Join(errs...)
}

// end is one end of an edge.
type end struct {
	*Link
	request
	peer uintptr
}

// tag marks a message. Those of an edge arrive in their order, so it need not
// tell all of them apart: another one than is due would not be taken.
func tag(h *rank.Header) uintptr {
	mix := uint64(h.Iteration)
	for _, v := range []uint32{h.Step, h.Slice, h.Part} {
		mix = (mix ^ uint64(v)) * 0x9e3779b97f4a7c15
		mix ^= bits.RotateLeft64(mix, 29)
	}
	return uintptr(mix >> 32 % tags)
}

// outlet is the sending end.
type outlet struct{ end }

// Most is the longest payload of a message.
func (o *outlet) Most() int { return most }

// Send carries on with a message; see rank.Outlet.
func (o *outlet) Send(h *rank.Header, payload []byte) (done bool, err error) {
	if o.closed.Load() {
		return false, errClosed
	}
	if !o.begun {
		code, _, _ := purego.SyscallN(o.world.calls.isend, address(payload), uintptr(len(payload)), o.world.bytes, o.peer, tag(h), o.world.comm, uintptr(unsafe.Pointer(o.handle)))
		if int32(code) != 0 {
			return false, fmt.Errorf("to rank %d: %w", o.peer, o.world.check("MPI_Isend", code))
		}
		o.begun = true
	}
	if done, err = o.request.done(); done {
		o.cfg.Meter.Add(int64(len(payload)))
	}
	return done, err
}

// Slot returns nil: the library has no memory to show.
func (o *outlet) Slot(int) (memory []byte, far bool) { return nil, false }

// Publish is only for what Slot returns.
func (o *outlet) Publish(*rank.Header, int) { panic("mpi: an edge has no slots to publish") }

// inlet is the receiving end.
type inlet struct {
	end
	shown  bool   // View has returned a message that is not released
	buffer []byte // that View receives into, outside the heap
}

// Most is the longest payload of a message.
func (i *inlet) Most() int { return most }

// InPlace reports that View copies.
func (i *inlet) InPlace() bool { return false }

// Receive carries on with taking a message into dst; see rank.Inlet.
func (i *inlet) Receive(due *rank.Header, dst []byte) (done bool, err error) {
	if i.closed.Load() {
		return false, errClosed
	}
	if !i.begun {
		code, _, _ := purego.SyscallN(i.world.calls.irecv, address(dst), uintptr(len(dst)), i.world.bytes, i.peer, tag(due), i.world.comm, uintptr(unsafe.Pointer(i.handle)))
		if int32(code) != 0 {
			return false, fmt.Errorf("from rank %d: %w", i.peer, i.world.check("MPI_Irecv", code))
		}
		i.begun = true
	}
	if done, err = i.request.done(); done {
		i.cfg.Meter.Add(int64(len(dst)))
	}
	return done, err
}

// View receives a message into the inlet's own buffer; see rank.Inlet.
func (i *inlet) View(due *rank.Header, length int) (payload []byte, err error) {
	if i.shown {
		return i.buffer[:length:length], nil
	}
	if length > len(i.buffer) || i.buffer == nil {
		if i.buffer != nil {
			if err := unix.Munmap(i.buffer); err != nil {
				return nil, err
			}
		}
		// A power of two, so that messages of many sizes need few of them.
		if i.buffer, err = unix.Mmap(-1, 0, max(1<<bits.Len(uint(max(length-1, 0))), 4<<10), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE); err != nil {
			return nil, fmt.Errorf("make room for a message of %d bytes: %w", length, err)
		}
	}
	i.shown, err = i.Receive(due, i.buffer[:length])
	if !i.shown {
		return nil, err
	}
	return i.buffer[:length:length], nil
}

// Release frees the buffer for the next message.
func (i *inlet) Release() { i.shown = false }
