package schedule

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyRequest draws a request for any executable or shown pair.
func anyRequest(t *rapid.T, maxRanks int) Request {
	e := rapid.SampledFrom(Catalog()).Draw(t, "pair")
	return Request{
		Collective: e.Collective, Algorithm: e.Algorithm,
		Ranks:  rapid.IntRange(e.MinRanks, maxRanks).Draw(t, "ranks"),
		Chunks: rapid.IntRange(0, 5).Draw(t, "chunks"),
	}
}

func mustBuild(t testing.TB, r Request) *Schedule {
	t.Helper()
	s, err := Build(r)
	if err != nil {
		t.Fatalf("build %+v: %v", r, err)
	}
	return s
}

func TestEveryScheduleIsProved(t *testing.T) {
	for _, e := range Catalog() {
		for n := 1; n <= 64; n++ {
			for _, k := range []int{1, 2, 3} {
				s := mustBuild(t, Request{e.Collective, e.Algorithm, n, k})
				if err := Check(s); err != nil {
					t.Fatalf("%s/%s, %d ranks, %d chunks: %v", e.Collective, e.Algorithm, n, k, err)
				}
			}
		}
	}
}

func TestLargestSchedulesAreProved(t *testing.T) {
	if testing.Short() {
		t.Skip("three million steps: left out with -short")
	}
	for _, e := range Catalog() {
		s := mustBuild(t, Request{e.Collective, e.Algorithm, e.MaxRanks, 1})
		if err := Check(s); err != nil {
			t.Errorf("%s/%s, %d ranks: %v", e.Collective, e.Algorithm, e.MaxRanks, err)
		}
	}
}

func TestClosedFormsEqualTheTraffic(t *testing.T) {
	for _, e := range Catalog() {
		for n := e.MinRanks; n <= 64; n++ {
			for _, k := range []int{1, 3} {
				s := mustBuild(t, Request{e.Collective, e.Algorithm, n, k})
				traffic := s.Traffic()
				// S in chunks, so that bytes come out in chunks.
				vars := Vars{"n": float64(n), "k": float64(k), "S": float64(s.Chunks)}
				for _, form := range []struct {
					name string
					expr Expr
					want int
				}{
					{"rounds", e.Rounds, s.Rounds()}, {"messages", e.Messages, traffic.Messages},
					{"sent", e.Sent, busiest(traffic.Sent)}, {"received", e.Received, busiest(traffic.Received)},
				} {
					got, err := form.expr.Eval(vars)
					if err != nil || math.Abs(got-float64(form.want)) > 1e-9*float64(form.want) {
						t.Errorf("%s/%s, n %d, k %d: %s %s = %v, %v; the schedule has %d", e.Collective, e.Algorithm, n, k, form.name, form.expr, got, err, form.want)
					}
				}
			}
		}
	}
}

func busiest(chunks []int) int {
	most := 0
	for _, c := range chunks {
		most = max(most, c)
	}
	return most
}

func TestTermsNameThePhasesInOrder(t *testing.T) {
	for _, e := range Catalog() {
		s := mustBuild(t, Request{e.Collective, e.Algorithm, 5, 1})
		if len(s.Phases) != len(e.Terms) {
			t.Fatalf("%s/%s has %d phases and %d terms", e.Collective, e.Algorithm, len(s.Phases), len(e.Terms))
		}
		next := 1
		for i, p := range s.Phases {
			if e.Terms[i].Phase != p.Key || p.First != next {
				t.Errorf("%s/%s: phase %+v, term %q; phases follow one another from round 1", e.Collective, e.Algorithm, p, e.Terms[i].Phase)
			}
			next = p.Last + 1
		}
		if next != s.LastRound()+1 {
			t.Errorf("%s/%s: phases end at round %d of %d", e.Collective, e.Algorithm, next-1, s.LastRound())
		}
	}
}

func TestInvariantsHoldWhenTheirPhaseEnds(t *testing.T) {
	for _, e := range Catalog() {
		for n := 1; n <= 9; n++ {
			s := mustBuild(t, Request{e.Collective, e.Algorithm, n, 2})
			st := newState(s)
			phase := 0
			for i := range s.Steps {
				if f := st.apply(i); f != nil {
					t.Fatal(f)
				}
				if i+1 < len(s.Steps) && s.Steps[i+1].Round <= s.Phases[phase].Last {
					continue
				}
				if !st.Satisfies(s.Phases[phase].Invariant) {
					t.Errorf("%s/%s, %d ranks: %s does not hold after phase %s", e.Collective, e.Algorithm, n, s.Phases[phase].Invariant, s.Phases[phase].Key)
				}
				phase++
			}
		}
	}
}

func TestRingOwnsItsBlockInTheMiddle(t *testing.T) {
	s := mustBuild(t, Request{AllReduce, "ring", 4, 1})
	for position, st := range s.Walk() {
		for rank := range 4 {
			// After reduce-scatter (three counted rounds) rank r holds block r and no other.
			if got := st.Final(rank, rank); got != (position >= 3) {
				t.Errorf("after round %d rank %d holds its block: %v", position, rank, got)
			}
		}
	}
}

func TestWalkYieldsEveryCountedRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := Build(anyRequest(t, 12))
		if err != nil {
			t.Fatal(err)
		}
		positions := 0
		var last *State
		for position, st := range s.Walk() {
			if position != positions {
				t.Fatalf("position %d follows %d", position, positions-1)
			}
			positions, last = positions+1, st
		}
		if positions != s.Rounds()+1 {
			t.Fatalf("%d positions for %d rounds", positions, s.Rounds())
		}
		for rank := range s.Ranks {
			for chunk := range s.BufChunks(rank, Out) {
				if !last.Final(rank, chunk) {
					t.Fatalf("rank %d chunk %d is not final at the end", rank, chunk)
				}
			}
		}
	})
}

func TestCentralCollectsThenReturns(t *testing.T) {
	s := mustBuild(t, Request{AllReduce, "central", 3, 1})
	if got := s.Traffic(); got.Messages != 4 || got.Received[0] != 2 || got.Sent[0] != 2 || got.Sent[1] != 1 {
		t.Errorf("traffic %+v", got)
	}
	if s.Rounds() != 2 || s.LastRound() != 3 {
		t.Errorf("%d counted rounds of %d; want 2 of 3", s.Rounds(), s.LastRound())
	}
}

func TestBuildRefuses(t *testing.T) {
	for _, c := range []struct {
		r           Request
		field, want string
	}{
		{Request{"allreduce", "ring", 4, 0}, "collective", "all-reduce"},
		{Request{AllReduce, "rings", 4, 0}, "algorithm", "central, ring"},
		{Request{AllReduce, "ring", 0, 0}, "ranks", "1 to 1024"},
		{Request{AllReduce, "ring", 1025, 0}, "ranks", "1 to 1024"},
		{Request{AllReduce, "ring", 4, -1}, "chunks", "1 or more"},
		{Request{AllReduce, "ring", 1024, 1 << 60}, "chunks", "1 to 8"},
	} {
		_, err := Build(c.r)
		var bad *RequestError
		if !errors.As(err, &bad) || bad.Field != c.field || !strings.Contains(bad.Message, c.want) {
			t.Errorf("build %+v: %v; want field %s and %q", c.r, err, c.field, c.want)
		}
	}
}

func TestExpressions(t *testing.T) {
	vars := Vars{"n": 10, "S": 3}
	for text, want := range map[string]float64{
		"2*(n-1)": 18, "ceil(log2(n))": 4, "floor(log2(n))": 3, "min(n, 4)+max(n, 4)": 14, "(n-1)/n*S": 2.7,
	} {
		if got, err := expression(text).Eval(vars); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"m", "sqrt(n)", "n % 2", "log2(n, n)", "-n"} {
		if got, err := expression(text).Eval(vars); err == nil {
			t.Errorf("%s = %v; want an error", text, got)
		}
	}
	if _, err := (Expr{}).Eval(vars); err == nil {
		t.Error("an empty expression has a value")
	}
}

func TestChunksTileTheBuffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		k := rapid.IntRange(1, 5).Draw(t, "k")
		c := rapid.SampledFrom(Collectives()).Draw(t, "collective")
		if c == Barrier {
			return
		}
		s := &Schedule{Collective: c, Ranks: n, Chunks: k}
		elements := rapid.IntRange(0, 50).Draw(t, "elements")
		if c.Blocks() {
			s.Chunks, elements = n*k, elements*n
		}
		at := 0
		for i := range s.Chunks {
			if s.ChunkStart(elements, i) != at {
				t.Fatalf("chunk %d begins at %d, want %d", i, s.ChunkStart(elements, i), at)
			}
			at += s.ChunkLen(elements, i)
		}
		if at != elements {
			t.Fatalf("chunks hold %d of %d elements", at, elements)
		}
	})
}
