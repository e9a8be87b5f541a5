package local_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"lockstep/cluster/local"
	"lockstep/cluster/worker"
	"lockstep/engine/kernel"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// console runs a long run and says when it is under way.
func console(ctx context.Context) error {
	f, err := local.New(local.Config{Env: play("worker")})
	if err != nil {
		return err
	}
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: mib, Iterations: 10_000}.Resolve()
	if err != nil {
		return err
	}
	sched, err := schedule.Build(spec.Request())
	if err != nil {
		return err
	}
	log := trace.NewLog()
	go func() {
		for since := log.Since(0); log.Iteration(4) < 1; since = log.Since(0) {
			<-since.Changed
		}
		fmt.Fprintln(os.Stdout, "under way")
	}()
	f.Execute(ctx, "r1", spec, sched, log)
	return nil
}

// flips is a rank that gets the lowest bit of one element of each reduction
// wrong.
func flips(ctx context.Context) error {
	right, err := kernel.NewReduce(schedule.Float32, schedule.Sum)
	if err != nil {
		return err
	}
	return worker.ServeProcess(ctx, worker.Config{Reduce: func(dst, a, b []byte) {
		right(dst, a, b)
		dst[len(dst)/2/4*4] ^= 1
	}})
}

// panics is a rank that panics at its first reduction.
func panics(ctx context.Context) error {
	return worker.ServeProcess(ctx, worker.Config{Reduce: func(_, _, _ []byte) { panic("no such thing as addition") }})
}

// sticks is a rank whose first reduction never ends, though the process lives.
func sticks(ctx context.Context) error {
	return worker.ServeProcess(ctx, worker.Config{Reduce: func(_, _, _ []byte) { select {} }})
}

// old is a worker of another version.
func old(ctx context.Context) error {
	hello := `{"protocol":99,"build":"the next release"}`
	frame := binary.BigEndian.AppendUint32([]byte{1}, uint32(len(hello)))
	_, err := os.Stdout.Write(append(frame, hello...))
	if err != nil {
		return err
	}
	return silent(ctx)
}

// babbles is a program that is no worker at all.
func babbles(ctx context.Context) error {
	fmt.Println("Usage: something else entirely")
	return silent(ctx)
}

// silent says nothing until its console is gone.
func silent(context.Context) error {
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// givesUp ends before it says anything.
func givesUp(context.Context) error { return errors.New("cannot find my shoes") }
