//go:build !linux || !(amd64 || arm64)

package mpi

import (
	"errors"

	"lockstep/engine/rank"
)

var errNone = errors.New("MPI libraries are bound on Linux, on x86-64 and ARM64")

// Library is an MPI library bound into this process.
type Library struct{ File string }

// World is this process as a rank of all that its launcher started.
type World struct {
	*Library
	Rank, Ranks int
}

// Open returns an error: see the other systems' Open.
func Open([]string) (*Library, error) { return nil, errNone }

// Name returns "": there is no library.
func (*Library) Name() string { return "" }

// Version returns "" likewise.
func (*Library) Version() string { return "" }

// Init returns an error.
func (*Library) Init() (*World, error) { return nil, errNone }

// Finalize returns an error.
func (*World) Finalize() error { return errNone }

// Link returns an error.
func (*World) Link(LinkConfig) (rank.Link, error) { return nil, errNone }

// Calls is one collective by the library's own call.
type Calls struct{}

// Calls returns an error.
func (*World) Calls(Ask, []byte, []byte) (*Calls, error) { return nil, errNone }

// Barrier returns an error.
func (*Calls) Barrier() error { return errNone }

// Call returns an error.
func (*Calls) Call(int) error { return errNone }

// Whole returns an error.
func (*Calls) Whole() error { return errNone }
