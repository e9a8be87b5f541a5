package schedule

import "fmt"

// builder writes a schedule round by round. Its methods panic on a move that
// breaks a rule of the round, naming it: that is a bug in an algorithm, found
// the first time it is built.
type builder struct {
	s      Schedule
	cells  cells
	ledger ledger
	round  int
}

func newBuilder(s Schedule) *builder {
	b := &builder{s: s}
	b.cells = newCells(&b.s)
	b.ledger = newLedger(b.cells)
	return b
}

// expect makes room for that many steps.
func (b *builder) expect(steps int) { b.s.Steps = make([]Step, 0, steps) }

// nextRound closes the current round and opens the next.
func (b *builder) nextRound() { b.round++ }

// phase begins a named phase at the current round; it lasts until the next
// phase or the end.
func (b *builder) phase(key string, holds Invariant) {
	b.s.Phases = append(b.s.Phases, Phase{Key: key, First: b.round, Invariant: holds})
}

// place is a run of chunks in a buffer of a rank.
type place struct {
	rank  int
	buf   Buf
	chunk int
}

func (b *builder) copy(src, dst place, count int)   { b.move(Copy, src, dst, count) }
func (b *builder) reduce(src, dst place, count int) { b.move(Reduce, src, dst, count) }

func (b *builder) move(op Op, src, dst place, count int) {
	step := Step{
		ID: len(b.s.Steps), Round: b.round, Op: op, Src: src.rank, Dst: dst.rank,
		SrcBuf: src.buf, SrcChunk: src.chunk, DstBuf: dst.buf, DstChunk: dst.chunk, Count: count,
	}
	if fault := b.ledger.enter(&step); fault != nil {
		panic(fmt.Sprintf("build %s/%s for %d ranks: %v", b.s.Collective, b.s.Algorithm, b.s.Ranks, fault))
	}
	b.s.Steps = append(b.s.Steps, step)
}

// finish closes the last phase, wires the dependencies and returns the
// schedule, which nobody changes from then on.
func (b *builder) finish() *Schedule {
	for i := range b.s.Phases {
		last := b.round
		if i+1 < len(b.s.Phases) {
			last = b.s.Phases[i+1].First - 1
		}
		b.s.Phases[i].Last = last
	}
	s := b.s
	wireDeps(&s, b.cells)
	return &s
}
