package present

import "lockstep/engine/schedule"

// cellGrid says what the cells of a rank's column stand for. A row is a block
// of the full buffer wherever a block keeps its number: then a cell shows the
// furthest that the rank has of it, in whichever buffer. Where everyone gives
// and gets different blocks of the same numbers, the upper rows are what a
// rank gives (in) and the lower ones what it gets (out); if that is too much to
// draw, only what it gets.
type cellGrid struct {
	s      *schedule.Schedule
	rows   int
	split  int  // rows that show in, before those that show out; 0 where both share
	swaps  bool // in and out do not share rows
	copies bool // values are moved, never combined
}

// mostSplit is up to how many rows a column is split.
const mostSplit = 16

func newGrid(s *schedule.Schedule) cellGrid {
	g := cellGrid{s: s, rows: s.Chunks}
	switch s.Collective {
	case schedule.AllToAll, schedule.SendRecv:
		g.swaps, g.copies = true, true
		if 2*s.Chunks <= mostSplit {
			g.split, g.rows = s.Chunks, 2*s.Chunks
		}
	case schedule.Broadcast, schedule.Scatter, schedule.Gather, schedule.AllGather:
		g.copies = true
	}
	return g
}

// whole is how many contributors a complete cell has.
func (g cellGrid) whole() int {
	if g.copies {
		return 1
	}
	return g.s.Ranks
}

// noRow is the row of what no cell shows.
const noRow = -1

// in and out are the rows of a rank's chunks.
func (g cellGrid) in(rank, chunk int) int {
	switch {
	case g.swaps && g.split == 0:
		return noRow
	case g.s.Collective == schedule.Gather, g.s.Collective == schedule.AllGather:
		return rank*g.s.ChunksPerBlock() + chunk
	}
	return chunk
}

func (g cellGrid) out(rank, chunk int) int {
	switch g.s.Collective {
	case schedule.Scatter, schedule.ReduceScatter:
		return rank*g.s.ChunksPerBlock() + chunk
	}
	return g.split + chunk
}

// tmp is the row of a value in scratch space.
func (g cellGrid) tmp(held []schedule.Contribution) int {
	switch {
	case g.swaps || len(held) == 0:
		return noRow
	case g.s.Collective == schedule.Gather, g.s.Collective == schedule.AllGather:
		return held[0].First*g.s.ChunksPerBlock() + held[0].Piece
	}
	return held[0].Piece
}

// row is where a rank's chunk of a buffer is drawn while it holds a value.
func (g cellGrid) row(rank int, buf schedule.Buf, chunk int, held []schedule.Contribution) int {
	switch buf {
	case schedule.In:
		return g.in(rank, chunk)
	case schedule.Out:
		return g.out(rank, chunk)
	}
	return g.tmp(held)
}

// look is the hue and the number of a cell, and whose data a copy shows: that
// of the rank it comes from, or the one that it is for.
type look struct {
	hue, number int
	from        int // -1 where values are combined
	to          int // -1 but for what a rank gives to one other
}

// look says how a cell looks like, the same at every step.
func (g cellGrid) look(rank, row int) look {
	k := g.s.ChunksPerBlock()
	l := look{hue: row, number: row, from: -1, to: -1}
	switch g.s.Collective {
	case schedule.Broadcast, schedule.Scatter:
		l.from = g.s.Root
	case schedule.Gather, schedule.AllGather:
		l.from = row / k
	case schedule.AllToAll:
		if row < g.split {
			return look{hue: rank, number: row / k, from: rank, to: row / k}
		}
		from := (row - g.split) / k
		return look{hue: from, number: from, from: from, to: -1}
	case schedule.SendRecv:
		n := g.s.Ranks
		if row < g.split {
			return look{hue: rank, number: rank, from: rank, to: (rank + 1) % n}
		}
		from := (rank - 1 + n) % n
		return look{hue: from, number: from, from: from, to: -1}
	}
	return l
}

// token is the hue and the number of a value on its way.
func (g cellGrid) token(held []schedule.Contribution, row int) (hue, number int) {
	if !g.swaps || len(held) == 0 {
		return row, row
	}
	if g.s.Collective == schedule.SendRecv {
		return held[0].First, held[0].First
	}
	return held[0].First, held[0].Piece / g.s.ChunksPerBlock()
}
