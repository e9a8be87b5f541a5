package schedule

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWalkStepsEndsWhereWalkEnds holds the walk by steps against the one by
// rounds, at the start and at the end of every counted round.
func TestWalkStepsEndsWhereWalkEnds(t *testing.T) {
	for _, algorithm := range []string{"central", "ring"} {
		s := mustBuild(t, Request{Collective: AllReduce, Algorithm: algorithm, Ranks: 5, Chunks: 2})
		held := func(st *State) (all []Contribution) {
			for rank := range s.Ranks {
				for chunk := range s.Chunks {
					all = append(all, st.Holds(rank, Out, chunk)...)
				}
			}
			return all
		}
		if at := held(s.Start()); at != nil {
			t.Errorf("%s starts with %v in out", algorithm, at)
		}
		var last []Contribution
		seen := 0
		for i, st := range s.WalkSteps() {
			if i != seen {
				t.Fatalf("%s: step %d comes as number %d", algorithm, i, seen)
			}
			seen++
			last = held(st)
		}
		if seen != len(s.Steps) {
			t.Errorf("%s: %d of %d steps", algorithm, seen, len(s.Steps))
		}
		var want []Contribution
		for _, st := range s.Walk() {
			want = held(st)
		}
		if diff := cmp.Diff(want, last); diff != "" {
			t.Errorf("%s ends otherwise (-walk +steps):\n%s", algorithm, diff)
		}
	}
}
