package schedule

import "fmt"

// cells numbers every (rank, buffer, chunk) of a schedule from 0.
type cells struct {
	base  [][3]int // first cell of each rank's buffers
	sizes [][3]int // chunks of each
	total int
}

func newCells(s *Schedule) cells {
	c := cells{base: make([][3]int, s.Ranks), sizes: make([][3]int, s.Ranks)}
	for rank := range s.Ranks {
		for _, buf := range []Buf{In, Out, Tmp} {
			size := s.BufChunks(rank, buf)
			c.base[rank][buf], c.sizes[rank][buf] = c.total, size
			c.total += size
		}
	}
	return c
}

func (c cells) at(rank int, buf Buf, chunk int) int { return c.base[rank][buf] + chunk }

// ledger holds, within the round that is being entered, what is done to each
// cell, and refuses a step that clashes.
type ledger struct {
	cells cells
	// marks is, by cell, the last round that touched it and its use there. In
	// one round a cell has one use only; the marks of earlier rounds are simply
	// out of date.
	marks []mark
}

// use is what the steps of a round do to a cell.
type use uint32

const (
	read    use = iota // any number of times
	copied             // once
	reduced            // any number of times
)

// mark is a round and a use in one word.
type mark uint32

func newMark(round int, u use) mark { return mark(round)<<2 | mark(u) }

// in reports whether the mark is of that round.
func (m mark) in(round int) bool { return int(m>>2) == round }
func (m mark) use() use          { return use(m & 3) }

func newLedger(c cells) ledger { return ledger{c, make([]mark, c.total)} }

// enter records step, whose chunks must lie inside the buffers.
func (l ledger) enter(step *Step) *Fault {
	round := step.Round
	for _, rank := range step.Sources() {
		first := l.cells.at(rank, step.SrcBuf, step.SrcChunk)
		for i := range step.Count {
			m := &l.marks[first+i]
			if m.in(round) && m.use() != read {
				return clash(step, rank, step.SrcBuf, step.SrcChunk+i, "is both read and written in this round")
			}
			*m = newMark(round, read)
		}
	}
	written := copied
	if step.Op == Reduce {
		written = reduced
	}
	for _, rank := range step.Destinations() {
		first := l.cells.at(rank, step.DstBuf, step.DstChunk)
		for i := range step.Count {
			m := &l.marks[first+i]
			switch {
			case !m.in(round):
			case m.use() == read:
				return clash(step, rank, step.DstBuf, step.DstChunk+i, "is both read and written in this round")
			case m.use() == copied || written == copied:
				return clash(step, rank, step.DstBuf, step.DstChunk+i, "is written twice in this round")
			}
			*m = newMark(round, written)
		}
	}
	return nil
}

func clash(step *Step, rank int, buf Buf, chunk int, what string) *Fault {
	return &Fault{Code: "round-clash", Step: step.ID, Round: step.Round, Rank: rank, Chunk: chunk,
		Message: fmt.Sprintf("%s chunk %d of rank %d %s", buf, chunk, rank, what)}
}
