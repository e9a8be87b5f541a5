package schedule

// State is what every chunk of every rank holds at one moment.
type State struct {
	schedule *Schedule
	cells    cells
	held     []int32 // value number of each cell
	values   *values
	writer   []int32 // index + 1 of the step that last wrote the cell
}

// newState returns the state before the first round.
func newState(s *Schedule) *State {
	st := &State{schedule: s, cells: newCells(s)}
	pieces := make([]int, s.Ranks)
	for rank := range pieces {
		pieces[rank] = st.cells.sizes[rank][In]
	}
	st.values = newValues(s.Collective == Barrier, pieces)
	st.held, st.writer = make([]int32, st.cells.total), make([]int32, st.cells.total)
	for rank := range s.Ranks {
		for chunk := range st.cells.sizes[rank][In] {
			st.held[st.cells.at(rank, In, chunk)] = st.values.leaf(rank, chunk)
		}
	}
	return st
}

// Holds returns what a chunk holds, nil for nothing. Chunks outside the buffer
// hold nothing.
func (st *State) Holds(rank int, buf Buf, chunk int) []Contribution {
	if rank < 0 || rank >= st.schedule.Ranks || chunk < 0 || chunk >= st.cells.sizes[rank][buf] {
		return nil
	}
	id := st.held[st.cells.at(rank, buf, chunk)]
	if id == 0 {
		return nil
	}
	return st.values.contributions(id)
}

// Final reports whether rank's out chunk holds what it must hold at the end.
func (st *State) Final(rank, chunk int) bool {
	if chunk < 0 || chunk >= st.cells.sizes[rank][Out] {
		return false
	}
	return st.final(rank, chunk, st.held[st.cells.at(rank, Out, chunk)])
}

func (st *State) final(rank, chunk int, id int32) bool {
	from, piece, everyone := st.schedule.result(rank, chunk)
	if everyone {
		return st.values.complete(id, piece, st.schedule.Ranks)
	}
	return st.values.is(id, from, piece)
}

// apply plays the step at index. Because no chunk is both read and written in
// a round, playing the steps of a round one after the other is the same as
// playing them at once.
func (st *State) apply(index int) *Fault {
	step := &st.schedule.Steps[index]
	for i := range step.Count {
		value := int32(0)
		for j, rank := range step.Sources() {
			held := st.held[st.cells.at(rank, step.SrcBuf, step.SrcChunk+i)]
			if held == 0 {
				return atStep("missing-data", step, rank, step.SrcChunk+i,
					"reads %s chunk %d of rank %d, which holds nothing", step.SrcBuf, step.SrcChunk+i, rank)
			}
			if j == 0 {
				value = held
			} else {
				value = st.values.combine(value, held, index)
			}
		}
		if st.values.full {
			return atStep("size", step, -1, -1, "mixes more contributions than can be followed: %d", maxRuns)
		}
		for _, rank := range step.Destinations() {
			cell := st.cells.at(rank, step.DstBuf, step.DstChunk+i)
			if step.Op == Reduce {
				if st.held[cell] == 0 {
					return atStep("reduce-into-nothing", step, rank, step.DstChunk+i,
						"reduces into %s chunk %d of rank %d, which holds nothing; the first contribution is a copy", step.DstBuf, step.DstChunk+i, rank)
				}
				st.held[cell] = st.values.combine(st.held[cell], value, index)
			} else {
				st.held[cell] = value
			}
			st.writer[cell] = int32(index) + 1
		}
	}
	return nil
}

// Satisfies reports whether i holds in this state.
func (st *State) Satisfies(i Invariant) bool {
	s := st.schedule
	n, k, root := s.Ranks, s.Chunks/s.Ranks, max(s.Root, 0)
	switch {
	case i == OwnBlock && s.Chunks%n != 0:
		return false // there are no equal blocks
	case (i == LeadersHoldAll || i == LeadersHoldNode || i == NodesHoldAll || i == NodesHoldSums) && s.RanksPerNode == 0:
		return false // there are no nodes
	}
	holds := func(rank int, buf Buf, first, count int) bool {
		for chunk := first; chunk < first+count; chunk++ {
			if chunk >= st.cells.sizes[rank][buf] || !st.final(rank, chunk, st.held[st.cells.at(rank, buf, chunk)]) {
				return false
			}
		}
		return true
	}
	if i == NodesHoldSums {
		return st.nodesHoldSums()
	}
	if i == NodesHoldAll {
		return st.nodesHoldAll(nodes{n, s.RanksPerNode})
	}
	if i == TogetherHoldAll {
		return st.nodesHoldAll(nodes{n, n})
	}
	for rank := range n {
		all := st.cells.sizes[rank][Out]
		switch {
		case i == RootHoldsAll && rank == root && !holds(rank, Out, 0, all),
			i == OwnBlock && all > k && !holds(rank, Out, (rank-root+n)%n*k, k),
			i == OwnBlock && all == k && !holds(rank, Out, 0, all),
			i == OwnBlock && all == 0 && !holds(rank, Tmp, (rank-root+n)%n*k, k),
			i == EveryoneHolds && !holds(rank, Out, 0, all),
			i == LeadersHoldAll && st.leads(rank) && !holds(rank, Out, 0, all),
			i == LeadersHoldNode && st.leads(rank) && !st.holdsNode(rank):
			return false
		}
	}
	return true
}

// nodesHoldAll reports whether, in every node, each chunk of out is complete on
// some rank.
func (st *State) nodesHoldAll(at nodes) bool {
	for node := range at.count() {
		first, size := at.first(node), at.size(node)
		for chunk := range st.schedule.Chunks {
			held := false
			for rank := first; rank < first+size && !held; rank++ {
				held = st.Final(rank, chunk)
			}
			if !held {
				return false
			}
		}
	}
	return true
}

// leads reports whether rank is the leader of its node.
func (st *State) leads(rank int) bool {
	at := nodes{st.schedule.Ranks, st.schedule.RanksPerNode}
	node, _ := at.of(rank)
	return at.leader(node, max(st.schedule.Root, 0)) == rank
}

// holdsNode reports whether rank holds, of every chunk, the contribution of
// each rank of its node once, together in one of its buffers.
func (st *State) holdsNode(rank int) bool {
	for chunk := range st.schedule.Chunks {
		if !st.holdsNodeChunk(rank, chunk) {
			return false
		}
	}
	return true
}

// nodesHoldSums reports whether, in every node, some rank holds each chunk so.
func (st *State) nodesHoldSums() bool {
	at := nodes{st.schedule.Ranks, st.schedule.RanksPerNode}
	for node := range at.count() {
		first, size := at.first(node), at.size(node)
		for chunk := range st.schedule.Chunks {
			held := false
			for rank := first; rank < first+size && !held; rank++ {
				held = st.holdsNodeChunk(rank, chunk)
			}
			if !held {
				return false
			}
		}
	}
	return true
}

// holdsNodeChunk reports whether one of rank's buffers holds the contribution
// of each rank of its node to chunk, a chunk of the full buffer, once.
func (st *State) holdsNodeChunk(rank, chunk int) bool {
	s := st.schedule
	at := nodes{s.Ranks, s.RanksPerNode}
	node, _ := at.of(rank)
	in := func(buf Buf, index int) bool {
		if index < 0 || index >= st.cells.sizes[rank][buf] {
			return false
		}
		id := st.held[st.cells.at(rank, buf, index)]
		for r := at.first(node); r < at.first(node)+at.size(node); r++ {
			if id == 0 || st.values.times(id, r, chunk) != 1 {
				return false
			}
		}
		return true
	}
	own := chunk
	if s.Collective == ReduceScatter {
		own -= rank * s.ChunksPerBlock() // its out is its own block only
	}
	return in(In, chunk) || in(Out, own) || in(Tmp, chunk)
}
