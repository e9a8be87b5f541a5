package schedule

import (
	"slices"
	"testing"
)

// The trees of NCCL for 8 labels, and the second for even and for odd numbers.
func TestBinaryTreesByHand(t *testing.T) {
	parents := func(t tree, n int) []int {
		list := make([]int, n)
		list[t.root()] = -1
		for _, level := range t {
			for _, b := range level {
				list[b.child] = b.parent
			}
		}
		return list
	}
	for n, want := range map[int][2][]int{
		1: {{-1}, {-1}},
		2: {{-1, 0}, {1, -1}},
		3: {{-1, 2, 0}, {1, -1, 0}},
		5: {{-1, 2, 4, 2, 0}, {1, -1, 3, 0, 3}},
		8: {{-1, 2, 4, 2, 0, 6, 4, 6}, {1, 3, 1, 7, 5, 3, 5, -1}},
	} {
		for i, tree := range binaryTrees(n) {
			if got := parents(tree, n); !slices.Equal(got, want[i]) {
				t.Errorf("tree %d of %d labels: parents %v, want %v", i+1, n, got, want[i])
			}
		}
	}
}
