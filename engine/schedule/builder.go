package schedule

import "fmt"

// builder writes a schedule round by round. Its methods panic on a move that
// breaks a rule of the round, naming it: that is a bug in an algorithm, found
// the first time it is built.
type builder struct {
	s      Schedule
	ledger ledger
	wiring *wiring
	round  int
	tmp    int // largest tmp index used + 1
}

// begin makes room for about that many steps, and for tmp chunks in every
// rank's scratch: a bound, what the steps use in the end counts. It comes
// before the first round.
func (b *builder) begin(steps, tmp int) {
	b.s.TmpChunks = tmp
	b.s.Steps = make([]Step, 0, steps)
	c := newCells(&b.s)
	b.ledger, b.wiring = newLedger(c), newWiring(c)
}

// nextRound closes the current round and opens the next. A round in which
// nothing has happened stays open.
func (b *builder) nextRound() {
	if n := len(b.s.Steps); b.round == 0 || n > 0 && b.s.Steps[n-1].Round == b.round {
		b.round++
	}
}

// phase begins a named phase at the current round; it lasts until the next
// phase or the end. A phase without steps is left out in the end.
func (b *builder) phase(key string, holds Invariant) {
	b.s.Phases = append(b.s.Phases, Phase{Key: key, First: b.round, Invariant: holds})
}

// place is a run of chunks in a buffer of a rank.
type place struct {
	rank  int
	buf   Buf
	chunk int
}

func (b *builder) copy(src, dst place, count int)   { b.move(Copy, src, dst, nil, count) }
func (b *builder) reduce(src, dst place, count int) { b.move(Reduce, src, dst, nil, count) }

// multicast writes count chunks of src to dst's place on every rank of the
// list; dst.rank has no meaning.
func (b *builder) multicast(src, dst place, ranks []int, count int) {
	b.move(Multicast, src, dst, ranks, count)
}

// netReduce writes the combination of src's place on every rank of the list,
// in its order, to dst; src.rank has no meaning.
func (b *builder) netReduce(ranks []int, src, dst place, count int) {
	b.move(NetReduce, src, dst, ranks, count)
}

// move adds a step with its dependencies; one of no chunks is none.
func (b *builder) move(op Op, src, dst place, group []int, count int) {
	if count == 0 {
		return
	}
	b.s.Steps = append(b.s.Steps, Step{
		ID: len(b.s.Steps), Round: b.round, Op: op, Src: src.rank, Dst: dst.rank, Group: group,
		SrcBuf: src.buf, SrcChunk: src.chunk, DstBuf: dst.buf, DstChunk: dst.chunk, Count: count,
	})
	step := &b.s.Steps[len(b.s.Steps)-1]
	switch op {
	case Multicast:
		step.Dst = 0
	case NetReduce:
		step.Src = 0
	}
	fault := checkShape(&b.s, step)
	if fault == nil {
		if c := b.ledger.enter(step); c != nil {
			fault = c.fault(step)
		}
	}
	if fault != nil {
		panic(fmt.Sprintf("build %s/%s for %d ranks: %v", b.s.Collective, b.s.Algorithm, b.s.Ranks, fault))
	}
	if src.buf == Tmp {
		b.tmp = max(b.tmp, src.chunk+count)
	}
	if dst.buf == Tmp {
		b.tmp = max(b.tmp, dst.chunk+count)
	}
	step.Deps = b.wiring.keep(b.wiring.next(step))
}

// finish closes the phases and returns the schedule, which nobody changes from
// then on.
func (b *builder) finish() *Schedule {
	s := b.s
	s.TmpChunks, s.Phases = b.tmp, nil
	last := s.LastRound()
	for i, p := range b.s.Phases {
		p.Last = last
		if i+1 < len(b.s.Phases) {
			p.Last = b.s.Phases[i+1].First - 1
		}
		if p.Last < p.First { // nothing happened in it: its promise holds already, the next one's must too
			if n := len(s.Phases); n > 0 && p.First > last {
				s.Phases[n-1].Invariant = p.Invariant
			}
			continue
		}
		s.Phases = append(s.Phases, p)
	}
	return &s
}

// everyRank returns the ranks from 0 to n-1.
func everyRank(n int) []int {
	ranks := make([]int, n)
	for r := range ranks {
		ranks[r] = r
	}
	return ranks
}
