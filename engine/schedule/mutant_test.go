package schedule

import (
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
		m.drop(i)
		m.renumber()
		heal()
		return &m, "drop"
	case 1:
		m.double(i)
		m.renumber()
		heal()
		return &m, "duplicate"
	case 2:
		elsewhere := func(rank int) int { return (rank + 1 + r.IntN(max(m.Ranks-1, 1))) % m.Ranks }
		switch step.Op {
		case Multicast:
			step.Group = slices.Clone(step.Group)
			g := r.IntN(len(step.Group))
			step.Group[g] = elsewhere(step.Group[g])
		default:
			step.Dst = elsewhere(step.Dst)
		}
		heal()
		return &m, "redirect"
	case 3:
		if r.IntN(2) == 0 {
			step.SrcChunk = (step.SrcChunk + 1) % max(m.Chunks, 2)
		} else {
			step.DstChunk = (step.DstChunk + 1) % max(m.Chunks, 2)
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

// Check refuses every mutant that can go wrong. What it lets pass must be
// right in any order; what it refuses may be harmless (an idle duplicate), and
// the log says how often.
func TestMutantsAreRefused(t *testing.T) {
	each := 25 // of each pair
	if full() {
		each = 100
	}
	for _, e := range Catalog() {
		r := rand.New(rand.NewPCG(7, 11))
		refused, idle, passed, kinds := 0, 0, 0, map[string]int{}
		for range each {
			n := 2 + r.IntN(7)
			list := variants(e, n)
			request := list[r.IntN(len(list))]
			m, kind := mutate(mustBuild(t, request), r)
			if kind == "" {
				continue
			}
			kinds[kind]++
			// A mutant's orders need not all go wrong: a few are tried.
			wrong := false
			if checkHead(m) == nil && checkSteps(m) == nil {
				for range 3 {
					wrong = wrong || newOracle(m).playAnyOrder(r) != nil
				}
			} else {
				wrong = true
			}
			err := Check(m)
			switch f, ok := err.(*Fault); {
			case err == nil && wrong:
				t.Errorf("%+v: a wrong mutant (%s) passes", request, kind)
			case err == nil:
				passed++
			case !ok || f.Message == "":
				t.Fatalf("%s: refused without a reason: %v", kind, err)
			case wrong:
				refused++
			default:
				idle++
			}
		}
		t.Logf("%s/%s: of %d mutants %d wrong ones refused, %d refused that went right in the orders tried, %d harmless ones passed; %v",
			e.Collective, e.Algorithm, each, refused, idle, passed, kinds)
	}
}

func TestFaultsNameWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		break_ func(s *Schedule)
		code   string
		words  string
	}{
		"double": {func(s *Schedule) {
			s.double(1)
			s.settle()
		}, "double-count", "contribution of rank 1 to chunk 0 is counted 2 times"},
		"missing": {func(s *Schedule) {
			s.drop(1)
			s.settle()
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
		s := mustBuild(t, Request{Collective: AllReduce, Algorithm: "central", Ranks: 3, Chunks: 1})
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
		s := mustBuild(t, Request{Collective: AllReduce, Algorithm: "central", Ranks: 3, Chunks: 1})
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
