package conduct

import (
	"context"
	"io"
	"time"

	"lockstep/cluster/worker"
)

// Host is where some of a run's ranks live.
type Host interface {
	// Name is the node's name, "" for this machine.
	Name() string

	// Launch starts the process of a rank. It is called by the goroutine of
	// Execute, once for each rank of the host. The error of a host that can no
	// longer be reached is a *LostError.
	Launch(rank int) (Process, error)

	// Silent returns how long before now the host last gave a sign of life; 0
	// for this machine. A rank of a host that is not heard has had no chance
	// to speak.
	Silent(now time.Time) time.Duration

	// Lost waits until the host can no longer be reached, and says why, or
	// until ctx ends, and returns nil. A host that ends its ranks because the
	// run takes longer than it accepts says so by an *inventory.Reason.
	Lost(ctx context.Context) error
}

// LostError says that a host could not be reached, or can no longer be.
type LostError struct{ Why error }

func (e *LostError) Error() string { return e.Why.Error() }
func (e *LostError) Unwrap() error { return e.Why }

// Process is one rank's process. Reading and writing is the conversation of
// package worker, but for the job.
type Process interface {
	io.ReadWriteCloser
	Control

	// Begin hands the worker its job, which the host has by its own plan; w is
	// the conductor's end of the conversation. It may block while the worker
	// does not read.
	Begin(w *worker.Rank) error

	// Wait returns how the process ended, in the words of the operating system.
	Wait() string
}

// Control is what can be done to a process, whether it reads or not.
type Control interface {
	Kill() // for certain, a stopped one too
	Freeze() error
	Resume() error
	State() State
}

// State is what the operating system says of a process that is silent.
type State uint8

// The states of a process.
const (
	Unknown   State = iota
	Stopped         // by a signal or a debugger
	Scheduled       // running, waiting for a processor or for a device
)
