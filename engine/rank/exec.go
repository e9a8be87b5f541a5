package rank

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"lockstep/engine/schedule"
)

// Job is a run as one rank sees it.
type Job struct {
	Program    *schedule.Program // must pass CheckProgram
	Elements   int               // of the full buffer
	Width      int               // bytes of an element
	Slices     int               // that each move is cut into
	Iterations int               // all of them, the uncounted ones included
	Tag        uint32            // the same on all ranks of a run, and on no other run
	Kernel     Kernel
	Finish     func(out []byte) // what the result needs at the end of an iteration; nil for nothing

	// Stops are the rounds behind which all ranks meet, ascending, the same on
	// every rank; a stop is held for at least Dwell from its round's start.
	// None at full speed.
	Stops []int
	Dwell time.Duration

	Memory   *Memory
	Link     Link
	Progress *Progress
	Brake    *Brake // nil for none
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

// Exec carries out job and returns when all its iterations are finished and
// nothing that it started is left. Before each iteration all ranks meet; the
// rank's own elapsed time of each goes into job.Progress. When ctx ends, or a
// move fails (a *StepError), Exec closes the link to free what blocks on it.
func Exec(ctx context.Context, job Job) error {
	x, err := newExecution(job)
	if err != nil {
		return err
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		x.fail(context.Cause(ctx))
	})
	var lanes sync.WaitGroup
	for _, l := range x.lanes {
		lanes.Go(l.run)
	}
	x.conduct()
	lanes.Wait()
	if !stop() {
		<-ended
	}
	return x.err
}

// execution is an Exec under way. Fields are set before the lanes start,
// except those below mu.
type execution struct {
	Job
	lanes  []*lane
	enough []int         // by stop: the slices finished when its round is
	total  int           // slices of an iteration
	failed chan struct{} // closed when err is set

	mu    *sync.Mutex // Progress.mu: a finished slice and its mark are one change
	idle  *sync.Cond  // the conductor waits here
	epoch int         // iterations begun
	start time.Time   // of the iteration
	gate  int         // rounds up to this one may run
	want  int         // finished slices that the conductor waits for
	done  []int32     // by move: slices finished in this iteration
	err   error       // the first failure
}

func newExecution(job Job) (*execution, error) {
	if err := CheckProgram(job.Program, job.Slices); err != nil {
		return nil, err
	}
	moves := job.Program.Moves
	if want := len(moves) * job.Slices; cap(job.Progress.marks) < want || cap(job.Progress.times) < job.Iterations {
		return nil, fmt.Errorf("run rank %d: progress has room for %d marks and %d iterations, not %d and %d",
			job.Program.Rank, cap(job.Progress.marks), cap(job.Progress.times), want, job.Iterations)
	}
	x := &execution{
		Job: job, mu: &job.Progress.mu, done: make([]int32, len(moves)), total: len(moves) * job.Slices,
		failed: make(chan struct{}),
	}
	x.idle = sync.NewCond(x.mu)
	next := 0
	for _, stop := range job.Stops {
		for next < len(moves) && moves[next].Round <= stop {
			next++
		}
		x.enough = append(x.enough, next*job.Slices)
	}
	return x, x.bind()
}

// fail records the first failure and frees everyone.
func (x *execution) fail(err error) {
	x.mu.Lock()
	first := x.err == nil
	if first {
		x.err = err
		close(x.failed)
		x.wakeAll()
	}
	x.mu.Unlock()
	if first {
		_ = x.Link.Close() // the failure is what counts
	}
}

// wakeAll wakes everyone who waits. Callers hold mu.
func (x *execution) wakeAll() {
	x.idle.Broadcast()
	for _, l := range x.lanes {
		l.wake.Signal()
	}
}

// conduct leads the lanes through the iterations.
func (x *execution) conduct() {
	for i := range x.Iterations {
		if i == 0 || i == x.Iterations-1 {
			x.Memory.poison(func(bytes int) { x.Progress.Moved.Add(int64(bytes)) })
		}
		if err := x.Link.Barrier(); err != nil {
			x.fail(fmt.Errorf("meet the other ranks before iteration %d: %w", i, err))
			return
		}
		if !x.begin(i) || !x.rounds() {
			return
		}
		if x.Finish != nil {
			x.Finish(x.Memory.Out)
		}
		x.mu.Lock()
		x.Progress.times = append(x.Progress.times, time.Since(x.start))
		x.mu.Unlock()
	}
}

// begin opens iteration i to the lanes.
func (x *execution) begin(i int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	clear(x.done)
	p := x.Progress
	p.iteration, p.marks, p.taken = i, p.marks[:0], 0
	x.epoch = i + 1
	x.gate = math.MaxInt
	if len(x.Stops) > 0 {
		x.gate = x.Stops[0]
	}
	x.start = time.Now()
	x.wakeAll()
	return x.err == nil
}

// rounds returns when all moves of the iteration are done, having met the
// other ranks at each stop; false after a failure.
func (x *execution) rounds() bool {
	for i := range x.Stops {
		begun := time.Now()
		if !x.until(x.enough[i]) || !x.pause(x.Dwell-time.Since(begun)) {
			return false
		}
		if _, ok := x.rest(Holding, time.Since(begun), 0); !ok {
			return false
		}
		x.Progress.work.did(Holding, 0, 1)
		if err := x.Link.Barrier(); err != nil {
			x.fail(fmt.Errorf("meet the other ranks after round %d: %w", x.Stops[i], err))
			return false
		}
		x.mu.Lock()
		x.gate = math.MaxInt
		if i+1 < len(x.Stops) {
			x.gate = x.Stops[i+1]
		}
		x.wakeAll()
		x.mu.Unlock()
	}
	return x.until(x.total)
}

// until waits for that many finished slices; false after a failure.
func (x *execution) until(slices int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.want = slices
	for len(x.Progress.marks) < slices && x.err == nil {
		x.idle.Wait()
	}
	return x.err == nil
}

// pause waits for d; false if the run fails meanwhile.
func (x *execution) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-x.failed:
		return false
	}
}
