package schedule

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mutate returns a copy of s with one random defect and its name.
func mutate(s *Schedule, r *rand.Rand) (*Schedule, string) {
	m := *s
	m.Steps = slices.Clone(s.Steps)
	for i := range m.Steps {
		m.Steps[i].Deps = slices.Clone(m.Steps[i].Deps)
	}
	i := r.IntN(len(m.Steps))
	step := &m.Steps[i]
	heal := func() { // the defect under test is in the data movement, not in the deps
		if checkHead(&m) == nil && checkSteps(&m) == nil {
			wireDeps(&m, newCells(&m))
		}
	}
	switch kind := r.IntN(5); kind {
	case 0:
		m.Steps = slices.Delete(m.Steps, i, i+1)
		renumber(&m)
		heal()
		return &m, "drop"
	case 1:
		m.Steps = slices.Insert(m.Steps, i, *step)
		renumber(&m)
		heal()
		return &m, "duplicate"
	case 2:
		step.Dst = (step.Dst + 1 + r.IntN(max(m.Ranks-1, 1))) % m.Ranks
		heal()
		return &m, "redirect"
	case 3:
		if r.IntN(2) == 0 {
			step.SrcChunk = (step.SrcChunk + 1) % m.Chunks
		} else {
			step.DstChunk = (step.DstChunk + 1) % m.Chunks
		}
		heal()
		return &m, "shift"
	}
	for range m.Steps {
		if len(step.Deps) > 0 {
			d := r.IntN(len(step.Deps))
			step.Deps = slices.Delete(step.Deps, d, d+1)
			return &m, "drop a dependency"
		}
		i = (i + 1) % len(m.Steps)
		step = &m.Steps[i]
	}
	return &m, ""
}

// renumber closes gaps in IDs and rounds, as someone would who hides a defect.
func renumber(s *Schedule) {
	round, last := 0, -1
	for i := range s.Steps {
		if s.Steps[i].Round != last {
			round, last = round+1, s.Steps[i].Round
		}
		s.Steps[i].ID, s.Steps[i].Round = i, round
	}
	for i := range s.Phases {
		s.Phases[i].Last = min(s.Phases[i].Last, round)
	}
}

func TestMutantsAreRefused(t *testing.T) {
	const each = 500
	for _, e := range Catalog() {
		r := rand.New(rand.NewPCG(7, 11))
		refused, harmless := 0, 0
		for range each {
			n, k := 2+r.IntN(7), 1+r.IntN(3)
			s := mustBuild(t, Request{e.Collective, e.Algorithm, n, k})
			m, kind := mutate(s, r)
			if kind == "" {
				continue
			}
			err := Check(m)
			if err != nil {
				refused++
				if f, ok := err.(*Fault); !ok || f.Message == "" {
					t.Fatalf("%s: refused without a reason: %v", kind, err)
				}
				continue
			}
			// Check let it pass, so it must be right: play it on numbers.
			harmless++
			if !playsRight(t, m, r) {
				t.Errorf("%s/%s, %d ranks, %d chunks: a wrong mutant (%s) passes", e.Collective, e.Algorithm, n, k, kind)
			}
		}
		t.Logf("%s/%s: %d mutants refused, %d harmless", e.Collective, e.Algorithm, refused, harmless)
		if refused < each*8/10 {
			t.Errorf("%s/%s: only %d of %d mutants refused", e.Collective, e.Algorithm, refused, each)
		}
	}
}

// playsRight plays s on real numbers in random orders that respect Deps and
// reports whether every order leaves all ranks with the sum.
func playsRight(t *testing.T, s *Schedule, r *rand.Rand) bool {
	t.Helper()
	for range 3 {
		held := make([]map[[2]int]uint64, s.Ranks) // (buf, chunk) -> bit set of ranks, or all ones when doubled
		for rank := range held {
			held[rank] = map[[2]int]uint64{}
			for c := range s.Chunks {
				held[rank][[2]int{int(In), c}] = 1 << rank
			}
		}
		done := map[int]bool{}
		for len(done) < len(s.Steps) {
			var ready []int
			for i := range s.Steps {
				if !done[s.Steps[i].ID] && !slices.ContainsFunc(s.Steps[i].Deps, func(d int) bool { return !done[d] }) {
					ready = append(ready, i)
				}
			}
			step := &s.Steps[ready[r.IntN(len(ready))]]
			for c := range step.Count {
				from := held[step.Src][[2]int{int(step.SrcBuf), step.SrcChunk + c}]
				to := [2]int{int(step.DstBuf), step.DstChunk + c}
				if step.Op == Reduce {
					if held[step.Dst][to]&from != 0 {
						return false
					}
					from |= held[step.Dst][to]
				}
				held[step.Dst][to] = from
			}
			done[step.ID] = true
		}
		for rank := range s.Ranks {
			for c := range s.Chunks {
				if held[rank][[2]int{int(Out), c}] != 1<<s.Ranks-1 {
					return false
				}
			}
		}
	}
	return true
}

func TestFaultsNameWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		break_ func(s *Schedule)
		code   string
		words  string
	}{
		"double": {func(s *Schedule) {
			s.Steps = slices.Insert(s.Steps, 2, s.Steps[1])
			renumber(s)
			wireDeps(s, newCells(s))
		}, "double-count", "contribution of rank 1 to chunk 0 is counted 2 times"},
		"missing": {func(s *Schedule) {
			s.Steps = slices.Delete(s.Steps, 1, 2)
			renumber(s)
			wireDeps(s, newCells(s))
		}, "missing-data", "without the contribution of rank 1"},
		"writes in":     {func(s *Schedule) { s.Steps[0].DstBuf = In }, "writes-in", "never written"},
		"empty read":    {func(s *Schedule) { s.Steps[1].SrcBuf = Out }, "missing-data", "holds nothing"},
		"round gap":     {func(s *Schedule) { s.Steps[len(s.Steps)-1].Round += 2 }, "round-order", "without gaps"},
		"no dependency": {func(s *Schedule) { s.Steps[1].Deps = nil }, "missing-dep", "does not wait for step 0"},
		"extra":         {func(s *Schedule) { s.Steps[4].Deps = []int{0, 2} }, "extra-dep", "waits for step 0"},
		"future":        {func(s *Schedule) { s.Steps[1].Deps = []int{0, 4} }, "dep-order", "smaller IDs"},
		"rank":          {func(s *Schedule) { s.Steps[1].Src = 9 }, "rank-range", "rank 9"},
		"chunk":         {func(s *Schedule) { s.Steps[1].Count = 9 }, "chunk-range", "which has 1"},
		"overflow":      {func(s *Schedule) { s.Steps[1].SrcChunk, s.Steps[1].Count = 1, 1<<62 }, "chunk-range", "which has 1"},
		"tmp":           {func(s *Schedule) { s.TmpChunks = 3 }, "tmp-chunks", "largest index"},
		"root":          {func(s *Schedule) { s.Root = 0 }, "root", "no root"},
		"clash":         {func(s *Schedule) { s.Steps[1].Round = 1 }, "round-clash", "written twice"},
		"round zero": {func(s *Schedule) {
			for i := range s.Steps {
				s.Steps[i].Round--
			}
		}, "round-order", "count from 1"},
		"phase": {func(s *Schedule) {
			s.Phases = []Phase{{Key: "all", First: 1, Last: 1, Invariant: EveryoneHolds}}
		}, "phases", "everyone-holds-all does not hold after phase"},
		"odd name":       {func(s *Schedule) { s.Algorithm = "a\x1b[2J" }, "algorithm", "letters, digits"},
		"first a reduce": {func(s *Schedule) { s.Steps[0].Op = Reduce }, "reduce-into-nothing", "first contribution is a copy"},
	} {
		s := mustBuild(t, Request{AllReduce, "central", 3, 1})
		clone := *s
		clone.Steps = slices.Clone(s.Steps)
		clone.Phases = nil
		c.break_(&clone)
		err := Check(&clone)
		f, ok := err.(*Fault)
		if !ok || f.Code != c.code || !strings.Contains(f.Message, c.words) {
			t.Errorf("%s: %v (%+v); want %s with %q", name, err, f, c.code, c.words)
		}
	}
}

// A chunk doubled 32 times and then added to once more holds 2^32 + 1
// contributions: a counter that wraps would call that one.
func TestCountsDoNotWrap(t *testing.T) {
	s := &Schedule{Collective: AllReduce, Algorithm: "wrap", Ranks: 1, Root: NoRoot, Chunks: 1, TmpChunks: 2}
	add := func(op Op, from, to place) {
		s.Steps = append(s.Steps, Step{
			ID: len(s.Steps), Round: len(s.Steps) + 1, Op: op, SrcBuf: from.buf, SrcChunk: from.chunk, DstBuf: to.buf, DstChunk: to.chunk, Count: 1,
		})
	}
	sum, twin := place{0, Tmp, 0}, place{0, Tmp, 1}
	add(Copy, place{0, In, 0}, sum)
	for range 32 {
		add(Copy, sum, twin)
		add(Reduce, twin, sum)
	}
	add(Reduce, place{0, In, 0}, sum)
	add(Copy, sum, place{0, Out, 0})
	wireDeps(s, newCells(s))
	if f, ok := Check(s).(*Fault); !ok || f.Code != "double-count" {
		t.Errorf("check: %v", f)
	}
}

func TestHugeWorkIsRefused(t *testing.T) {
	const chunks = MaxCells / 2
	s := &Schedule{Collective: AllReduce, Algorithm: "huge", Ranks: 1, Root: NoRoot, Chunks: chunks}
	for range 20 {
		s.Steps = append(s.Steps, Step{ID: len(s.Steps), Round: len(s.Steps) + 1, SrcBuf: In, DstBuf: Out, Count: chunks})
	}
	if f, ok := Check(s).(*Fault); !ok || f.Code != "size" {
		t.Errorf("check: %v", f)
	}
}

func TestAMissingDependencyNamesRankAndChunk(t *testing.T) {
	for _, c := range []struct {
		step        int
		rank, chunk int
	}{
		{1, 0, 0}, // the reduce at the centre waits for the local copy
		{3, 0, 0}, // the return waits, on its source, for the last reduce
	} {
		s := mustBuild(t, Request{AllReduce, "central", 3, 1})
		clone := *s
		clone.Steps = slices.Clone(s.Steps)
		clone.Steps[c.step].Deps = nil
		f, ok := Check(&clone).(*Fault)
		if !ok || f.Code != "missing-dep" || f.Step != c.step || f.Rank != c.rank || f.Chunk != c.chunk {
			t.Errorf("step %d: %+v", c.step, f)
		}
		if !strings.HasPrefix(f.Error(), "step ") || !strings.Contains(f.Error(), "rank 0, chunk 0") {
			t.Errorf("message %q", f.Error())
		}
	}
}

func TestInterpreterGivesTheSum(t *testing.T) {
	add, err := Arithmetic(Float32, Sum)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range Catalog() {
		for _, n := range []int{1, 2, 3, 8} {
			for _, elements := range []int{0, 1, 5, 64, 1001} {
				for _, window := range []int{0, 1, 7} {
					s := mustBuild(t, Request{e.Collective, e.Algorithm, n, 2})
					got := map[int]int{} // rank -> elements seen
					err := Interpret(s, Data{
						Elements: elements, Width: 4, Combine: add, Window: window,
						Input: func(rank, first int, dst []byte) {
							for i := 0; i < len(dst); i += 4 {
								binary.LittleEndian.PutUint32(dst[i:], bits(float32((rank+1)*(first+i/4))))
							}
						},
						Output: func(rank, chunk, first int, data []byte) {
							for i := 0; i < len(data); i += 4 {
								want := bits(float32(n * (n + 1) / 2 * (first + i/4)))
								if v := binary.LittleEndian.Uint32(data[i:]); v != want {
									t.Fatalf("%s/%s n %d: rank %d element %d is %x, want %x", e.Collective, e.Algorithm, n, rank, first+i/4, v, want)
								}
								got[rank]++
							}
						},
					})
					if err != nil {
						t.Fatal(err)
					}
					for rank := range n {
						if got[rank] != elements {
							t.Fatalf("rank %d: %d of %d elements", rank, got[rank], elements)
						}
					}
				}
			}
		}
	}
}

func bits(v float32) uint32 {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, v)
	return binary.LittleEndian.Uint32(b.Bytes())
}
