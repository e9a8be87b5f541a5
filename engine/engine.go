package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Fleet carries a run out. An engine asks one thing at a time of it.
type Fleet interface {
	// Execute blocks until the run has ended and everything it held is freed.
	// It reports progress to log, which it does not close. When ctx ends it
	// gives up; the Report of a run that was given up has no Failure.
	Execute(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report
}

// Roster is a Fleet that carries runs out on nodes.
type Roster interface {
	// Admit refuses, with a *trace.FieldError, a run on nodes that are not
	// there or that would not take it. The spec is resolved; need is what the
	// buffers of each rank take.
	Admit(spec trace.Spec, need []unit.Bytes) error
}

// Planner says how a run is best carried out and what it should cost. It is
// safe for concurrent use.
type Planner interface {
	// Plan takes a resolved spec whose algorithm is in the catalogue or "auto".
	Plan(ctx context.Context, spec trace.Spec) (trace.Plan, error)
}

// Journal is the durable queue of runs, shared by all processes that use the
// same data. What a method has acknowledged survives the process.
type Journal interface {
	// Enqueue keeps a queued run, gives it the next ID and returns it.
	Enqueue(ctx context.Context, run trace.Run, kept trace.Kept) (trace.Run, error)
	// Claim makes a queued run of this process the one that is running, if it
	// is its turn. Otherwise it returns how many runs come first.
	Claim(ctx context.Context, id string) (ahead int, err error)
	// Finish keeps the end of a queued or running run of this process.
	Finish(ctx context.Context, run trace.Run, events []trace.Event) error
	// Find returns a run of any process, or an error that is trace.ErrNoRun.
	Find(ctx context.Context, id string) (trace.Run, error)
}

// Errors of an Engine besides those of bad input (*trace.FieldError,
// *schedule.RequestError) and of its journal.
var (
	ErrStopped   = errors.New("engine has stopped")
	ErrQueueFull = errors.New("too many runs are queued")
	ErrEnded     = errors.New("run has ended")
	ErrElsewhere = errors.New("run belongs to another process")
)

// Config is what an Engine works with.
type Config struct {
	Fleet   Fleet
	Planner Planner
	Journal Journal

	Ranks    int          // most ranks of a run; 0 for trace.MaxRanks
	Memory   unit.Bytes   // of the fleet, for the buffers of all ranks; 0 when unknown
	MaxQueue int          // most runs of this engine that wait; 0 for 100
	Logger   *slog.Logger // for what is nobody's answer, such as a panic's stack; nil for none
}

// claimEvery is how often the engine asks whether the runs of other processes
// have made room; its own it knows of at once.
const claimEvery = 100 * time.Millisecond

// Engine is safe for concurrent use.
type Engine struct {
	config Config
	wake   chan struct{} // holds one token when the queue may have changed

	// entering is held from a run's place in the journal to its place in the
	// queue: the queue is in the order of IDs, and no run slips in behind the
	// door that leave closes.
	entering sync.Mutex

	mu      sync.Mutex       // owns what follows
	queue   []*Live          // not running yet, by ascending ID
	ahead   int              // runs known to come before the queue's first
	live    map[string]*Live // queued and running
	stopped bool
}

// New returns an engine that takes runs; Run carries them out.
func New(config Config) (*Engine, error) {
	switch {
	case config.Fleet == nil:
		return nil, errors.New("make engine: no fleet")
	case config.Planner == nil:
		return nil, errors.New("make engine: no planner")
	case config.Journal == nil:
		return nil, errors.New("make engine: no journal")
	case config.Ranks < 0 || config.Ranks > trace.MaxRanks:
		return nil, fmt.Errorf("make engine: %d ranks; accepted: 1 to %d, or 0 for all", config.Ranks, trace.MaxRanks)
	case config.Memory < 0:
		return nil, fmt.Errorf("make engine: %d bytes of memory", config.Memory)
	case config.MaxQueue < 0:
		return nil, fmt.Errorf("make engine: room for %d runs", config.MaxQueue)
	}
	if config.Ranks == 0 {
		config.Ranks = trace.MaxRanks
	}
	if config.MaxQueue == 0 {
		config.MaxQueue = 100
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	return &Engine{config: config, wake: make(chan struct{}, 1), live: map[string]*Live{}}, nil
}

// Run carries out what is submitted until ctx ends, and is called once. Then
// it stops the current run, ends the waiting ones as failed (console stopped),
// refuses new ones and returns nil. It returns an error, and has done the
// same, when the journal no longer keeps what happens.
func (e *Engine) Run(ctx context.Context) error {
	var err error
	for err == nil {
		var l *Live
		if l, err = e.next(ctx); err == nil {
			err = e.carryOut(ctx, l)
		}
	}
	if errors.Is(err, context.Cause(ctx)) {
		err = nil
	}
	return errors.Join(err, e.leave(ctx))
}

// next returns the first run of the queue once the journal has let it begin.
func (e *Engine) next(ctx context.Context) (*Live, error) {
	for refused := 0; ; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var again <-chan time.Time
		if l := e.head(); l != nil {
			began, err := e.claim(ctx, l)
			switch {
			case began:
				return l, nil
			case err == nil:
				refused = 0
			case ctx.Err() != nil:
				return nil, context.Cause(ctx)
			case refused == journalTries:
				return nil, err
			default:
				refused++
				e.config.Logger.Warn("claim run", "id", l.ID(), "error", err)
			}
			if e.head() != l {
				continue // it was cancelled meanwhile
			}
			// Jittered, so that processes that wait for the same run do not
			// ask in step for ever.
			again = time.After((claimEvery*3/4 + rand.N(claimEvery/2)) << refused)
		}
		select {
		case <-ctx.Done():
		case <-e.wake:
		case <-again:
		}
	}
}

// claim begins l if it is its turn.
func (e *Engine) claim(ctx context.Context, l *Live) (began bool, err error) {
	l.turn.Lock()
	defer l.turn.Unlock()
	if l.State().Run.Outcome != trace.Queued {
		return false, nil
	}
	ahead, err := e.config.Journal.Claim(ctx, l.ID())
	if err != nil {
		return false, fmt.Errorf("claim run %s: %w", l.ID(), err)
	}
	if ahead > 0 {
		e.place(ahead)
		return false, nil
	}
	e.dequeue(l)
	l.begin(ctx)
	e.place(1) // l itself
	return true, nil
}

// leave closes the door and ends what still waits.
func (e *Engine) leave(ctx context.Context) error {
	e.entering.Lock()
	defer e.entering.Unlock()
	e.mu.Lock()
	e.stopped = true
	left := slices.Clone(e.queue)
	e.mu.Unlock()
	var errs []error
	for _, l := range left {
		l.turn.Lock()
		if l.State().Run.Outcome == trace.Queued {
			errs = append(errs, e.finish(ctx, l, conclude(l.State().Run, trace.Report{}, errStopping)))
		}
		l.turn.Unlock()
	}
	return errors.Join(errs...)
}
