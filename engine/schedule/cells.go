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

// enter records step, whose chunks must lie inside the buffers, and returns the
// first clash with what its round has done before.
func (l ledger) enter(step *Step) *clash {
	round := step.Round
	for _, rank := range step.Sources() {
		first := l.cells.at(rank, step.SrcBuf, step.SrcChunk)
		for i := range step.Count {
			m := &l.marks[first+i]
			if m.in(round) && m.use() != read {
				return &clash{rank, step.SrcBuf, step.SrcChunk + i, false}
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
				return &clash{rank, step.DstBuf, step.DstChunk + i, false}
			case m.use() == copied || written == copied:
				return &clash{rank, step.DstBuf, step.DstChunk + i, true}
			}
			*m = newMark(round, written)
		}
	}
	return nil
}

// clash is a chunk that two steps of a round want for themselves.
type clash struct {
	rank  int
	buf   Buf
	chunk int
	twice bool // written twice, else both read and written
}

func (c *clash) fault(step *Step) *Fault {
	what := "is both read and written in this round"
	if c.twice {
		what = "is written twice in this round"
	}
	return &Fault{Code: "round-clash", Step: step.ID, Round: step.Round, Rank: c.rank, Chunk: c.chunk,
		Message: fmt.Sprintf("%s chunk %d of rank %d %s", c.buf, c.chunk, c.rank, what)}
}
