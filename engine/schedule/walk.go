package schedule

import "iter"

// Walk yields the state after each counted round s = 0..Rounds(), together
// with the local-only rounds that follow it; s = 0 is the start including the
// leading local rounds. The State is reused: read it before the next. The
// schedule must have passed Check; a walk stops at a step that reads nothing.
func (s *Schedule) Walk() iter.Seq2[int, *State] {
	return func(yield func(int, *State) bool) {
		st := newState(s)
		position := 0
		for i := 0; i < len(s.Steps); {
			end, counted := s.round(i)
			if counted {
				if !yield(position, st) {
					return
				}
				position++
			}
			for ; i < end; i++ {
				if st.apply(i) != nil {
					return
				}
			}
		}
		yield(position, st)
	}
}

// round returns the index behind the round that begins at index i, and
// whether it is counted.
func (s *Schedule) round(i int) (end int, counted bool) {
	round := s.Steps[i].Round
	for end = i; end < len(s.Steps) && s.Steps[end].Round == round; end++ {
		counted = counted || !s.Steps[end].Local()
	}
	return end, counted
}
