package present

import (
	"lockstep/engine/schedule"
	"lockstep/views/draw"
)

// trees are those that a schedule's messages run along, read from its steps:
// one, or two where chunks take different ways.
type trees struct {
	parents [][]int     // by tree, then rank; draw.NoParent for a root and for who is not in it
	of      map[int]int // the tree of a chunk
}

// edge joins two ranks; low is the lower.
type edge struct{ low, high int }

func between(a, b int) edge { return edge{min(a, b), max(a, b)} }

// maxTrees is how many trees a stage tells apart.
const maxTrees = 2

// readTrees finds them: the edges of a chunk go to the first tree in which
// they close no circle. Where that takes more trees than can be drawn, one
// tree holds what edges it can.
func readTrees(s *schedule.Schedule) trees {
	var chunks []int // in the order in which they first move
	edges := map[int][]edge{}
	seen := map[int]map[edge]bool{}
	heard := map[int]map[int]int{} // by chunk: the round of each rank's last message
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Local() || step.Op > schedule.Reduce {
			continue
		}
		first := step.SrcChunk
		if step.SrcBuf == schedule.Tmp && step.DstBuf != schedule.Tmp {
			first = step.DstChunk
		}
		for chunk := first; chunk < first+step.Count; chunk++ {
			if seen[chunk] == nil {
				chunks = append(chunks, chunk)
				seen[chunk], heard[chunk] = map[edge]bool{}, map[int]int{}
			}
			if e := between(step.Src, step.Dst); !seen[chunk][e] {
				seen[chunk][e] = true
				edges[chunk] = append(edges[chunk], e)
			}
			heard[chunk][step.Dst] = step.Round
		}
	}
	t := trees{of: map[int]int{}}
	var forests []*forest
	for _, chunk := range chunks {
		at := 0
		for at < len(forests) && !forests[at].take(edges[chunk], false) {
			at++
		}
		if at == len(forests) {
			forests = append(forests, newForest(s.Ranks))
			forests[at].take(edges[chunk], true)
		}
		t.of[chunk] = at
		forests[at].hear(heard[chunk])
	}
	if len(forests) > maxTrees {
		t.of = map[int]int{}
		one := newForest(s.Ranks)
		for _, chunk := range chunks {
			one.take(edges[chunk], true)
			one.hear(heard[chunk])
		}
		forests = []*forest{one}
	}
	for _, f := range forests {
		t.parents = append(t.parents, f.parents(s.Root))
	}
	return t
}

// along is the tree that a message runs along.
func (t trees) along(src, dst, chunk int) int {
	in := func(tree int) bool { return t.parents[tree][src] == dst || t.parents[tree][dst] == src }
	if tree, known := t.of[chunk]; known && in(tree) {
		return tree
	}
	for tree := range t.parents {
		if in(tree) {
			return tree
		}
	}
	return 0
}

// forest is edges without circles.
type forest struct {
	group []int // by rank: a rank of the same tree, in the end the same for all of it
	edges []edge
	has   map[edge]bool
	last  []int // by rank: the round in which it last received, 0 for never
}

func newForest(ranks int) *forest {
	f := &forest{group: make([]int, ranks), has: map[edge]bool{}, last: make([]int, ranks)}
	for rank := range f.group {
		f.group[rank] = rank
	}
	return f
}

func (f *forest) find(rank int) int {
	for f.group[rank] != rank {
		rank = f.group[rank]
	}
	return rank
}

// take adds edges. Where one would close a circle it adds none of them and
// returns false, or, with partly, leaves out only that one.
func (f *forest) take(edges []edge, partly bool) bool {
	before, count := append([]int(nil), f.group...), len(f.edges)
	for _, e := range edges {
		if f.has[e] {
			continue
		}
		a, b := f.find(e.low), f.find(e.high)
		switch {
		case a != b:
			f.group[a], f.has[e] = b, true
			f.edges = append(f.edges, e)
		case !partly:
			for _, added := range f.edges[count:] {
				delete(f.has, added)
			}
			f.group, f.edges = before, f.edges[:count]
			return false
		}
	}
	return true
}

func (f *forest) hear(last map[int]int) {
	for rank, round := range last {
		f.last[rank] = max(f.last[rank], round)
	}
}

// parents hangs the forest up at its roots: the given one, else in each tree
// the rank that is the first to need nothing more from anyone.
func (f *forest) parents(root int) []int {
	near := make([][]int, len(f.group))
	for _, e := range f.edges {
		near[e.low], near[e.high] = append(near[e.low], e.high), append(near[e.high], e.low)
	}
	roots := map[int]int{} // by group
	for rank := range f.group {
		group := f.find(rank)
		if best, known := roots[group]; !known || f.last[rank] < f.last[best] {
			roots[group] = rank
		}
	}
	if root >= 0 {
		roots[f.find(root)] = root
	}
	parents := make([]int, len(f.group))
	for rank := range parents {
		parents[rank] = draw.NoParent
	}
	var hang func(rank, above int)
	hang = func(rank, above int) {
		parents[rank] = above
		for _, child := range near[rank] {
			if child != above {
				hang(child, rank)
			}
		}
	}
	for rank := range f.group {
		if roots[f.find(rank)] == rank {
			hang(rank, draw.NoParent)
		}
	}
	return parents
}
