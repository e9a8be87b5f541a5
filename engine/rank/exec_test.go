package rank_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

func TestRunsAreBitExact(t *testing.T) {
	for _, algorithm := range []string{"ring", "central"} {
		for _, n := range []int{1, 2, 3, 4, 7, 8} {
			for _, elements := range []int{0, 1, n - 1, 4097, 65_537} {
				for _, slices := range []int{1, 7} {
					for _, chunks := range []int{1, 3} {
						t.Run(fmt.Sprintf("%s/n%d/e%d/s%d/c%d", algorithm, n, elements, slices, chunks), func(t *testing.T) {
							w := newTwins(t, setting{algorithm: algorithm, ranks: n, chunks: chunks, elements: elements, slices: slices, iterations: 3})
							if err := w.exec(t.Context()); err != nil {
								t.Fatal(err)
							}
							if m := w.verify(t); m != nil {
								t.Fatalf("%+v", m)
							}
							for r, j := range w.jobs {
								want := len(j.Program.Moves) * slices
								if got := len(takeAll(w, r)); got != want {
									t.Errorf("rank %d: %d marks, want %d", r, got, want)
								}
							}
						})
					}
				}
			}
		}
	}
}

// An iteration allocates nothing: what a run costs beyond its start does not
// grow with the iterations.
func TestIterationsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, algorithm := range []string{"ring", "central"} {
		mallocs := func(iterations int) uint64 {
			w := newTwins(t, setting{algorithm: algorithm, ranks: 3, elements: 300_000, slices: 3, iterations: iterations})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if err := w.exec(t.Context()); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs
		}
		few, many := mallocs(20), mallocs(220)
		// The runtime itself allocates now and then, less than once in an
		// iteration of a rank.
		if many > few+100 {
			t.Errorf("%s: %d allocations in 20 iterations, %d in 220", algorithm, few, many)
		}
	}
}

func TestFrameOfAnotherRunEndsTheRun(t *testing.T) {
	w := newTwins(t, setting{algorithm: "ring", ranks: 3, elements: 300, slices: 1, iterations: 2})
	w.jobs[1].Tag++
	err := w.exec(t.Context())
	var step *rank.StepError
	if !errors.Is(err, rank.ErrFrame) || !errors.As(err, &step) {
		t.Fatal(err)
	}
}

func TestFrameOfAnotherShapeEndsTheRun(t *testing.T) {
	w := newTwins(t, setting{algorithm: "central", ranks: 2, elements: 300, slices: 1, iterations: 1})
	w.jobs[1].Elements--
	if err := w.exec(t.Context()); !errors.Is(err, rank.ErrFrame) {
		t.Fatal(err)
	}
}

func TestCancelFreesEveryone(t *testing.T) {
	w := newTwins(t, setting{algorithm: "ring", ranks: 3, elements: 3_000_000, slices: 4, iterations: 1, rate: 1e6})
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(reason) })
	begun := time.Now()
	if err := w.exec(ctx); !errors.Is(err, reason) {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestLostRankEndsTheOthers(t *testing.T) {
	w := newTwins(t, setting{algorithm: "ring", ranks: 4, elements: 30_000, slices: 2, iterations: 1_000_000})
	time.AfterFunc(50*time.Millisecond, func() { w.jobs[2].Link.Close() })
	if err := w.exec(t.Context()); err == nil {
		t.Fatal("no error")
	}
}

// In steps, no rank begins a round before all have finished the one before it.
func TestStepsKeepRoundsApart(t *testing.T) {
	const dwell = 30 * time.Millisecond
	w := newTwins(t, setting{algorithm: "ring", ranks: 4, elements: 4000, slices: 2, iterations: 1})
	for r := range w.jobs {
		w.jobs[r].Stops, w.jobs[r].Dwell = rank.Stops(w.sched), dwell
	}
	if err := w.exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := w.verify(t); m != nil {
		t.Fatalf("%+v", m)
	}
	stops := rank.Stops(w.sched)
	if len(stops) != w.sched.Rounds() {
		t.Fatalf("stops %v, %d counted rounds", stops, w.sched.Rounds())
	}
	for r, j := range w.jobs {
		for _, m := range takeAll(w, r) {
			move := j.Program.Moves[m.Move]
			before := 0 // stops behind us
			for _, s := range stops {
				if s < move.Round {
					before++
				}
			}
			if least := time.Duration(before) * dwell; m.At < least {
				t.Errorf("rank %d round %d after %v, before %v", r, move.Round, m.At, least)
			}
		}
	}
}

func TestCutCoversEverything(t *testing.T) {
	for elements := range 40 {
		for slices := 1; slices < 12; slices++ {
			next, longest := 0, 0
			for j := range slices {
				first, length := rank.Cut(elements, slices, j)
				if j == 0 {
					longest = length
				}
				if first != next || length > longest || length < longest-1 {
					t.Fatalf("%d elements in %d slices: slice %d is [%d, +%d)", elements, slices, j, first, length)
				}
				next += length
			}
			if next != elements {
				t.Fatalf("%d elements in %d slices cover %d", elements, slices, next)
			}
		}
	}
}

func TestForeignProgramsAreRefused(t *testing.T) {
	fresh := func() *schedule.Program {
		sched := must(schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4}))(t)
		return must(schedule.Compile(sched, 1))(t)
	}
	if err := rank.CheckProgram(fresh(), 4); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(p *schedule.Program){
		"collective":    func(p *schedule.Program) { p.Collective = "gossip" },
		"no ranks":      func(p *schedule.Program) { p.Ranks = 0 },
		"many ranks":    func(p *schedule.Program) { p.Ranks = 65 },
		"rank":          func(p *schedule.Program) { p.Rank = -1 },
		"chunks":        func(p *schedule.Program) { p.Chunks = 0 },
		"blocks":        func(p *schedule.Program) { p.Collective, p.Chunks = schedule.ReduceScatter, 3 },
		"root":          func(p *schedule.Program) { p.Collective, p.Root = schedule.Broadcast, 9 },
		"tmp":           func(p *schedule.Program) { p.TmpChunks = -1 },
		"peer":          func(p *schedule.Program) { p.Moves[5].Peer = 4 },
		"self":          func(p *schedule.Program) { p.Moves[5].Peer = 1 },
		"kind":          func(p *schedule.Program) { p.Moves[5].Kind = 7 },
		"op":            func(p *schedule.Program) { p.Moves[5].Op = schedule.Multicast },
		"count":         func(p *schedule.Program) { p.Moves[5].Count = 0 },
		"source":        func(p *schedule.Program) { p.Moves[0].SrcChunk = -1 },
		"destination":   func(p *schedule.Program) { p.Moves[0].DstChunk = 4 },
		"overflow":      func(p *schedule.Program) { p.Moves[0].Count = int(^uint(0) >> 1) },
		"writes in":     func(p *schedule.Program) { p.Moves[0].DstBuf = schedule.In },
		"buffer":        func(p *schedule.Program) { p.Moves[0].SrcBuf = 9 },
		"unequal":       func(p *schedule.Program) { p.Moves[0].DstChunk = (p.Moves[0].SrcChunk + 1) % 4 },
		"order":         func(p *schedule.Program) { p.Moves[1].Step = p.Moves[0].Step },
		"round":         func(p *schedule.Program) { p.Moves[0].Round = 0 },
		"waits for all": func(p *schedule.Program) { p.Moves[0].After = []schedule.After{{Move: 0}} },
		"waits before":  func(p *schedule.Program) { p.Moves[0].After = []schedule.After{{Move: -1}} },
	} {
		p := fresh()
		spoil(p)
		if rank.CheckProgram(p, 4) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if rank.CheckProgram(fresh(), 0) == nil || rank.CheckProgram(fresh(), 4097) == nil {
		t.Error("slices: accepted")
	}
}
