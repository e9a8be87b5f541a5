package present

import "lockstep/engine/schedule"

// holding64 is who has contributed to each cell, for up to 64 ranks.
type holding64 struct {
	who      []uint64 // by rank, then row; for copies 1 where the block is there
	final    []bool
	tmp      []bool // the cell shows scratch space
	transit  []int  // by rank: chunks in scratch space that no cell shows and that are still to go on
	doubled  bool   // some contribution is in some sum twice
	promised bool   // what the current phase promises for its end holds

	amiss *amiss // of a broken schedule; nil for a right one
}

// hold reads a state. A cell shows the furthest that the rank has of a block:
// the result, what it works on in scratch space as long as that is needed, or
// what it has brought along.
func (f *facts) hold(state *schedule.State, phase int, needed []bool) *holding64 {
	s, g := f.schedule, f.grid
	cells := s.Ranks * g.rows
	h := &holding64{who: make([]uint64, cells), final: make([]bool, cells), tmp: make([]bool, cells), transit: make([]int, s.Ranks)}
	put := func(rank, row int, held []schedule.Contribution, tmp, final bool) {
		if len(held) == 0 || row == noRow {
			return
		}
		cell, who := rank*g.rows+row, contributors(held)
		if g.copies {
			who = 1
		}
		for _, part := range held {
			h.doubled = h.doubled || part.Times > 1
		}
		if final || countBits(who) >= countBits(h.who[cell]) && !h.final[cell] {
			h.who[cell], h.tmp[cell] = who, tmp
		}
		h.final[cell] = h.final[cell] || final
	}
	for rank := range s.Ranks {
		for chunk := range s.BufChunks(rank, schedule.In) {
			put(rank, g.in(rank, chunk), state.Holds(rank, schedule.In, chunk), false, false)
		}
		for chunk := range s.TmpChunks {
			if !needed[rank*s.TmpChunks+chunk] {
				continue
			}
			held := state.Holds(rank, schedule.Tmp, chunk)
			if row := g.tmp(held); row == noRow && len(held) > 0 {
				h.transit[rank]++
			} else {
				put(rank, row, held, true, false)
			}
		}
		for chunk := range s.BufChunks(rank, schedule.Out) {
			put(rank, g.out(rank, chunk), state.Holds(rank, schedule.Out, chunk), false, state.Final(rank, chunk))
		}
	}
	h.promised = state.Satisfies(f.phases[phase].invariant)
	return h
}

// liveScratch returns, for each position that keep names, which chunks of
// scratch space, by rank and then by chunk, are read again before they are
// overwritten.
func liveScratch(s *schedule.Schedule, keep func(step int) bool) map[int][]bool {
	live := make([]bool, s.Ranks*s.TmpChunks)
	kept := map[int][]bool{}
	snapshot := func(position int) {
		if keep(position) {
			kept[position] = append([]bool(nil), live...)
		}
	}
	mark := func(rank int, buf schedule.Buf, chunk, count int, needed bool) {
		for i := range count {
			if buf == schedule.Tmp {
				live[rank*s.TmpChunks+chunk+i] = needed
			}
		}
	}
	position := s.Rounds()
	snapshot(position)
	for end := len(s.Steps); end > 0; {
		first, counted := end, false
		for ; first > 0 && s.Steps[first-1].Round == s.Steps[end-1].Round; first-- {
			counted = counted || !s.Steps[first-1].Local()
		}
		round := s.Steps[first:end]
		for i := range round { // what is overwritten is not needed before, unless it is read
			for _, rank := range round[i].Destinations() {
				mark(rank, round[i].DstBuf, round[i].DstChunk, round[i].Count, round[i].Op == schedule.Reduce)
			}
		}
		for i := range round {
			for _, rank := range round[i].Sources() {
				mark(rank, round[i].SrcBuf, round[i].SrcChunk, round[i].Count, true)
			}
		}
		if counted {
			position--
			snapshot(position)
		}
		end = first
	}
	return kept
}
