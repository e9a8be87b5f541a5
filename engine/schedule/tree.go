package schedule

import "math/bits"

// branch of a tree: between a rank and one of its children.
type branch struct{ parent, child int }

// tree lists its branches by level: those of level i carry the first chunk in
// the (i+1)-th round of the way down, and in the (i+1)-th from the end of the
// way up. A rank's own branch stands on a level above those to its children.
type tree [][]branch

// binomialTree returns the binomial tree over labels 0 to n-1, rooted at 0,
// far first: on the level of distance d, from the largest power of two below n
// down to 1, every multiple v of 2d has v+d for a child. Label v is at the
// head of the range [v, v + its lowest one-bit), so subtrees are ranges. The
// tree has ceil(log2 n) levels; the longest path is floor(log2 n) long.
func binomialTree(n int) tree {
	var t tree
	for d := reach(n) / 2; d > 0; d /= 2 {
		var level []branch
		for v := 0; v+d < n; v += 2 * d {
			level = append(level, branch{v, v + d})
		}
		t = append(t, level)
	}
	return t
}

// subtree returns how many labels there are in the binomial tree's subtree at
// label v: all of [v, v+subtree).
func subtree(v, n int) int {
	if v == 0 {
		return n
	}
	return min(v&-v, n-v)
}

// binaryTree returns NCCL's binary tree over labels 0 to n-1 (ncclGetBtree in
// its trees.cc), rooted at 0. Label v with lowest one-bit d hangs between the
// labels v-d and v+d, under that of the two which has the lowest one-bit 2d,
// or under v-d where that one does not exist; so odd labels are leaves and in
// order. The root has one child, the others at most two. The level of a branch
// is its depth, and there are ceil(log2 n) of them.
func binaryTree(n int) tree {
	parent := func(v int) int {
		d := v & -v
		if up := (v ^ d) | d<<1; up < n {
			return up
		}
		return v ^ d
	}
	t := make(tree, bits.Len(uint(max(n-1, 0))))
	depth := make([]int, n)
	// A parent has a higher lowest bit than its child.
	for d := reach(n) / 2; d > 0; d /= 2 {
		for v := d; v < n; v += 2 * d {
			up := parent(v)
			depth[v] = depth[up] + 1
			t[depth[up]] = append(t[depth[up]], branch{up, v})
		}
	}
	return t
}

// binaryTrees returns NCCL's double binary tree over n labels: two binary
// trees such that hardly any label passes on data in both, so that with half
// of the data in each, all ports are used (ncclGetDtree; Sanders, Speck and
// Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and
// scan", 2009). The second is the first in the mirror where n is even, and
// moved on by one label where it is odd. Roots are 0 and n-1, or 0 and 1.
func binaryTrees(n int) [2]tree {
	first := binaryTree(n)
	second := first.relabel(func(v int) int {
		if n%2 == 0 {
			return n - 1 - v
		}
		return (v + 1) % n
	})
	return [2]tree{first, second}
}

// chainTree returns the chain of labels 0 to n-1: a tree of one branch a level.
func chainTree(n int) tree {
	var t tree
	for v := range n - 1 {
		t = append(t, []branch{{v, v + 1}})
	}
	return t
}

// relabel returns the tree in which label v is called name(v).
func (t tree) relabel(name func(v int) int) tree {
	u := make(tree, len(t))
	for i, level := range t {
		u[i] = make([]branch, len(level))
		for j, b := range level {
			u[i][j] = branch{name(b.parent), name(b.child)}
		}
	}
	return u
}

// root returns the label above all others; a tree without branches has only
// label 0.
func (t tree) root() int {
	if len(t) == 0 {
		return 0
	}
	return t[0][0].parent
}

// inner reports for labels 0 to n-1 whether they have children in t.
func (t tree) inner(n int) []bool {
	has := make([]bool, n)
	for _, level := range t {
		for _, b := range level {
			has[b.parent] = true
		}
	}
	return has
}

// reach returns the smallest power of two that is not below n.
func reach(n int) int { return 1 << bits.Len(uint(max(n-1, 0))) }
