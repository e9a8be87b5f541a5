package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// The oracle plays a schedule in random orders that its deps allow, and
// compares with the table of what buffers hold, written out here once more and
// on purpose: it shares nothing with Check but the Step.

// contents is what a chunk holds: how often each (rank, chunk of in) is in it,
// as a canonical text, or "" for nothing.
type contents map[[2]int]int

type oracle struct {
	s    *Schedule
	held map[[3]int]contents // rank, buffer, chunk
}

// expected is what rank's out chunk must hold.
func expected(s *Schedule, rank, c int) contents {
	n := s.Ranks
	all := func(piece int) contents {
		sum := contents{}
		for r := range n {
			sum[[2]int{r, piece}] = 1
		}
		return sum
	}
	one := func(r, piece int) contents { return contents{{r, piece}: 1} }
	k := s.Chunks / n
	switch s.Collective {
	case Broadcast:
		return one(s.Root, c)
	case ReduceTo, AllReduce, Barrier:
		return all(c)
	case Scatter:
		return one(s.Root, rank*k+c)
	case Gather, AllGather:
		return one(c/k, c%k)
	case ReduceScatter:
		return all(rank*k + c)
	case AllToAll:
		return one(c/k, rank*k+c%k)
	case SendRecv:
		return one((rank+n-1)%n, c)
	}
	panic("unknown collective")
}

// held0 says which chunks of in a rank has at the start, and of out at the end.
func bounds(s *Schedule, rank int) (in, out int) {
	k := s.Chunks / s.Ranks
	root := rank == s.Root
	pick := func(at bool, there, elsewhere int) int {
		if at {
			return there
		}
		return elsewhere
	}
	switch s.Collective {
	case Broadcast:
		return pick(root, s.Chunks, 0), s.Chunks
	case ReduceTo:
		return s.Chunks, pick(root, s.Chunks, 0)
	case Scatter:
		return pick(root, s.Chunks, 0), k
	case Gather:
		return k, pick(root, s.Chunks, 0)
	case AllGather:
		return k, s.Chunks
	case ReduceScatter:
		return s.Chunks, k
	}
	return s.Chunks, s.Chunks
}

func newOracle(s *Schedule) *oracle {
	o := &oracle{s, map[[3]int]contents{}}
	for rank := range s.Ranks {
		in, _ := bounds(s, rank)
		for c := range in {
			o.held[[3]int{rank, int(In), c}] = contents{{rank, c}: 1}
		}
	}
	return o
}

// touches reports whether steps a and b share, on rank, a chunk that one of
// them writes.
func touches(a, b *Step, rank int) bool {
	over := func(x, y int, xs, ys int) bool { return x < y+ys && y < x+xs }
	reads := func(s *Step) bool { return slices.Contains(s.Sources(), rank) }
	writes := func(s *Step) bool { return slices.Contains(s.Destinations(), rank) }
	return writes(a) && writes(b) && a.DstBuf == b.DstBuf && over(a.DstChunk, b.DstChunk, a.Count, b.Count) ||
		writes(a) && reads(b) && a.DstBuf == b.SrcBuf && over(a.DstChunk, b.SrcChunk, a.Count, b.Count) ||
		reads(a) && writes(b) && a.SrcBuf == b.DstBuf && over(a.SrcChunk, b.DstChunk, a.Count, b.Count)
}

// part is one rank's part of a step: reading on a source, writing on a
// destination. A local step's halves happen together.
type part struct {
	step int
	rank int
	read bool
}

// playAnyOrder runs the halves in a random order that deps allow: a dep gates
// the half on whose rank the two steps meet. It returns what is wrong at the
// end, or nil.
func (o *oracle) playAnyOrder(r *rand.Rand) error {
	s := o.s
	var halves []part
	index := map[part]int{}
	add := func(h part) {
		index[h] = len(halves)
		halves = append(halves, h)
	}
	byID := map[int]int{}
	for i := range s.Steps {
		step := &s.Steps[i]
		byID[step.ID] = i
		for _, rank := range step.Sources() {
			add(part{i, rank, true})
		}
		for _, rank := range step.Destinations() {
			add(part{i, rank, false})
		}
	}
	waits := make([]int, len(halves))
	next := make([][]int, len(halves))
	edge := func(from, to part) {
		a, okA := index[from]
		b, okB := index[to]
		if okA && okB {
			next[a] = append(next[a], b)
			waits[b]++
		}
	}
	for i := range s.Steps {
		step := &s.Steps[i]
		for _, src := range step.Sources() {
			for _, dst := range step.Destinations() {
				edge(part{i, src, true}, part{i, dst, false})
			}
		}
		for _, d := range step.Deps {
			dep := &s.Steps[byID[d]]
			ranks := append(slices.Clone(step.Sources()), step.Destinations()...)
			slices.Sort(ranks)
			for _, rank := range slices.Compact(ranks) {
				if !touches(dep, step, rank) {
					continue
				}
				for _, from := range []part{{byID[d], rank, true}, {byID[d], rank, false}} {
					for _, to := range []part{{i, rank, true}, {i, rank, false}} {
						edge(from, to)
					}
				}
			}
		}
	}
	var ready []int
	for i := range halves {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	flight := map[[3]int]contents{} // step, source, offset
	for done := 0; len(ready) > 0; done++ {
		pick := r.IntN(len(ready))
		i := ready[pick]
		ready = slices.Delete(ready, pick, pick+1)
		if err := o.do(halves[i], flight); err != nil {
			return err
		}
		for _, to := range next[i] {
			if waits[to]--; waits[to] == 0 {
				ready = append(ready, to)
			}
		}
		if done+1 == len(halves) {
			return o.result()
		}
	}
	if len(halves) == 0 {
		return o.result()
	}
	return fmt.Errorf("the steps wait for one another")
}

func (o *oracle) do(h part, flight map[[3]int]contents) error {
	step := &o.s.Steps[h.step]
	for c := range step.Count {
		if h.read {
			from := o.held[[3]int{h.rank, int(step.SrcBuf), step.SrcChunk + c}]
			if from == nil {
				return fmt.Errorf("step %d reads nothing on rank %d", step.ID, h.rank)
			}
			flight[[3]int{h.step, h.rank, c}] = from
			continue
		}
		at := [3]int{h.rank, int(step.DstBuf), step.DstChunk + c}
		sum := contents{}
		if step.Op == Reduce {
			if o.held[at] == nil {
				return fmt.Errorf("step %d reduces into nothing on rank %d", step.ID, h.rank)
			}
			add(sum, o.held[at], o.s.Collective == Barrier)
		}
		for _, src := range step.Sources() {
			add(sum, flight[[3]int{h.step, src, c}], o.s.Collective == Barrier)
		}
		o.held[at] = sum
	}
	return nil
}

func add(sum, more contents, set bool) {
	for leaf, times := range more {
		if sum[leaf] += times; set {
			sum[leaf] = 1
		}
	}
}

func (o *oracle) result() error {
	for rank := range o.s.Ranks {
		_, out := bounds(o.s, rank)
		for c := range out {
			got, want := o.held[[3]int{rank, int(Out), c}], expected(o.s, rank, c)
			if len(got) != len(want) {
				return fmt.Errorf("out chunk %d of rank %d holds %v, want %v", c, rank, got, want)
			}
			for leaf, times := range want {
				if got[leaf] != times {
					return fmt.Errorf("out chunk %d of rank %d holds %v, want %v", c, rank, got, want)
				}
			}
		}
	}
	return nil
}
