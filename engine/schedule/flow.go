package schedule

import "iter"

// flow is a run of chunks on their way through a tree, one behind the other:
// a chunk takes a level a round, and the next one is a round behind it.
type flow struct {
	tree         tree
	first, count int    // chunks
	inner        []bool // ranks with children
}

// flow returns the flow of count chunks through a tree of ranks.
func (b *builder) flow(t tree, first, count int) flow {
	return flow{t, first, count, t.inner(b.s.Ranks)}
}

// rounds returns how many rounds it takes until all chunks are through.
func (f flow) rounds() int {
	if len(f.tree) == 0 || f.count == 0 {
		return 0
	}
	return len(f.tree) + f.count - 1
}

// down yields the branches in use in a round, counted from 0, on the way from
// the root to the leaves, with the chunk that each carries; the chunk that has
// come farthest first.
func (f flow) down(round int) iter.Seq2[branch, int] {
	return func(yield func(branch, int) bool) {
		for i := min(round, len(f.tree)-1); i >= max(0, round-f.count+1); i-- {
			for _, b := range f.tree[i] {
				if !yield(b, f.first+round-i) {
					return
				}
			}
		}
	}
}

// up yields the same for the way from the leaves to the root.
func (f flow) up(round int) iter.Seq2[branch, int] {
	return func(yield func(branch, int) bool) {
		last := len(f.tree) - 1
		for i := max(0, last-round); i <= min(last, last-round+f.count-1); i++ {
			for _, b := range f.tree[i] {
				if !yield(b, f.first+round-(last-i)) {
					return
				}
			}
		}
	}
}

// broadcastRound plays one round of a broadcast of the root's in.
func (b *builder) broadcastRound(round int, flows ...flow) {
	for _, f := range flows {
		for e, chunk := range f.down(round) {
			from := Out
			if e.parent == b.s.Root {
				from = In
			}
			b.copy(place{e.parent, from, chunk}, place{e.child, Out, chunk}, 1)
		}
	}
}

// copyOwn begins a reduction along the flows: the root adds up in out, inner
// ranks in tmp, and a leaf has nothing to add to its in. One copy a chunk, so
// that each is as long as the message that is added to it and slices line up.
func (b *builder) copyOwn(flows ...flow) {
	for _, f := range flows {
		for r, inner := range f.inner {
			if !inner && r != b.s.Root {
				continue
			}
			for chunk := f.first; chunk < f.first+f.count; chunk++ {
				b.copy(place{r, In, chunk}, b.sum(f, r, chunk), 1)
			}
		}
	}
}

// sum returns where a rank's sum of a chunk is.
func (b *builder) sum(f flow, rank, chunk int) place {
	switch {
	case rank == b.s.Root:
		return place{rank, Out, chunk}
	case f.inner[rank]:
		return place{rank, Tmp, chunk}
	}
	return place{rank, In, chunk}
}

// reduceRound plays one round of a reduction to the root.
func (b *builder) reduceRound(round int, flows ...flow) {
	for _, f := range flows {
		for e, chunk := range f.up(round) {
			b.reduce(b.sum(f, e.child, chunk), b.sum(f, e.parent, chunk), 1)
		}
	}
}

// fromRoot returns t over all ranks, with label 0 for the root.
func (b *builder) fromRoot(t tree) tree {
	return t.relabel(func(v int) int { return (b.s.Root + v) % b.s.Ranks })
}

// nodeTrees returns a binomial tree over the leaders of all nodes and the
// binomial trees of the nodes under their leaders, level by level, each level
// of one distance. The root leads its node, and the other nodes follow in turn.
// With a power of two of ranks a node, both together are the binomial tree over
// all ranks.
func (b *builder) nodeTrees() (across, inNode tree) {
	at, root := b.nodes(), b.s.Root
	home, _ := at.of(root)
	across = binomialTree(at.count()).relabel(func(v int) int {
		return at.leader((home+v)%at.count(), root)
	})
	inNode = make(tree, len(binomialTree(at.rails())))
	for node := range at.count() {
		size, first := at.size(node), at.first(node)
		lead := at.leader(node, root) - first
		levels := binomialTree(size).relabel(func(v int) int { return first + (lead+v)%size })
		skip := len(inNode) - len(levels) // a short node may have fewer: those of the largest distances are not there
		for i, level := range levels {
			inNode[skip+i] = append(inNode[skip+i], level...)
		}
	}
	return across, inNode
}
