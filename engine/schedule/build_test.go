package schedule

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestEveryScheduleIsProved builds and checks every pair for every number of
// ranks to 64, or a sample of numbers; the larger ones take a sample of roots,
// nodes and chunks.
func TestEveryScheduleIsProved(t *testing.T) {
	for _, e := range Catalog() {
		t.Run(string(e.Collective)+"/"+e.Algorithm, func(t *testing.T) {
			t.Parallel()
			for _, n := range numbers(e, 64) {
				list := variants(e, n)
				if n > 20 {
					list = []Request{plainRequest(e, n), list[n*7%len(list)], list[n*31%len(list)]}
				}
				for _, r := range list {
					s := mustBuild(t, r)
					if err := Check(s); err != nil {
						t.Fatalf("%+v: %v", r, err)
					}
					if s.Collective != r.Collective || s.Algorithm != r.Algorithm || s.Ranks != r.Ranks {
						t.Fatalf("%+v gives %s/%s for %d", r, s.Collective, s.Algorithm, s.Ranks)
					}
				}
			}
		})
	}
}

func TestLargestSchedulesAreProved(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("millions of steps: left out with -short and -race")
	}
	for i, e := range Catalog() {
		if !full() && i%12 != 0 {
			continue
		}
		s := mustBuild(t, plainRequest(e, e.MaxRanks))
		if err := Check(s); err != nil {
			t.Errorf("%s/%s, %d ranks: %v", e.Collective, e.Algorithm, e.MaxRanks, err)
		}
	}
}

// Any order that the deps allow gives the result, held against an oracle that
// knows only the table of buffers.
func TestAnyOrderGivesTheResult(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, e := range Catalog() {
		for n := e.MinRanks; n <= 11; n++ {
			list := variants(e, n)
			for range 5 {
				request := list[r.IntN(len(list))]
				s := mustBuild(t, request)
				if err := newOracle(s).playAnyOrder(r); err != nil {
					t.Fatalf("%+v: %v", request, err)
				}
			}
		}
	}
}

func TestClosedFormsEqualTheTraffic(t *testing.T) {
	for _, e := range Catalog() {
		for _, n := range numbers(e, 64) {
			for _, r := range variants(e, n) {
				if r.Root != 0 || n > 20 && r.Chunks > 0 && (r.Chunks+n)%5 != 0 {
					continue // the forms are at root 0; of chunks a sample will do
				}
				s := mustBuild(t, r)
				traffic := s.Traffic()
				for _, form := range []struct {
					name string
					expr Expr
					want int
				}{
					{"rounds", e.Rounds, s.Rounds()}, {"messages", e.Messages, traffic.Messages},
					{"sent", e.Sent, slices.Max(traffic.Sent)}, {"received", e.Received, slices.Max(traffic.Received)},
				} {
					if e.Collective == Barrier && (form.name == "sent" || form.name == "received") {
						form.want = 0 // tokens have no size
					}
					got, err := form.expr.Eval(formVars(s))
					if err != nil || math.Abs(got-float64(form.want)) > 1e-9*float64(form.want) {
						t.Errorf("%+v: %s %s = %v, %v; the schedule has %d", r, form.name, form.expr, got, err, form.want)
					}
				}
			}
		}
	}
}

func TestTermsNameThePhasesInOrder(t *testing.T) {
	for _, e := range Catalog() {
		s := mustBuild(t, plainRequest(e, 5))
		next, last := 1, -1
		for _, p := range s.Phases {
			if p.First != next {
				t.Errorf("%s/%s: phase %+v; phases follow one another from round 1", e.Collective, e.Algorithm, p)
			}
			next = p.Last + 1
		}
		if next != s.LastRound()+1 {
			t.Errorf("%s/%s: phases end at round %d of %d", e.Collective, e.Algorithm, next-1, s.LastRound())
		}
		for _, way := range e.Ways() {
			last = -1
			for _, term := range way {
				at := slices.IndexFunc(s.Phases, func(p Phase) bool { return p.Key == term.Phase })
				if at <= last {
					t.Errorf("%s/%s: the term %q is of no phase, or out of order", e.Collective, e.Algorithm, term.Phase)
				}
				last = at
			}
		}
	}
}

func TestInvariantsHoldWhenTheirPhaseEnds(t *testing.T) {
	for _, e := range Catalog() {
		for n := 1; n <= 9; n++ {
			for i, r := range variants(e, n) {
				if !full() && i%3 != n%3 {
					continue
				}
				s := mustBuild(t, r)
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
						t.Errorf("%+v: %s does not hold after phase %s", r, s.Phases[phase].Invariant, s.Phases[phase].Key)
					}
					phase++
				}
			}
		}
	}
}

func TestRingOwnsItsBlockInTheMiddle(t *testing.T) {
	s := mustBuild(t, Request{Collective: AllReduce, Algorithm: "ring", Ranks: 4, Chunks: 1})
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
	s := mustBuild(t, Request{Collective: AllReduce, Algorithm: "central", Ranks: 3, Chunks: 1})
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
		{Request{Collective: "allreduce", Algorithm: "ring", Ranks: 4, Chunks: 0}, "collective", "all-reduce"},
		{Request{Collective: AllReduce, Algorithm: "rings", Ranks: 4, Chunks: 0}, "algorithm", "central"},
		{Request{Collective: AllReduce, Algorithm: "ring", Ranks: 0, Chunks: 0}, "ranks", "1 to 1024"},
		{Request{Collective: AllReduce, Algorithm: "ring", Ranks: 1025, Chunks: 0}, "ranks", "1 to 1024"},
		{Request{Collective: AllReduce, Algorithm: "ring", Ranks: 4, Chunks: -1}, "chunks", "1 or more"},
		{Request{Collective: AllReduce, Algorithm: "ring", Ranks: 1024, Chunks: 1 << 60}, "chunks", "1 to 8"},
		{Request{Collective: AllReduce, Algorithm: "ring", Ranks: 4, Root: 1}, "root", "no root"},
		{Request{Collective: AllReduce, Algorithm: "ring", Ranks: 4, RanksPerNode: -1}, "ranks_per_node", "1 or more"},
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
	for _, text := range []string{"m", "sqrt(n)", "n % (n-10)", "log2(n, n)"} {
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
