package rank_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"lockstep/engine/kernel"
	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// twins are the ranks of a run as goroutines of this process, over real
// links.
type twins struct {
	setting
	sched *schedule.Schedule
	jobs  []rank.Job
}

type setting struct {
	request  schedule.Request // of all-reduce where it says nothing
	sched    *schedule.Schedule
	elements int
	dtype    schedule.DType    // float32
	op       schedule.ReduceOp // sum
	slices   int

	link       string // "shm" if empty, "tcp", "portable" or "sealed"
	burst      int
	iterations int
	rate       unit.Rate
	reduce     kernel.Reduce
	spinning   bool // each rank has a processor
}

func ring(ranks int) schedule.Request {
	return schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: ranks}
}

func newTwins(t testing.TB, s setting) *twins {
	t.Helper()
	if s.dtype == "" {
		s.dtype, s.op = schedule.Float32, schedule.Sum
	}
	sched := s.sched
	if sched == nil {
		sched = must(schedule.Build(s.request))(t)
	}
	if s.reduce == nil {
		s.reduce = must(kernel.NewReduce(s.dtype, s.op))(t)
	}
	fill := must(rank.NewFill(s.dtype, s.op))(t)
	width := s.dtype.Width()
	w := &twins{setting: s, sched: sched, jobs: make([]rank.Job, sched.Ranks)}
	for r := range w.jobs {
		program := must(schedule.Compile(sched, r))(t)
		memory := must(rank.NewMemory(program, s.elements, width))(t)
		t.Cleanup(func() { memory.Close() })
		memory.FillIn(fill, r, width, func(int) bool { return true })
		w.jobs[r] = rank.Job{
			Program: program, Elements: s.elements, Width: width, Slices: s.slices, Iterations: s.iterations, Tag: 7, Burst: s.burst, Rate: s.rate,
			Reduce: s.reduce, Memory: memory, Progress: rank.NewProgress(len(program.Moves), s.slices, s.iterations),
		}
		if sched.Collective.Reduces() {
			w.jobs[r].Finish = schedule.Finish(s.dtype, s.op, sched.Ranks)
		}
	}
	if s.link == "" {
		w.share(t)
	} else {
		w.connect(t)
	}
	t.Cleanup(func() {
		for _, j := range w.jobs {
			j.Link.Close()
		}
	})
	return w
}

// share joins the ranks by memory, on the heap, where the race detector sees
// it.
func (w *twins) share(t testing.TB) {
	t.Helper()
	piece := 0
	if w.rate > 0 {
		piece = rank.PieceBytes(w.rate)
	}
	plan := link.PlanShm(len(w.jobs), rank.Edges(w.programs(), w.elements, w.dtype.Width(), w.slices), piece)
	memory := heap(plan.Size)
	for r := range w.jobs {
		w.jobs[r].Link = must(link.NewShm(link.ShmConfig{Plan: plan, Memory: memory, Rank: r, Crowded: !w.spinning}))(t)
	}
}

// heap returns zero memory that begins where a cache line does.
func heap(size int) []byte {
	memory := make([]byte, size+64)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % 64
	return memory[skip : int(skip)+size]
}

func (w *twins) programs() []*schedule.Program {
	var all []*schedule.Program
	for _, j := range w.jobs {
		all = append(all, j.Program)
	}
	return all
}

// connect joins the ranks by sockets.
func (w *twins) connect(t testing.TB) {
	t.Helper()
	ranks := len(w.jobs)
	listeners := make([]*link.Listener, ranks)
	addresses := make([]string, ranks)
	key := link.NewKey()
	var sealed []bool
	if w.link == "sealed" {
		sealed = slices.Repeat([]bool{true}, ranks)
	}
	for r, j := range w.jobs {
		to, from := rank.Peers(j.Program)
		listeners[r] = must(link.Listen(link.Config{
			Run: t.Name(), Key: key, Rank: r, Ranks: ranks, To: to, From: from, Meter: &j.Progress.Moved,
			Crowded: true, Portable: w.link == "portable", Shared: w.burst == 0, Sealed: sealed,
		}))(t)
		addresses[r] = listeners[r].Addr()
	}
	var wait sync.WaitGroup
	for r := range ranks {
		wait.Go(func() {
			l, err := listeners[r].Connect(t.Context(), addresses)
			if err != nil {
				t.Error(err)
				return
			}
			w.jobs[r].Link = l
		})
	}
	wait.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// exec runs all ranks and joins their errors.
func (w *twins) exec(ctx context.Context) error {
	errs := make([]error, len(w.jobs))
	var wait sync.WaitGroup
	for r := range w.jobs {
		wait.Go(func() { errs[r] = rank.Exec(ctx, w.jobs[r]) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// verify compares every element with the reference.
func (w *twins) verify(t testing.TB) *rank.Mismatch {
	t.Helper()
	width := w.dtype.Width()
	window := rank.Window(w.sched, width)
	digests := make([][]rank.Digest, len(w.jobs))
	rows := func(r int) rank.Rows { return rank.NewRows(w.sched, r, w.elements, width, window) }
	for r := range w.jobs {
		for i := range rows(r).Count() {
			digests[r] = append(digests[r], rows(r).Digest(w.jobs[r].Memory.Out, i))
		}
	}
	claim := rank.Claim{
		Schedule: w.sched, Elements: w.elements, Width: width, Window: window, Digests: digests,
		Fill:    must(rank.NewFill(w.dtype, w.op))(t),
		Combine: must(schedule.Arithmetic(w.dtype, w.op))(t),
		Fetch: func(_ context.Context, r, row, offset int) ([]byte, error) {
			part := make([]byte, 4096)
			return part[:rows(r).Read(part, w.jobs[r].Memory.Out, row, offset)], nil
		},
	}
	if w.sched.Collective.Reduces() {
		claim.Finish = schedule.Finish(w.dtype, w.op, w.sched.Ranks)
	}
	mismatch, err := rank.Verify(t.Context(), claim)
	if err != nil {
		t.Fatal(err)
	}
	return mismatch
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
