package rank_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// twins are the ranks of a run as goroutines of this process, over real
// connections.
type twins struct {
	sched    *schedule.Schedule
	elements int
	slices   int
	jobs     []rank.Job
}

type setting struct {
	algorithm  string
	ranks      int
	chunks     int
	elements   int
	slices     int
	iterations int
	rate       unit.Rate
	kernel     rank.Kernel
}

func newTwins(t testing.TB, s setting) *twins {
	t.Helper()
	sched, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: s.algorithm, Ranks: s.ranks, Chunks: s.chunks})
	if err != nil {
		t.Fatal(err)
	}
	if s.kernel == nil {
		s.kernel = must(rank.NewKernel(schedule.Float32, schedule.Sum))(t)
	}
	fill := must(rank.NewFill(schedule.Float32, schedule.Sum))(t)
	w := &twins{sched: sched, elements: s.elements, slices: s.slices, jobs: make([]rank.Job, s.ranks)}
	listeners := make([]*link.Listener, s.ranks)
	addresses := make([]string, s.ranks)
	key := link.NewKey()
	for r := range s.ranks {
		program := must(schedule.Compile(sched, r))(t)
		memory := must(rank.NewMemory(program, s.elements, 4))(t)
		t.Cleanup(func() { memory.Close() })
		memory.FillIn(fill, r, 4, func(int) bool { return true })
		progress := rank.NewProgress(len(program.Moves), s.slices, s.iterations)
		w.jobs[r] = rank.Job{
			Program: program, Elements: s.elements, Width: 4, Slices: s.slices, Iterations: s.iterations, Tag: 7,
			Kernel: s.kernel, Memory: memory, Progress: progress,
		}
		to, from := rank.Peers(program)
		listeners[r] = must(link.Listen(link.Config{
			Run: t.Name(), Key: key, Rank: r, Ranks: s.ranks, To: to, From: from, Rate: s.rate, Meter: &progress.Moved,
		}))(t)
		addresses[r] = listeners[r].Addr()
	}
	var wait sync.WaitGroup
	for r := range s.ranks {
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
	t.Cleanup(func() {
		for _, j := range w.jobs {
			j.Link.Close()
		}
	})
	return w
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
	window := rank.Window(w.sched, 4)
	digests := make([][]rank.Digest, len(w.jobs))
	rows := func(r int) rank.Rows { return rank.NewRows(w.sched, r, w.elements, 4, window) }
	for r := range w.jobs {
		for i := range rows(r).Count() {
			digests[r] = append(digests[r], rows(r).Digest(w.jobs[r].Memory.Out, i))
		}
	}
	mismatch, err := rank.Verify(t.Context(), rank.Claim{
		Schedule: w.sched, Elements: w.elements, Width: 4, Window: window, Digests: digests,
		Fill:    must(rank.NewFill(schedule.Float32, schedule.Sum))(t),
		Combine: must(schedule.Arithmetic(schedule.Float32, schedule.Sum))(t),
		Fetch: func(_ context.Context, r, row, offset int) ([]byte, error) {
			part := make([]byte, 4096)
			return part[:rows(r).Read(part, w.jobs[r].Memory.Out, row, offset)], nil
		},
	})
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
