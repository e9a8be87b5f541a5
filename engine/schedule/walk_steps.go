package schedule

import "iter"

// WalkSteps yields each step's index with the state after it, in ascending ID. A
// rank's chunk holds that value as soon as the step is done there, whatever
// the other ranks have reached: dependencies put the writers of a chunk in
// this order. The State is reused: read it before the next. The schedule must
// have passed Check; a walk stops at a step that reads nothing.
func (s *Schedule) WalkSteps() iter.Seq2[int, *State] {
	return func(yield func(int, *State) bool) {
		st := newState(s)
		for i := range s.Steps {
			if st.apply(i) != nil || !yield(i, st) {
				return
			}
		}
	}
}

// Start returns the state before the first step.
func (s *Schedule) Start() *State { return newState(s) }
