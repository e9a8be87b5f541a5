package rank

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/kernel"
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Job is a run as one rank sees it.
type Job struct {
	Program    *schedule.Program // must pass CheckProgram
	Elements   int               // of the full buffer
	Width      int               // bytes of an element
	Slices     int               // that each move is cut into
	Iterations int               // all of them, the uncounted ones included
	Tag        uint32            // the same on all ranks of a run, and on no other run
	Reduce     kernel.Reduce
	Finish     func(out []byte) // what the result needs at the end of an iteration; nil for nothing

	// Burst is how many slices of a step an edge carries before those of the
	// leg's next step; the same on all ranks. With 0 it carries whole steps,
	// one behind the other.
	Burst int

	// Stops are the rounds behind which all ranks meet, ascending, the same on
	// every rank; a stop is held for at least Dwell from its round's start.
	// None at full speed. They need a Burst of 0.
	Stops []int
	Dwell time.Duration
	// Rate limits the rank's sending port and its receiving port, each shared
	// by all its edges; 0 for no limit.
	Rate unit.Rate

	Memory   *Memory
	Link     Link
	Progress *Progress
	Brake    *Brake // nil for none
	Silent   bool   // enters no marks, to measure what they cost
}

// StepError is a move that could not be carried out.
type StepError struct {
	Step, Round int
	Peer        int // the rank at the other end, the rank itself for a local move
	Err         error
}

func (e *StepError) Error() string {
	return fmt.Sprintf("step %d (round %d) with rank %d: %v", e.Step, e.Round, e.Peer, e.Err)
}

func (e *StepError) Unwrap() error { return e.Err }

// Exec carries out job on the calling goroutine, which keeps its thread, and
// returns when all iterations are finished. Before each iteration all ranks
// meet; the rank's own elapsed time of each goes into job.Progress. When ctx
// ends, or a move fails (a *StepError), Exec interrupts the link, so that the
// other ranks do not wait for it.
func Exec(ctx context.Context, job Job) error {
	x, err := newExecution(job)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		x.fail(context.Cause(ctx))
	})
	if err := x.conduct(); err != nil {
		x.fail(err)
	}
	if !stop() {
		<-ended
	}
	return x.failure()
}

// execution is an Exec under way. Its thread owns all of it but what stands
// below mu.
type execution struct {
	Job
	lanes    []*lane // those that send, then the local one, then those that receive
	total    int     // slices of an iteration
	enough   []int   // by stop: the slices finished when its round is
	done     []int32 // by move: slices finished in this iteration
	finished int     // slices, in this iteration
	gate     int     // rounds up to this one may run

	iteration uint32
	start     time.Time // of the iteration
	timed     bool      // marks of this iteration have times
	long      bool      // slices are long enough for a look at the clock each
	stream    bool      // results are too large to stay in a cache

	sending, receiving *port // nil at full speed
	meter              meter
	idle               func(turn int) error

	stopped atomic.Bool // err is set
	mu      sync.Mutex
	err     error // the first failure
}

const (
	// longSlice is what a look at the clock costs little beside: some 25 ns
	// to some 3 us.
	longSlice = 64 << 10
	// streamFrom is the size of a vector that the last-level cache won't keep
	// until it is read: its result goes past the caches.
	streamFrom = 16 << 20
)

func newExecution(job Job) (*execution, error) {
	if err := CheckProgram(job.Program, job.Slices); err != nil {
		return nil, err
	}
	moves := job.Program.Moves
	if want := len(moves) * job.Slices; len(job.Progress.marks) < want || len(job.Progress.times) < job.Iterations {
		return nil, fmt.Errorf("run rank %d: progress has room for %d marks and %d iterations, not %d and %d",
			job.Program.Rank, len(job.Progress.marks), len(job.Progress.times), want, job.Iterations)
	}
	if job.Burst < 0 || job.Burst > 0 && len(job.Stops) > 0 {
		return nil, fmt.Errorf("run rank %d: bursts of %d slices; accepted: 0 where it stops between rounds, else 0 or more", job.Program.Rank, job.Burst)
	}
	x := &execution{Job: job, done: make([]int32, len(moves)), total: len(moves) * job.Slices}
	x.idle = x.wait
	x.stream = job.Elements*job.Width >= streamFrom
	if job.Rate > 0 {
		x.sending, x.receiving = newPort(job.Rate), newPort(job.Rate)
	}
	x.meter.every = sampleEvery
	if job.Rate > 0 || len(job.Stops) > 0 {
		x.meter.every = 1
	}
	next := 0
	for _, stop := range job.Stops {
		for next < len(moves) && moves[next].Round <= stop {
			next++
		}
		x.enough = append(x.enough, next*job.Slices)
	}
	return x, x.bind()
}

// fail records the first failure and frees everyone who waits.
func (x *execution) fail(err error) {
	x.mu.Lock()
	first := x.err == nil
	if first {
		x.err = err
		x.stopped.Store(true)
	}
	x.mu.Unlock()
	if first {
		x.Link.Interrupt()
	}
}

func (x *execution) failure() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.err
}

// wait lets time pass; its error ends the run.
func (x *execution) wait(turn int) error { return x.waitAtMost(turn, math.MaxInt64) }

func (x *execution) waitAtMost(turn int, most time.Duration) error {
	if x.stopped.Load() {
		return x.failure()
	}
	if turn == meterTurn {
		x.meter.publish(&x.Progress.work)
	}
	return x.Link.Idle(turn, most)
}

// conduct plays the iterations.
func (x *execution) conduct() error {
	for i := range x.Iterations {
		if i == 0 || i == x.Iterations-1 {
			x.Memory.poison(func(bytes int) { x.Progress.Moved.Add(int64(bytes)) })
		}
		if err := x.Link.Barrier(x.idle); err != nil {
			return fmt.Errorf("meet the other ranks before iteration %d: %w", i, err)
		}
		x.begin(i)
		if err := x.rounds(); err != nil {
			return err
		}
		if x.Finish != nil {
			x.Finish(x.Memory.Out)
		}
		x.Progress.took(i, time.Since(x.start))
		x.Progress.Moved.Add(int64(x.meter.since) + 1) // an iteration without bytes moves too
		x.meter.publish(&x.Progress.work)
	}
	return nil
}

// begin opens iteration i to the lanes.
func (x *execution) begin(i int) {
	clear(x.done)
	x.finished, x.iteration = 0, uint32(i)
	for _, l := range x.lanes {
		l.rewind()
	}
	x.timed = x.Progress.begin(i) || x.long || i == x.Iterations-1
	x.gate = math.MaxInt
	if len(x.Stops) > 0 {
		x.gate = x.Stops[0]
	}
	x.start = time.Now()
	if x.sending != nil {
		x.sending.fresh(x.start)
		x.receiving.fresh(x.start)
	}
}

// rounds plays an iteration, and meets the other ranks at each stop.
func (x *execution) rounds() error {
	for i, stop := range x.Stops {
		begun := time.Now()
		if err := x.play(x.enough[i]); err != nil {
			return err
		}
		if err := x.pause(x.Dwell - time.Since(begun)); err != nil {
			return err
		}
		if _, err := x.rest(Holding, time.Since(begun), 0); err != nil {
			return err
		}
		x.meter.did(Holding, 0, 1)
		x.meter.publish(&x.Progress.work)
		if err := x.Link.Barrier(x.idle); err != nil {
			return fmt.Errorf("meet the other ranks after round %d: %w", stop, err)
		}
		x.gate = math.MaxInt
		if i+1 < len(x.Stops) {
			x.gate = x.Stops[i+1]
		}
	}
	return x.play(x.total)
}

// play takes turns through the lanes until that many slices are finished.
func (x *execution) play(finished int) error {
	turn := 0
	for x.finished < finished {
		moved := false
		for _, l := range x.lanes {
			if l.ended {
				continue
			}
			did, err := l.try()
			if err != nil {
				a := l.head()
				return &StepError{a.Step, a.Round, a.Peer, err}
			}
			moved = moved || did
		}
		if moved {
			turn = 0
			continue
		}
		turn++
		if err := x.waitAtMost(turn, x.soonest()); err != nil {
			return err
		}
	}
	return nil
}

// soonest returns when the first of the lanes that a port holds back may go
// on.
func (x *execution) soonest() time.Duration {
	if x.sending == nil {
		return math.MaxInt64
	}
	most := time.Duration(math.MaxInt64)
	for _, l := range x.lanes {
		if l.passing {
			most = min(most, time.Until(l.through))
		}
	}
	return most
}

// pause waits for d and returns what ends the run meanwhile.
func (x *execution) pause(d time.Duration) error {
	for until := time.Now().Add(d); ; {
		if x.stopped.Load() {
			return x.failure()
		}
		left := time.Until(until)
		if left <= 0 {
			return nil
		}
		time.Sleep(min(left, 5*time.Millisecond))
	}
}
