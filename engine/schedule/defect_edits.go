package schedule

import (
	"iter"
	"slices"
)

// variation is a schedule with an edit in it.
type variation struct {
	schedule *Schedule
	Edit
}

// sites are the indices of the steps at which a defect can be put in, in
// ascending order.
func (s *Schedule) sites(d Defect) []int {
	var sites []int
	round := 0
	for i := range s.Steps {
		step := &s.Steps[i]
		switch {
		case step.Local():
			continue
		case d == Doubled && (step.Op != Reduce || s.Collective == Barrier):
			continue // a copy that comes twice leaves what it left the first time
		case d == Swapped && step.Round == round:
			continue // one site a round
		}
		round = step.Round
		sites = append(sites, i)
	}
	if d == Swapped && len(sites) > 0 {
		return sites[:len(sites)-1] // each changes places with what follows
	}
	return sites
}

// edits are the ways to put a defect in at the step at index i; every schedule
// that comes of it keeps to the shape that steps have.
func (s *Schedule) edits(d Defect, i int) iter.Seq[variation] {
	switch d {
	case Dropped:
		return s.oneEdit(i, func(m *Schedule) int { m.drop(i); return -1 })
	case Doubled:
		return s.oneEdit(i, func(m *Schedule) int { m.double(i); return i + 1 })
	case WrongBlock:
		return s.shifts(i)
	case WrongRank:
		return s.redirects(i)
	}
	return s.swaps(i)
}

// draft returns a copy whose steps and phases can be changed.
func (s *Schedule) draft() *Schedule {
	m := *s
	m.Steps, m.Phases = slices.Clone(s.Steps), slices.Clone(s.Phases)
	return &m
}

// settle makes a changed draft whole again: IDs and rounds without gaps, the
// phases and scratch that are left, dependencies by the rule.
func (s *Schedule) settle() {
	s.renumber()
	s.TmpChunks = 0
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.SrcBuf == Tmp {
			s.TmpChunks = max(s.TmpChunks, step.SrcChunk+step.Count)
		}
		if step.DstBuf == Tmp {
			s.TmpChunks = max(s.TmpChunks, step.DstChunk+step.Count)
		}
	}
	wireDeps(s, newCells(s))
}

// renumber closes gaps in IDs and rounds; a phase without rounds goes.
func (s *Schedule) renumber() {
	round, last := 0, -1
	now := make([]int, s.LastRound()+1) // by old round
	for i := range s.Steps {
		if s.Steps[i].Round != last {
			round, last = round+1, s.Steps[i].Round
			now[last] = round
		}
		s.Steps[i].ID, s.Steps[i].Round = i, round
	}
	var phases []Phase
	for _, p := range s.Phases {
		kept := slices.DeleteFunc(slices.Clone(now[min(p.First, len(now)):min(p.Last+1, len(now))]), func(r int) bool { return r == 0 })
		if len(kept) > 0 {
			p.First, p.Last = kept[0], kept[len(kept)-1]
			phases = append(phases, p)
		}
	}
	s.Phases = phases
}

// drop leaves out the step at index i of a draft.
func (s *Schedule) drop(i int) { s.Steps = slices.Delete(s.Steps, i, i+1) }

// double puts a second step behind the one at index i of a draft.
func (s *Schedule) double(i int) { s.Steps = slices.Insert(s.Steps, i, s.Steps[i]) }

// oneEdit is a single edit: change says at which index the changed step is, -1
// for nowhere.
func (s *Schedule) oneEdit(i int, change func(m *Schedule) int) iter.Seq[variation] {
	return func(yield func(variation) bool) {
		m := s.draft()
		at := change(m)
		m.settle()
		e := variation{m, Edit{Was: s.Steps[i], Position: s.position(i), Phases: [2]int{NoPhase, NoPhase}}}
		if at >= 0 {
			e.Now = m.Steps[at]
		}
		yield(e)
	}
}

// position is the counted round of the step at an index, 0 before the first.
func (s *Schedule) position(index int) int {
	head := *s
	end, _ := s.round(index)
	head.Steps = s.Steps[:end]
	return head.Rounds()
}

// replace yields s with another step at index i, if that keeps to the shape.
func (s *Schedule) replace(i int, step Step, yield func(variation) bool) bool {
	if checkShape(s, &step) != nil {
		return true
	}
	for e := range s.oneEdit(i, func(m *Schedule) int { m.Steps[i] = step; return i }) {
		if !yield(e) {
			return false
		}
	}
	return true
}

// shifts let the step at index i take another block: the next or the one
// before. Where a block keeps its number it goes to that block's own place;
// else to where the right one was to go; and where there is no other to take,
// the right one is put elsewhere.
func (s *Schedule) shifts(i int) iter.Seq[variation] {
	return func(yield func(variation) bool) {
		was, unit := s.Steps[i], 1
		if s.Collective.Blocks() {
			unit = s.ChunksPerBlock()
		}
		keeps := was.SrcChunk%s.Chunks == was.DstChunk%s.Chunks && s.Collective != AllToAll
		for _, by := range []int{-unit, unit} {
			both, taken, put := was, was, was
			both.SrcChunk, both.DstChunk = was.SrcChunk+by, was.DstChunk+by
			taken.SrcChunk, put.DstChunk = was.SrcChunk+by, was.DstChunk+by
			if keeps && !s.replace(i, both, yield) || !s.replace(i, taken, yield) || !s.replace(i, put, yield) {
				return
			}
		}
	}
}

// redirects let the step at index i go to another rank, the neighbours of the
// right one first; where no other has a place for it, it comes from another.
func (s *Schedule) redirects(i int) iter.Seq[variation] {
	return func(yield func(variation) bool) {
		was := s.Steps[i]
		for _, by := range []int{1, s.Ranks - 1, 2} {
			to, from := was, was
			switch was.Op {
			case Multicast:
				g := len(was.Group) / 2
				to.Group = slices.Clone(was.Group)
				to.Group[g] = (was.Group[g] + by) % s.Ranks
			default:
				to.Dst = (was.Dst + by) % s.Ranks
			}
			if !(to.Op <= Reduce && to.Local()) && !s.replace(i, to, yield) {
				return
			}
			if was.Op == NetReduce {
				continue
			}
			from.Src = (was.Src + by) % s.Ranks
			if !from.Local() && s.onlyHome(was) && !s.replace(i, from, yield) {
				return
			}
		}
	}
}

// onlyHome reports whether no other rank has a place for what a step brings.
func (s *Schedule) onlyHome(step Step) bool {
	for rank := range s.Ranks {
		if rank != step.Dst && rank != step.Src && step.DstChunk+step.Count <= s.BufChunks(rank, step.DstBuf) {
			return false
		}
	}
	return true
}

// swaps let the phase of the step at index i change places with the next one
// in which something moves; where that does nothing, or all moves are of one
// phase, its round with the next.
func (s *Schedule) swaps(i int) iter.Seq[variation] {
	return func(yield func(variation) bool) {
		if p, found := s.busyPhase(s.Steps[i].Round); found {
			early, late := s.Phases[p], s.Phases[p+1]
			e := s.swap([2]int{early.First, early.Last}, [2]int{late.First, late.Last})
			e.Phases = [2]int{p, p + 1}
			if !yield(e) {
				return
			}
		}
		rounds := s.movingRounds()
		if next, _ := slices.BinarySearch(rounds, s.Steps[i].Round+1); next < len(rounds) {
			a, b := s.Steps[i].Round, rounds[next]
			yield(s.swap([2]int{a, a}, [2]int{b, b}))
		}
	}
}

// swap lets the rounds of early, first to last, change places with those of
// late, behind them; phases that are these rounds move along.
func (s *Schedule) swap(early, late [2]int) variation {
	m := s.draft()
	longer := (late[1] - late[0]) - (early[1] - early[0]) // so far what lies between moves
	moved := func(round int) int {
		switch {
		case round >= early[0] && round <= early[1]:
			return round + late[1] - early[1]
		case round >= late[0] && round <= late[1]:
			return round + early[0] - late[0]
		case round > early[1] && round < late[0]:
			return round + longer
		}
		return round
	}
	for k := range m.Steps {
		m.Steps[k].Round = moved(m.Steps[k].Round)
	}
	slices.SortStableFunc(m.Steps, func(a, b Step) int { return a.Round - b.Round })
	for p := range m.Phases {
		if span := [2]int{m.Phases[p].First, m.Phases[p].Last}; span == early || span == late {
			m.Phases[p].First, m.Phases[p].Last = moved(span[0]), moved(span[1])
		}
	}
	slices.SortStableFunc(m.Phases, func(a, b Phase) int { return a.First - b.First })
	m.settle()
	e := variation{m, Edit{Early: early, Late: late, Phases: [2]int{NoPhase, NoPhase}}}
	first := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Round >= early[0] && !step.Local() })
	e.Was, e.Position = s.Steps[first], s.position(first)
	return e
}

// busyPhase returns the phase of a round, or the last before it that has a
// next one, where something moves in both.
func (s *Schedule) busyPhase(round int) (int, bool) {
	rounds := s.movingRounds()
	moves := func(p Phase) bool {
		return slices.ContainsFunc(rounds, func(r int) bool { return r >= p.First && r <= p.Last })
	}
	found := NoPhase
	for p := 0; p+1 < len(s.Phases); p++ {
		early, late := s.Phases[p], s.Phases[p+1]
		if late.First == early.Last+1 && moves(early) && moves(late) && (found == NoPhase || early.First <= round) {
			found = p
		}
	}
	return found, found != NoPhase
}

// movingRounds are the raw numbers of the counted rounds, ascending.
func (s *Schedule) movingRounds() []int {
	var rounds []int
	for i := range s.Steps {
		if r := s.Steps[i].Round; !s.Steps[i].Local() && (len(rounds) == 0 || rounds[len(rounds)-1] != r) {
			rounds = append(rounds, r)
		}
	}
	return rounds
}

// Position is the counted round of the step with an ID; 0 for one before the
// first, and where there is no such step.
func (s *Schedule) Position(id int) int {
	if i := s.Index(id); i >= 0 {
		return s.position(i)
	}
	return 0
}
