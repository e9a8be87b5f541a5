package rank_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"lockstep/engine/schedule"
)

// Schedules that nobody wrote, with every kind of overlap that the rules
// allow, give the interpreter's bytes on every link: the executor relies on
// nothing that only our own have.
func TestRandomSchedulesAreBitExact(t *testing.T) {
	r := seed(t)
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	for i := range rounds {
		sched := randomSchedule(t, r, 1+r.IntN(8))
		for _, l := range links {
			s := setting{
				sched: sched, link: l, elements: []int{1, 17, 1023, 40_001}[r.IntN(4)], slices: 1 + r.IntN(5), burst: r.IntN(3), iterations: 2,
				dtype: []schedule.DType{schedule.Int32, schedule.Uint8, schedule.Int64}[r.IntN(3)], op: schedule.Sum,
			}
			t.Run(fmt.Sprintf("%d/%s/n%d/e%d/s%d/b%d", i, l, sched.Ranks, s.elements, s.slices, s.burst), func(t *testing.T) { newTwins(t, s).holds(t) })
		}
	}
}

// randomSchedule fills rounds with random copies and reduces between places
// that hold something, each of up to three chunks.
func randomSchedule(t *testing.T, r *rand.Rand, n int) *schedule.Schedule {
	t.Helper()
	const chunks = 5
	s := &schedule.Schedule{Collective: schedule.AllReduce, Algorithm: "random", Ranks: n, Root: schedule.NoRoot, Chunks: chunks}
	add := func(round int, op schedule.Op, src, dst int, from schedule.Buf, a int, to schedule.Buf, b, count int) {
		s.Steps = append(s.Steps, schedule.Step{
			ID: len(s.Steps), Round: round, Op: op, Src: src, Dst: dst, SrcBuf: from, SrcChunk: a, DstBuf: to, DstChunk: b, Count: count,
		})
	}
	type cell struct {
		rank  int
		buf   schedule.Buf
		chunk int
	}
	filled := map[cell]bool{}
	for rank := range n {
		add(1, schedule.Copy, rank, rank, schedule.In, 0, schedule.Out, 0, chunks)
		for c := range chunks {
			filled[cell{rank, schedule.Out, c}], filled[cell{rank, schedule.In, c}] = true, true
		}
	}
	for round := 2; round < 10; round++ {
		reads, copies, reduces := map[cell]bool{}, map[cell]bool{}, map[cell]bool{}
		before := len(s.Steps)
		for range 4 * n {
			src, dst := r.IntN(n), r.IntN(n)
			from, to := schedule.Buf(r.IntN(3)), schedule.Out+schedule.Buf(r.IntN(2))
			chunk, count := r.IntN(chunks), 1+r.IntN(3)
			op := schedule.Op(r.IntN(2))
			ok := chunk+count <= chunks && (src != dst || from != to)
			for c := chunk; c < chunk+count && ok; c++ {
				a, b := cell{src, from, c}, cell{dst, to, c}
				ok = filled[a] && !copies[a] && !reduces[a] && !reads[b] && !copies[b] && (op == schedule.Reduce || !reduces[b]) &&
					(op == schedule.Copy || filled[b])
			}
			if !ok {
				continue
			}
			for c := chunk; c < chunk+count; c++ {
				reads[cell{src, from, c}] = true
				if op == schedule.Copy {
					copies[cell{dst, to, c}] = true
				} else {
					reduces[cell{dst, to, c}] = true
				}
			}
			add(round, op, src, dst, from, chunk, to, chunk, count)
		}
		if len(s.Steps) == before {
			add(round, schedule.Copy, 0, 0, schedule.In, 0, schedule.Tmp, 0, 1)
			copies[cell{0, schedule.Tmp, 0}] = true
		}
		for c := range copies {
			filled[c] = true
		}
	}
	// It proves to be no all-reduce, which is not the point: its rules are kept
	// and its dependencies wired.
	var fault *schedule.Fault
	if err := schedule.Assemble(s); err != nil && !errors.As(err, &fault) {
		t.Fatal(err)
	}
	for i := range s.Steps {
		if s.Steps[i].Round > 2 && len(s.Steps[i].Deps) > 0 {
			return s
		}
	}
	t.Fatal("nothing depends on anything: the schedule was not wired", fault)
	return nil
}
