//go:build amd64 || arm64

package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Library is an MPI library bound into this process. It stays loaded.
type Library struct {
	File    string
	layout  layout
	calls   calls
	version string // what it says of itself
}

// calls are the addresses of the functions that are used.
type calls struct {
	initThread, finalize, setErrhandler, errorString, version, rank, size uintptr
	isend, irecv, test, ibarrier                                          uintptr
	contiguous, resized, commit                                           uintptr

	barrier, bcast, reduce, allreduce, scatter, gather, allgather, reduceScatter, alltoall, sendrecv uintptr
}

// Open loads the first of the files that is there, and tells whose it is. The
// errors are a *MissingError where none could be loaded, else of a library
// that cannot be used.
func Open(files []string) (*Library, error) {
	missing := &MissingError{}
	for _, file := range files {
		// Open MPI loads its own parts, which look for the symbols of the first.
		handle, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			missing.Tried = append(missing.Tried, strings.ToValidUTF8(err.Error(), "?"))
			continue
		}
		return bind(file, handle)
	}
	return nil, missing
}

func bind(file string, handle uintptr) (*Library, error) {
	symbol := func(name string) (uintptr, error) { return purego.Dlsym(handle, name) }
	l := &Library{File: file}
	switch {
	case has(symbol, "ompi_mpi_comm_world"):
		l.layout = openMPI(symbol)
	default:
		l.layout = mpich()
	}
	c := &l.calls
	var errs []error
	for _, f := range []struct {
		at   *uintptr
		name string
	}{
		{&c.initThread, "MPI_Init_thread"}, {&c.finalize, "MPI_Finalize"}, {&c.setErrhandler, "MPI_Comm_set_errhandler"}, {&c.errorString, "MPI_Error_string"},
		{&c.version, "MPI_Get_library_version"}, {&c.rank, "MPI_Comm_rank"}, {&c.size, "MPI_Comm_size"},
		{&c.isend, "MPI_Isend"}, {&c.irecv, "MPI_Irecv"}, {&c.test, "MPI_Test"}, {&c.ibarrier, "MPI_Ibarrier"},
		{&c.contiguous, "MPI_Type_contiguous"}, {&c.resized, "MPI_Type_create_resized"}, {&c.commit, "MPI_Type_commit"},
		{&c.barrier, "MPI_Barrier"}, {&c.bcast, "MPI_Bcast"}, {&c.reduce, "MPI_Reduce"}, {&c.allreduce, "MPI_Allreduce"}, {&c.scatter, "MPI_Scatter"},
		{&c.gather, "MPI_Gather"}, {&c.allgather, "MPI_Allgather"}, {&c.reduceScatter, "MPI_Reduce_scatter_block"}, {&c.alltoall, "MPI_Alltoall"}, {&c.sendrecv, "MPI_Sendrecv"},
	} {
		address, err := symbol(f.name)
		if err != nil {
			errs = append(errs, errors.New(f.name))
		}
		*f.at = address
	}
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s lacks %s: it is older than MPI 3", file, strings.ReplaceAll(errors.Join(errs...).Error(), "\n", ", "))
	}
	l.version = l.says()
	if l.layout.family == "MPICH" && !slices.ContainsFunc(relatives, func(name string) bool { return strings.Contains(l.version, name) }) {
		return nil, fmt.Errorf("%s is neither Open MPI nor of MPICH's binary interface; it calls itself %q", file, l.version)
	}
	return l, nil
}

// relatives are what libraries of MPICH's binary interface call themselves.
var relatives = []string{"MPICH", "Intel(R) MPI", "MVAPICH", "MPI VERSION    : CRAY"}

// says is the first line of what the library says of itself, which it may be
// asked before anything else.
func (l *Library) says() string {
	text := make([]byte, 8192) // the longest that MPICH writes
	var length int32
	if code, _, _ := purego.SyscallN(l.calls.version, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&length))); int32(code) != 0 {
		return ""
	}
	text, _, _ = bytes.Cut(text, []byte{0})
	text, _, _ = bytes.Cut(text, []byte{'\n'})
	return strings.ToValidUTF8(string(text), "?")
}

// Name is the family: "Open MPI" or "MPICH", or what a relative calls itself.
func (l *Library) Name() string {
	name, _ := product(l.layout.family, l.version)
	return name
}

// Version is the library's, such as 4.1.4.
func (l *Library) Version() string {
	_, version := product(l.layout.family, l.version)
	return version
}

func has(symbol func(string) (uintptr, error), name string) bool {
	_, err := symbol(name)
	return err == nil
}

// check makes an error of what a call returned.
func (l *Library) check(call string, code uintptr) error {
	if int32(code) == 0 {
		return nil
	}
	var text [512]byte // MPI_MAX_ERROR_STRING is at most that in both
	var length int32
	purego.SyscallN(l.calls.errorString, uintptr(uint32(code)), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&length)))
	said, _, _ := bytes.Cut(text[:], []byte{0})
	return fmt.Errorf("%s: %s", call, strings.TrimSpace(strings.ToValidUTF8(string(said), "?")))
}
