//go:build amd64 || arm64

package mpi

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// World is this process as a rank of all that its launcher started. It belongs
// to the thread that called Init.
type World struct {
	*Library
	Rank, Ranks int

	comm, bytes uintptr
	// scratch is memory outside the heap for what the library writes while
	// nobody calls it: requests, flags.
	scratch []byte
	free    []int // places in it
}

// place is how much scratch a request and its flag take, and a cache line.
const place = 64

// funneled is MPI_THREAD_FUNNELED: other threads there are, and they do not
// call.
const funneled = 1

// Init makes the process a rank. It returns when all of the launcher's
// processes have called it.
func (l *Library) Init() (*World, error) {
	var provided int32
	code, _, _ := purego.SyscallN(l.calls.initThread, 0, 0, funneled, uintptr(unsafe.Pointer(&provided)))
	if err := l.check("MPI_Init_thread", code); err != nil {
		return nil, err
	}
	if provided < funneled {
		return nil, errors.New("MPI_Init_thread: the library does not stand threads beside the one that calls it")
	}
	w := &World{Library: l}
	var errs [3]error
	var returns uintptr
	w.comm, errs[0] = l.layout.handle(commWorld)
	w.bytes, errs[1] = l.layout.handle(typeByte)
	returns, errs[2] = l.layout.handle(errorsReturn)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("%s: %w", l.File, err)
	}
	code, _, _ = purego.SyscallN(l.calls.setErrhandler, w.comm, returns)
	if err := l.check("MPI_Comm_set_errhandler", code); err != nil {
		return nil, err
	}
	var rank, ranks int32
	code, _, _ = purego.SyscallN(l.calls.rank, w.comm, uintptr(unsafe.Pointer(&rank)))
	if err := l.check("MPI_Comm_rank", code); err != nil {
		return nil, err
	}
	code, _, _ = purego.SyscallN(l.calls.size, w.comm, uintptr(unsafe.Pointer(&ranks)))
	if err := l.check("MPI_Comm_size", code); err != nil {
		return nil, err
	}
	w.Rank, w.Ranks = int(rank), int(ranks)
	return w, w.room(2*w.Ranks + 2) // an edge each way with every rank, and the barrier
}

// room makes scratch for so many requests.
func (w *World) room(requests int) error {
	var err error
	if w.scratch, err = unix.Mmap(-1, 0, requests*place, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE); err != nil {
		return fmt.Errorf("make room for %d requests: %w", requests, err)
	}
	for i := range requests {
		w.free = append(w.free, i)
	}
	return nil
}

// Finalize leaves the world; it returns when all ranks have called it. Nothing
// may be under way.
func (w *World) Finalize() error {
	code, _, _ := purego.SyscallN(w.calls.finalize)
	return w.check("MPI_Finalize", code)
}

// request is a send, a receive or a barrier under way.
type request struct {
	w      *World
	handle *uintptr // MPI_Request: an address, or a number in its lower half
	flag   *int32
	begun  bool
}

// request takes a place in the scratch.
func (w *World) request() (request, error) {
	if len(w.free) == 0 {
		return request{}, errors.New("more requests than edges")
	}
	at := w.free[len(w.free)-1] * place
	w.free = w.free[:len(w.free)-1]
	return request{w: w, handle: (*uintptr)(unsafe.Pointer(&w.scratch[at])), flag: (*int32)(unsafe.Pointer(&w.scratch[at+8]))}, nil
}

// done asks how the request stands; the library gets on with all of them
// meanwhile.
func (r *request) done() (bool, error) {
	w := r.w
	code, _, _ := purego.SyscallN(w.calls.test, uintptr(unsafe.Pointer(r.handle)), uintptr(unsafe.Pointer(r.flag)), w.layout.ignore)
	if int32(code) != 0 {
		return false, w.check("MPI_Test", code)
	}
	if *r.flag == 0 {
		return false, nil
	}
	r.begun = false
	return true, nil
}

// address is where memory begins; 0 for none.
func address(b []byte) uintptr {
	if len(b) == 0 {
		return 0
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))
}
