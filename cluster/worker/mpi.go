package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"lockstep/engine/library/mpi"
	"lockstep/engine/rank"
	"lockstep/engine/trace"
)

// LauncherEnv in a worker's environment is the program that started it as a
// rank of an MPI library: beside it lies the library that belongs to it.
const LauncherEnv = "LOCKSTEP_LAUNCHER"

// AskEnv in a worker's environment, a family of package mpi, makes it say which
// library it would bind behind LauncherEnv, as an Answer in JSON on standard
// output, and end. So the library is loaded into no process but this one.
const AskEnv = "LOCKSTEP_ASK_MPI"

// Answer is what a worker says that was asked for its library.
type Answer struct {
	Library *trace.Library `json:"library,omitempty"`
	Error   string         `json:"error,omitempty"` // why there is none; "" with a library
}

// answer says which library of a family would be bound.
func answer(to io.Writer, family string) error {
	var a Answer
	library, err := mpi.Open(mpi.Launcher{Family: family}.Files(os.Getenv, os.Getenv(LauncherEnv)))
	if err != nil {
		a.Error = err.Error()
	} else {
		a.Library = &trace.Library{Name: library.Name(), Version: library.Version()}
	}
	return json.NewEncoder(to).Encode(a)
}

// libraryError is what a vendor's library refuses.
type libraryError struct{ error }

func (e *libraryError) Unwrap() error { return e.error }

// join makes this process a rank of what its launcher started.
func join(job *Job) (*mpi.World, error) {
	runtime.LockOSThread() // the world's from now on; it ends with the goroutine
	library, err := mpi.Open(mpi.Launched(os.Getenv).Files(os.Getenv, os.Getenv(LauncherEnv)))
	if err != nil {
		return nil, &libraryError{err}
	}
	world, err := library.Init()
	switch {
	case err != nil:
		return nil, &libraryError{fmt.Errorf("%s %s: %w", library.Name(), library.Version(), err)}
	case world.Rank != job.Program.Rank || world.Ranks != job.Program.Ranks:
		return nil, &libraryError{fmt.Errorf("%s %s (%s) says that this is rank %d of %d, its launcher rank %d of %d: they do not belong together",
			library.Name(), library.Version(), library.File, world.Rank, world.Ranks, job.Program.Rank, job.Program.Ranks)}
	}
	return world, nil
}

// over connects the rank by the library's sends, where the run is a schedule of
// ours.
func (s *server) over(ctx context.Context, world *mpi.World, job *Job, progress *rank.Progress) (rank.Link, error) {
	if err := s.meetBy(ctx, world); err != nil || job.Spec.Called() {
		return nil, err
	}
	to, from := rank.Peers(job.Program)
	return world.Link(mpi.LinkConfig{To: to, From: from, Meter: &progress.Moved, Crowded: job.Place.Crowded})
}

// meetBy says which library this rank is one of, and waits for all to have said
// so.
func (s *server) meetBy(ctx context.Context, world *mpi.World) error {
	_, err := s.introduce(ctx, Listening{InMemory, &trace.Library{Name: world.Name(), Version: world.Version()}})
	return err
}

// call carries out a run by the library's own calls, and reports meanwhile.
func (s *server) call(ctx context.Context, world *mpi.World, job *Job, memory *rank.Memory, progress *rank.Progress) error {
	spec := job.Spec
	calls, err := world.Calls(mpi.Ask{
		Collective: spec.Collective, Root: max(job.Program.Root, 0), DType: spec.DType, Op: spec.Op, Elements: spec.Elements(), Slices: job.Slices,
	}, memory.In, memory.Out)
	if err != nil {
		return &libraryError{err}
	}
	c := rank.Calling{
		Caller: calls, Slices: job.Slices, Bytes: max(len(memory.In), len(memory.Out)), Iterations: spec.Warmups() + spec.Iterations,
		WholeFrom: spec.Warmups() - spec.Whole(), WholeTo: spec.Warmups(), Memory: memory, Progress: progress, Silent: s.cfg.Silent,
	}
	for i := range job.Program.Moves {
		c.Marks = append(c.Marks, i)
	}
	err = s.reporting(progress, func() error { return rank.Call(ctx, c) })
	if err != nil && ctx.Err() == nil {
		return &libraryError{err}
	}
	return err
}

// leave leaves the library's world, together with the other ranks: only where
// all have been told to.
func leave(ctx context.Context, world *mpi.World) {
	if errors.Is(context.Cause(ctx), errQuit) {
		_ = world.Finalize() // the run is over, and nobody asks any more
	}
}
