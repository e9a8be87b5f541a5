package rank

import "lockstep/engine/schedule"

// lending follows which chunks of out and tmp are, at this point of the
// program, copies of chunks of in that nobody has had to make yet.
type lending struct {
	from   map[place]loan
	needed map[int]bool // copies that have to be made
	copies []int        // all of them, as moves
}

type place struct {
	buf   schedule.Buf
	chunk int
}

// loan says which chunk of in stands for a place, and which move would copy it.
type loan struct{ chunk, move int }

func newLending() *lending {
	return &lending{from: map[place]loan{}, needed: map[int]bool{}}
}

// lend enters a copy out of in.
func (l *lending) lend(move int, m *schedule.Move) {
	l.copies = append(l.copies, move)
	for i := range m.Count {
		l.from[place{m.DstBuf, m.DstChunk + i}] = loan{m.SrcChunk + i, move}
	}
}

// read returns the chunk of in from which a run of chunks can be read, if it
// is lent as a whole and in one piece; otherwise what is lent of it has to be
// copied.
func (l *lending) read(buf schedule.Buf, chunk, count int) (first int, ok bool) {
	whole := buf != schedule.In
	start, there := l.from[place{buf, chunk}]
	for i := 0; i < count && whole; i++ {
		at, lent := l.from[place{buf, chunk + i}]
		whole = lent && at.chunk == start.chunk+i
	}
	if whole && there {
		return start.chunk, true
	}
	for i := range count {
		if at, lent := l.from[place{buf, chunk + i}]; lent {
			l.needed[at.move] = true
		}
	}
	return 0, false
}

// write ends the loan of chunks that get a value of their own.
func (l *lending) write(buf schedule.Buf, chunk, count int) {
	for i := range count {
		delete(l.from, place{buf, chunk + i})
	}
}

// empty returns the copies that need not be made: what is left in out at the
// end is the result, and has to be there.
func (l *lending) empty() map[int]bool {
	for at, loan := range l.from {
		if at.buf == schedule.Out {
			l.needed[loan.move] = true
		}
	}
	all := map[int]bool{}
	for _, move := range l.copies {
		if !l.needed[move] {
			all[move] = true
		}
	}
	return all
}
