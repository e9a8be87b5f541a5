package schedule

import (
	"iter"
	"slices"
)

// TroubleKind says what goes wrong while a broken schedule is played.
type TroubleKind uint8

// The kinds of troubles.
const (
	ReadsNothing   TroubleKind = iota // a step reads a chunk in which nothing is
	AddsToNothing                     // a step adds to a chunk in which nothing is
	ReadAndWritten                    // a chunk is read and written in one round
	WrittenTwice                      // a chunk is written twice in one round
	PromiseBroken                     // what a phase promises does not hold at its end
)

// Trouble is something that goes wrong on the way.
type Trouble struct {
	Kind     TroubleKind
	Position int   // the counted round in which, or with which, it happens
	Step     *Step // of the broken schedule; nil for PromiseBroken
	Rank     int
	Buf      Buf
	Chunk    int
	Phase    int // of PromiseBroken: its index
}

// maxTroubles bounds what is kept: one defect of a large schedule can spoil
// thousands of moves.
const maxTroubles = 256

// States are those of a broken schedule and of the right one at the same
// place.
type States struct{ Broken, Right *State }

// Differ reports whether a chunk of a rank does not hold what it holds in the
// right schedule.
func (s States) Differ(rank int, buf Buf, chunk int) bool {
	return !slices.Equal(s.Broken.runs(rank, buf, chunk), s.Right.runs(rank, buf, chunk))
}

func (st *State) runs(rank int, buf Buf, chunk int) []run {
	if chunk >= st.cells.sizes[rank][buf] {
		return nil
	}
	n := st.values.nodes[st.held[st.cells.at(rank, buf, chunk)]]
	return st.values.runs[n.from:n.to]
}

// Walk yields the states after each counted round of the broken schedule, as
// Schedule.Walk does for a right one. All steps of a round see the state before
// it; where nothing is, nothing can be read, and what nothing is added to is
// spoilt. Both are reused: read them before the next.
func (b *Broken) Walk() iter.Seq2[int, States] {
	return func(yield func(int, States) bool) {
		next, stop := iter.Pull2(b.Right.Walk())
		defer stop()
		at, right, _ := next()
		for position, st := range b.walk(nil) {
			for at < b.RightPosition(position) {
				at, right, _ = next()
			}
			if !yield(position, States{st, right}) {
				return
			}
		}
	}
}

// RightPosition is the counted round of the right schedule that one of the
// broken one is held against. They differ where a round has gone with its only
// move; the end is always held against the end.
func (b *Broken) RightPosition(position int) int {
	gone := b.Right.Rounds() - b.Schedule.Rounds()
	if position >= b.Edit.Position || position == b.Schedule.Rounds() {
		return min(position+gone, b.Right.Rounds())
	}
	return position
}

// play plays the broken schedule to its end and keeps what is wrong; it
// reports whether anything is.
func (b *Broken) play() bool {
	for position, st := range b.walk(func(t Trouble) {
		if len(b.Troubles) < maxTroubles {
			b.Troubles = append(b.Troubles, t)
		}
	}) {
		if position == b.Schedule.Rounds() {
			b.Flaws = st.Flaws()
		}
	}
	return len(b.Flaws) > 0
}

// clashes reports whether two steps of a round are in each other's way.
func (b *Broken) clashes() bool {
	return slices.ContainsFunc(b.Troubles, func(t Trouble) bool { return t.Kind == ReadAndWritten || t.Kind == WrittenTwice })
}

// walk plays the broken schedule and says what goes wrong, if that is asked for.
func (b *Broken) walk(say func(Trouble)) iter.Seq2[int, *State] {
	if say == nil {
		say = func(Trouble) {}
	}
	return func(yield func(int, *State) bool) {
		s := b.Schedule
		st, ledger := newState(s), newLedger(newCells(s))
		position, phase := 0, 0
		for i := 0; i < len(s.Steps); {
			end, counted := s.round(i)
			if counted {
				if !yield(position, st) {
					return
				}
				position++
			}
			for k := i; k < end; k++ {
				if c := ledger.enter(&s.Steps[k]); c != nil {
					kind := ReadAndWritten
					if c.twice {
						kind = WrittenTwice
					}
					say(Trouble{Kind: kind, Position: position, Step: &s.Steps[k], Rank: c.rank, Buf: c.buf, Chunk: c.chunk})
				}
			}
			st.endure(i, end, func(t Trouble) {
				t.Position = position
				say(t)
			})
			for ; phase < len(s.Phases) && (end == len(s.Steps) || s.Steps[end].Round > s.Phases[phase].Last); phase++ {
				if !st.Satisfies(s.Phases[phase].Invariant) {
					say(Trouble{Kind: PromiseBroken, Position: position, Phase: phase})
				}
			}
			i = end
		}
		yield(position, st)
	}
}

// endure plays a round, the steps from index first to before end, whatever is
// wrong with it: all read before anyone writes, and nothing is what comes of
// nothing.
func (st *State) endure(first, end int, say func(Trouble)) {
	var read [][]int32
	for i := first; i < end; i++ {
		step := &st.schedule.Steps[i]
		values := make([]int32, step.Count)
		for j := range values {
			for k, rank := range step.Sources() {
				held := st.held[st.cells.at(rank, step.SrcBuf, step.SrcChunk+j)]
				if held == 0 {
					say(Trouble{Kind: ReadsNothing, Step: step, Rank: rank, Buf: step.SrcBuf, Chunk: step.SrcChunk + j})
				}
				if k == 0 {
					values[j] = held
				} else {
					values[j] = st.values.mix(values[j], held, i)
				}
			}
		}
		read = append(read, values)
	}
	for i := first; i < end; i++ {
		step := &st.schedule.Steps[i]
		for j, value := range read[i-first] {
			for _, rank := range step.Destinations() {
				cell := st.cells.at(rank, step.DstBuf, step.DstChunk+j)
				if step.Op == Reduce {
					if st.held[cell] == 0 {
						say(Trouble{Kind: AddsToNothing, Step: step, Rank: rank, Buf: step.DstBuf, Chunk: step.DstChunk + j})
					}
					value := st.values.mix(st.held[cell], value, i)
					st.held[cell] = value
				} else {
					st.held[cell] = value
				}
				st.writer[cell] = int32(i) + 1
			}
		}
	}
}

// mix combines two values, either of which may be nothing: the sum of nothing
// and something is nothing that can be used.
func (v *values) mix(x, y int32, step int) int32 {
	if x == 0 || y == 0 {
		return 0
	}
	return v.combine(x, y, step)
}
