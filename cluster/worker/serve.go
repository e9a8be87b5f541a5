package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/kernel"
	"lockstep/engine/link"
	"lockstep/engine/rank"
)

const (
	beatEvery   = 100 * time.Millisecond
	reportEvery = 50 * time.Millisecond
)

// Config is how a worker works. The zero value is right for everything but
// tests of what the console does with a worker that errs.
type Config struct {
	Build  string
	Reduce kernel.Reduce // nil for that of the job's data type and operation
	Fill   rank.Fill     // nil for that of the job's data type

	// Silent leaves out what a run has reached, to measure what it costs to say
	// so.
	Silent bool

	// Segment is the memory that the ranks of this machine share, nil without
	// any. Serve closes it.
	Segment *os.File

	// Orphaned is called, if set, when the console is gone. A process ends
	// itself in it, whatever else is stuck.
	Orphaned func()
}

// ErrOrphaned is Serve's error when the console is gone.
var ErrOrphaned = errors.New("the console is gone")

var errQuit = errors.New("told to quit")

// Serve is a rank process: it carries out one job for the console at the other
// end of conn, and returns when told to quit (nil), when the console is gone
// (ErrOrphaned) or when ctx ends. It closes conn.
func Serve(ctx context.Context, conn io.ReadWriteCloser, cfg Config) error {
	if cfg.Segment != nil {
		defer cfg.Segment.Close()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	s := &server{stream: newStream(conn), cfg: cfg, inbox: make(chan request, 4)}
	var beside sync.WaitGroup
	beside.Go(func() { s.listen(ctx, cancel) })
	if err := s.sendJSON(kindHello, Hello{Protocol, cfg.Build, os.Getpid()}); err != nil {
		cancel(fmt.Errorf("say hello: %w", err))
	}
	beside.Go(func() { s.beat(ctx) })
	s.work(ctx)
	<-ctx.Done() // work leaves the console to decide what is next
	_ = conn.Close()
	beside.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errQuit) {
		return err
	}
	return nil
}

// server is the worker's end under way.
type server struct {
	*stream
	cfg      Config
	inbox    chan request
	progress atomic.Pointer[rank.Progress] // nil before the job
	brake    rank.Brake
}

// request is a frame from the console.
type request struct {
	kind kind
	body []byte
}

// listen reads the console's messages until it is told to quit or the console
// is gone.
func (s *server) listen(ctx context.Context, cancel context.CancelCauseFunc) {
	for {
		k, body, err := s.receive()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			cancel(fmt.Errorf("%w: %w", ErrOrphaned, err))
			if s.cfg.Orphaned != nil {
				s.cfg.Orphaned()
			}
			return
		case k == kindQuit:
			cancel(errQuit)
			return
		case k == kindBrake:
			// At once, whatever the job is at. One that cannot be read is
			// no reason to end a run.
			var b brake
			if json.Unmarshal(body, &b) == nil {
				s.brake.Set(b.Factor)
			}
			continue
		}
		select {
		case s.inbox <- request{k, body}:
		case <-ctx.Done():
			return
		}
	}
}

// beat says that the process is alive. It reads nothing but atomics, so a
// stuck executor does not silence it and a working one is not held up.
func (s *server) beat(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	body := make([]byte, 0, beatSize)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var b Beat
		if p := s.progress.Load(); p != nil {
			b = Beat{p.Moved.Load(), p.Works()}
		}
		if s.send(kindBeat, appendBeat(body, b)) != nil {
			return // the reader will notice
		}
	}
}

// await reads the next request, which must be of that kind.
func (s *server) await(ctx context.Context, k kind, v any) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case r := <-s.inbox:
		if r.kind != k {
			return fmt.Errorf("message %d where %d was due", r.kind, k)
		}
		if err := json.Unmarshal(r.body, v); err != nil {
			return fmt.Errorf("read message %d: %w", k, err)
		}
		return nil
	}
}

// work carries out the job. A fault goes to the console; nobody else cares.
func (s *server) work(ctx context.Context) {
	err := s.job(ctx)
	if err == nil || ctx.Err() != nil {
		return
	}
	f := Fault{Kind: FaultStart, Step: -1, Peer: -1, Message: err.Error()}
	if unreachable := (*link.UnreachableError)(nil); errors.As(err, &unreachable) {
		first := unreachable.Edges[0]
		f.Peer, f.Message = first.Dst, unreachable.Error()
		f.Why = inventory.NewReason(inventory.Unreachable, f.Message, "address", first.Address, "error", first.Err.Error())
	}
	if refused := (*libraryError)(nil); errors.As(err, &refused) {
		f.Kind = FaultLibrary
	}
	var running *runError
	if errors.As(err, &running) {
		f.Kind = FaultLink
		if errors.Is(err, rank.ErrFrame) {
			f.Kind = FaultInternal
		}
		var step *rank.StepError
		if errors.As(err, &step) {
			f.Step, f.Round, f.Peer = step.Step, step.Round, step.Peer
		}
	}
	_ = s.sendJSON(kindFault, f) // without a console there is nobody to tell
}

// runError is an error of the run itself, after the set-up.
type runError struct{ error }

func (e *runError) Unwrap() error { return e.error }
