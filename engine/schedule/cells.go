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

// ledger holds, within the round that is being entered, which cells are read
// and which are written, and refuses a step that clashes.
type ledger struct {
	cells cells
	// Round in which the cell was last read, copied into or reduced into; the
	// marks of earlier rounds are simply out of date.
	read, copied, reduced []int32
}

func newLedger(c cells) ledger {
	return ledger{c, make([]int32, c.total), make([]int32, c.total), make([]int32, c.total)}
}

// enter records step, whose chunks must lie inside the buffers.
func (l ledger) enter(step *Step) *Fault {
	round := int32(step.Round)
	for _, rank := range step.Sources() {
		first := l.cells.at(rank, step.SrcBuf, step.SrcChunk)
		for i := range step.Count {
			if l.copied[first+i] == round || l.reduced[first+i] == round {
				return clash(step, rank, step.SrcBuf, step.SrcChunk+i, "is both read and written in this round")
			}
			l.read[first+i] = round
		}
	}
	for _, rank := range step.Destinations() {
		first := l.cells.at(rank, step.DstBuf, step.DstChunk)
		for i := range step.Count {
			chunk := step.DstChunk + i
			switch {
			case l.read[first+i] == round:
				return clash(step, rank, step.DstBuf, chunk, "is both read and written in this round")
			case l.copied[first+i] == round:
				return clash(step, rank, step.DstBuf, chunk, "is written twice in this round")
			case step.Op == Reduce:
				l.reduced[first+i] = round
			case l.reduced[first+i] == round:
				return clash(step, rank, step.DstBuf, chunk, "is written twice in this round")
			default:
				l.copied[first+i] = round
			}
		}
	}
	return nil
}

func clash(step *Step, rank int, buf Buf, chunk int, what string) *Fault {
	return &Fault{Code: "round-clash", Step: step.ID, Round: step.Round, Rank: rank, Chunk: chunk,
		Message: fmt.Sprintf("%s chunk %d of rank %d %s", buf, chunk, rank, what)}
}
