package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestProgramOfTheCentre(t *testing.T) {
	p, err := Compile(mustBuild(t, Request{Collective: AllReduce, Algorithm: "central", Ranks: 3, Chunks: 1}), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []Move{
		{Step: 0, Round: 1, Kind: Here, Peer: 0, DstBuf: Out, Count: 1},
		{Step: 1, Round: 2, Kind: Recv, Op: Reduce, Peer: 1, DstBuf: Out, Count: 1, After: []After{{0, true}}},
		{Step: 2, Round: 2, Kind: Recv, Op: Reduce, Peer: 2, DstBuf: Out, Count: 1, After: []After{{1, true}}},
		{Step: 3, Round: 3, Kind: Send, Peer: 1, SrcBuf: Out, DstBuf: Out, Count: 1, After: []After{{2, true}}},
		{Step: 4, Round: 3, Kind: Send, Peer: 2, SrcBuf: Out, DstBuf: Out, Count: 1, After: []After{{2, true}}},
	}
	if diff := cmp.Diff(want, p.Moves); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSlicesFollowOnlyWhereTheyLineUp(t *testing.T) {
	whole := region{Out, 0, 4, true}
	for _, c := range []struct {
		a, b           region
		shared, sliced bool
	}{
		{whole, region{Out, 0, 4, false}, true, true},
		{whole, region{Out, 1, 2, false}, true, false},
		{whole, region{Out, 2, 4, false}, true, false},
		{whole, region{Out, 4, 4, false}, false, false},
		{whole, region{Tmp, 0, 4, false}, false, false},
		{region{Out, 0, 4, false}, region{Out, 0, 4, false}, false, false},
	} {
		shared, sliced := meet([]region{c.a}, []region{c.b})
		if shared != c.shared || sliced != c.sliced {
			t.Errorf("%+v and %+v: shared %v, sliced %v", c.a, c.b, shared, sliced)
		}
	}
}

// TestProgramsGiveTheResultInAnyOrder runs the ranks' programs as processes
// would: any move whose dependencies are done may go next, messages wait.
func TestProgramsGiveTheResultInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := Build(anyRequest(t, 8))
		if err != nil {
			t.Fatal(err)
		}
		if s.Runnable() != nil {
			return
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		st := newState(s)
		programs := make([]*Program, s.Ranks)
		done := make([][]bool, s.Ranks)
		for rank := range programs {
			if programs[rank], err = Compile(s, rank); err != nil {
				t.Fatal(err)
			}
			done[rank] = make([]bool, len(programs[rank].Moves))
		}
		flying := map[int][]int32{} // step ID -> values that left
		for {
			type turn struct{ rank, move int }
			var ready []turn
			for rank, p := range programs {
				for i, m := range p.Moves {
					free := !done[rank][i]
					for _, a := range m.After {
						free = free && done[rank][a.Move]
					}
					if _, left := flying[m.Step]; m.Kind == Recv && !left {
						free = false
					}
					if free {
						ready = append(ready, turn{rank, i})
					}
				}
			}
			if len(ready) == 0 {
				break
			}
			next := ready[r.IntN(len(ready))]
			m := programs[next.rank].Moves[next.move]
			done[next.rank][next.move] = true
			index := s.Index(m.Step)
			switch m.Kind {
			case Here:
				if f := st.apply(index); f != nil {
					t.Fatal(f)
				}
			case Send:
				for c := range m.Count {
					flying[m.Step] = append(flying[m.Step], st.held[st.cells.at(next.rank, m.SrcBuf, m.SrcChunk+c)])
				}
			case Recv:
				for c, v := range flying[m.Step] {
					cell := st.cells.at(next.rank, m.DstBuf, m.DstChunk+c)
					if m.Op == Reduce {
						v = st.values.combine(st.held[cell], v, index)
					}
					st.held[cell] = v
				}
			}
		}
		if f := checkResult(s, st); f != nil {
			t.Fatal(f)
		}
	})
}
