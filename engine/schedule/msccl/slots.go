package msccl

import "lockstep/engine/schedule"

// slots hands out the chunks of the ranks' tmp. Chunks of a block are not all
// equally long, so a slot is for one residue: the place in its block of what
// it holds.
type slots struct {
	residues int
	most     int // chunks of one rank's tmp
	ranks    []pool
}

type pool struct {
	free map[int32][]int32 // by residue
	made map[int32]int32
}

func newSlots(s *schedule.Schedule) *slots {
	return &slots{s.ChunksPerBlock(), schedule.MaxCells/s.Ranks - 2*s.Chunks, make([]pool, s.Ranks)}
}

// resting is how many free slots of a residue are left alone. A slot that was
// just sent from cannot be written in the same round; where sums pass through
// a rank at one a round, two more let the next begin in time.
const resting = 2

// take returns a slot of a rank, the one that has been free for longest; false
// where tmp would get too large to be checked.
func (s *slots) take(rank, residue int32) (place, bool) {
	p := &s.ranks[rank]
	if list := p.free[residue]; len(list) > resting {
		p.free[residue] = list[1:]
		return place{schedule.Tmp, list[0]}, true
	}
	if p.made == nil {
		p.free, p.made = map[int32][]int32{}, map[int32]int32{}
	}
	chunk := int(p.made[residue])*s.residues + int(residue)
	if chunk >= s.most {
		return nowhere, false
	}
	p.made[residue]++
	return place{schedule.Tmp, int32(chunk)}, true
}

// give takes a slot back.
func (s *slots) give(rank int32, at place) {
	p := &s.ranks[rank]
	residue := at.chunk % int32(s.residues)
	p.free[residue] = append(p.free[residue], at.chunk)
}
