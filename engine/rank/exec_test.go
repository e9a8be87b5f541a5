package rank_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"time"

	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

// links are all the links, by the names of setting.
var links = []string{"", "tcp", "portable", "sealed"}

// Every pair that hosts can carry out gives the interpreter's bytes on every
// link, whatever it is cut into. A seeded sample of them; cluster/local runs
// all, on real processes.
func TestRunsAreBitExact(t *testing.T) {
	r := seed(t)
	for _, e := range schedule.Catalog() {
		if !e.Executable {
			continue
		}
		for _, l := range links {
			for range 4 {
				s := setting{
					request: schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: 1 + r.IntN(8)},
					link:    l, slices: 1 + r.IntN(7), burst: r.IntN(4), iterations: 3,
					dtype: schedule.DTypes()[r.IntN(7)], op: schedule.ReduceOps()[r.IntN(5)],
					elements: []int{0, 1, 17, 4097, 65_537}[r.IntN(5)],
				}
				if e.Collective.Rooted() {
					s.request.Root = r.IntN(s.request.Ranks)
				}
				if e.Nodes {
					s.request.RanksPerNode = 1 + r.IntN(s.request.Ranks)
				}
				if e.Collective.Blocks() {
					s.elements *= s.request.Ranks
				}
				if e.Collective == schedule.Barrier {
					s.elements, s.dtype = 0, schedule.Uint8
				} else {
					s.request.Chunks = r.IntN(4)
				}
				t.Run(fmt.Sprintf("%s/%s/n%d/%s/e%d/s%d/b%d/%s-%s", e.Collective, e.Algorithm, s.request.Ranks, l, s.elements, s.slices, s.burst, s.dtype, s.op),
					func(t *testing.T) { newTwins(t, s).holds(t) })
			}
		}
	}
}

// holds runs the ranks, and compares every element with the reference.
func (w *twins) holds(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := w.exec(ctx); err != nil {
		t.Fatal(err)
	}
	if m := w.verify(t); m != nil {
		t.Fatalf("%+v", m)
	}
	for r, j := range w.jobs {
		want := len(j.Program.Moves) * w.slices
		if got := len(takeAll(w, r)); got != want {
			t.Errorf("rank %d: %d marks, want %d", r, got, want)
		}
	}
}

// seed is the random draw of a test; LOCKSTEP_SEED repeats it.
func seed(t testing.TB) *rand.Rand {
	t.Helper()
	var s uint64
	if _, err := fmt.Sscan(os.Getenv("LOCKSTEP_SEED"), &s); err != nil {
		s = rand.Uint64()
	}
	t.Logf("LOCKSTEP_SEED=%d", s)
	return rand.New(rand.NewPCG(s, 0))
}

// An iteration allocates nothing: what a run costs beyond its start does not
// grow with the iterations.
func TestIterationsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, l := range links {
		for _, algorithm := range []string{"ring", "central", "recursive-doubling"} {
			mallocs := func(iterations int) uint64 {
				s := setting{request: ring(3), link: l, elements: 300_000, slices: 3, burst: 1, iterations: iterations}
				s.request.Algorithm = algorithm
				w := newTwins(t, s)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if err := w.exec(t.Context()); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				return after.Mallocs - before.Mallocs
			}
			few, many := mallocs(20), mallocs(220)
			// The runtime itself allocates now and then; where goroutines wait
			// for each other more often, but less than once in an iteration of
			// a rank.
			limit := uint64(100)
			if l == "portable" {
				limit = 3 * 200
			}
			if many > few+limit {
				t.Errorf("%s over %q: %d allocations in 20 iterations, %d in 220", algorithm, l, few, many)
			}
		}
	}
}

func TestFrameOfAnotherRunEndsTheRun(t *testing.T) {
	w := newTwins(t, setting{request: ring(3), link: "tcp", elements: 300, slices: 1, iterations: 2})
	w.jobs[1].Tag++
	err := w.exec(t.Context())
	var step *rank.StepError
	if !errors.Is(err, rank.ErrFrame) || !errors.As(err, &step) {
		t.Fatal(err)
	}
}

func TestMessageOfAnotherShapeEndsTheRun(t *testing.T) {
	for _, l := range links {
		w := newTwins(t, setting{request: schedule.Request{Collective: schedule.AllReduce, Algorithm: "central", Ranks: 2}, link: l, elements: 300, slices: 1, iterations: 1})
		w.jobs[1].Elements--
		if err := w.exec(t.Context()); !errors.Is(err, rank.ErrFrame) {
			t.Fatal(err)
		}
	}
}

func TestCancelFreesEveryone(t *testing.T) {
	for _, l := range links {
		w := newTwins(t, setting{request: ring(3), link: l, elements: 3_000_000, slices: 4, iterations: 1, rate: 1e6})
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("enough")
		time.AfterFunc(50*time.Millisecond, func() { cancel(reason) })
		begun := time.Now()
		if err := w.exec(ctx); !errors.Is(err, reason) {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > 3*time.Second {
			t.Errorf("%q: took %v", l, took)
		}
	}
}

func TestLostRankEndsTheOthers(t *testing.T) {
	for _, l := range links {
		w := newTwins(t, setting{request: ring(4), link: l, elements: 30_000, slices: 2, iterations: 10_000_000})
		time.AfterFunc(50*time.Millisecond, func() { w.jobs[2].Link.Interrupt() })
		if err := w.exec(t.Context()); err == nil {
			t.Fatal("no error")
		}
	}
}

// In steps, no rank begins a round before all have finished the one before it.
func TestStepsKeepRoundsApart(t *testing.T) {
	for _, l := range links {
		const dwell = 30 * time.Millisecond
		w := newTwins(t, setting{request: ring(4), link: l, elements: 4000, slices: 2, iterations: 1})
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
					t.Errorf("%q: rank %d round %d after %v, before %v", l, r, move.Round, m.At, least)
				}
			}
		}
	}
}

// A paced run takes as long as its ports allow, on every link.
func TestPortsHoldTheirRate(t *testing.T) {
	for _, l := range links {
		// Two ranks: each sends and receives half of the vector twice.
		w := newTwins(t, setting{request: ring(2), link: l, elements: 250_000, slices: 4, iterations: 1, rate: 10e6})
		if err := w.exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if m := w.verify(t); m != nil {
			t.Fatalf("%+v", m)
		}
		var times [1]time.Duration
		if _, n := w.jobs[0].Progress.TakeTimes(times[:]); n != 1 || times[0] < 99*time.Millisecond {
			t.Errorf("%q: %v, want 100 ms", l, times[0])
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
		"leg":           func(p *schedule.Program) { p.Moves[0].Leg = 1 },
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
