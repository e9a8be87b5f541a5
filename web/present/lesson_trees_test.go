package present

import (
	"fmt"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/views/draw"
)

// The trees of every pair that is drawn as one are read from its steps: they
// hang below the root, hold everyone, and messages run along them.
func TestTreesAreReadFromTheSchedule(t *testing.T) {
	for _, e := range schedule.Catalog() {
		if e.Layout != schedule.Tree {
			continue
		}
		for _, n := range []int{2, 3, 8, 13, 33, 64} {
			root := 0
			if e.Collective.Rooted() {
				root = n / 3
			}
			name := fmt.Sprintf("%s/%s over %d ranks", e.Collective, e.Algorithm, n)
			s, err := schedule.Build(schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n, Root: root})
			if err != nil {
				t.Fatal(err)
			}
			trees := readTrees(s)
			if double := e.Algorithm == "double-binary-tree" && n > 2; double != (len(trees.parents) == 2) {
				t.Errorf("%s: %d trees", name, len(trees.parents))
			}
			for tree, parents := range trees.parents {
				for rank := range n {
					at, steps := rank, 0
					for parents[at] != draw.NoParent && steps <= n {
						at, steps = parents[at], steps+1
					}
					if e.Collective.Rooted() && at != root {
						t.Errorf("%s, tree %d: rank %d hangs below rank %d", name, tree, rank, at)
					}
				}
			}
			for i := range s.Steps {
				step := &s.Steps[i]
				if step.Local() {
					continue
				}
				parents := trees.parents[trees.along(step.Src, step.Dst, step.SrcChunk)]
				if parents[step.Src] != step.Dst && parents[step.Dst] != step.Src {
					t.Errorf("%s: the step %d → %d is along no tree", name, step.Src, step.Dst)
					break
				}
			}
		}
	}
}
