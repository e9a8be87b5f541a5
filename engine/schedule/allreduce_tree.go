package schedule

// treeAllReduce adds up the chunks of each flow on the way to its tree's root
// and sends the sums back the way they came. A chunk turns round in the round
// after it has reached the root, whatever the others do. All sums are in out,
// which every rank has; a leaf sends its in.
func (b *builder) treeAllReduce(flows ...flow) {
	steps, levels, rounds := 0, 0, 0 // rounds one way
	for _, f := range flows {
		steps += 3 * b.s.Ranks * f.count
		levels, rounds = max(levels, len(f.tree)), max(rounds, f.rounds())
	}
	b.begin(steps, 0)
	b.nextRound()
	if b.s.Ranks == 1 {
		b.phase("reduce", EveryoneHolds)
		b.copy(place{0, In, 0}, place{0, Out, 0}, b.s.Chunks)
		return
	}
	b.phase("reduce", TogetherHoldAll)
	for _, f := range flows {
		for r, inner := range f.inner {
			for chunk := f.first; inner && chunk < f.first+f.count; chunk++ {
				b.copy(place{r, In, chunk}, place{r, Out, chunk}, 1)
			}
		}
	}
	for round := range rounds + levels {
		b.nextRound()
		if round == rounds {
			b.phase("broadcast", EveryoneHolds)
		}
		for _, f := range flows {
			for e, chunk := range f.up(round) {
				from := Out
				if !f.inner[e.child] {
					from = In
				}
				b.reduce(place{e.child, from, chunk}, place{e.parent, Out, chunk}, 1)
			}
			for e, chunk := range f.down(round - levels) {
				b.copy(place{e.parent, Out, chunk}, place{e.child, Out, chunk}, 1)
			}
		}
	}
}
