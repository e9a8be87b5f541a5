package present

import "lockstep/engine/schedule"

// scratchRows knows which row of the grid each chunk belongs to. In and out
// chunks have their place; scratch is used as an algorithm likes, so a chunk
// there belongs to the row of what it holds.
type scratchRows struct {
	schedule *schedule.Schedule
	rows     [][]int // of each rank's scratch chunks; -1 for those that hold nothing
}

func newScratchRows(s *schedule.Schedule) *scratchRows {
	r := &scratchRows{s, make([][]int, s.Ranks)}
	for rank := range r.rows {
		r.rows[rank] = make([]int, s.TmpChunks)
		for chunk := range r.rows[rank] {
			r.rows[rank][chunk] = -1
		}
	}
	return r
}

// put takes in that a scratch chunk has been written, and returns the row that
// it belonged to before.
func (r *scratchRows) put(st *schedule.State, rank, chunk int) (before int) {
	before = r.rows[rank][chunk]
	if held := st.Holds(rank, schedule.Tmp, chunk); len(held) > 0 {
		r.rows[rank][chunk] = r.origin(held[0])
	}
	return before
}

// origin returns the row of a contribution: its chunk of the full buffer. What
// ranks contribute to a gathering is their own block of it.
func (r *scratchRows) origin(c schedule.Contribution) int {
	switch s := r.schedule; s.Collective {
	case schedule.Gather, schedule.AllGather:
		return c.First*s.ChunksPerBlock() + c.Piece
	}
	return c.Piece
}

// row returns the row of a chunk as it lies in a rank's buffer.
func (r *scratchRows) row(rank int, buf schedule.Buf, chunk int) int {
	if buf == schedule.Tmp {
		return max(r.rows[rank][chunk], 0)
	}
	if have := r.schedule.BufChunks(rank, buf); have < r.schedule.Chunks { // its own block only
		return rank*have + chunk
	}
	return chunk
}

// shown returns what the grid shows of a rank's row.
func (r *scratchRows) shown(st *schedule.State, rank, row int) (h blockHeld) {
	s := r.schedule
	if out, ok := chunkAt(s, rank, schedule.Out, row); ok {
		h.by, h.final = contributors(st.Holds(rank, schedule.Out, out)), st.Final(rank, out)
	}
	if h.by != 0 {
		return h
	}
	for chunk, at := range r.rows[rank] { // of several, the one that most has been combined in
		if at != row {
			continue
		}
		if held := (blockHeld{by: contributors(st.Holds(rank, schedule.Tmp, chunk))}); held.count() > h.count() {
			h = held
		}
	}
	if in, ok := chunkAt(s, rank, schedule.In, row); ok && h.by == 0 {
		h.by = contributors(st.Holds(rank, schedule.In, in))
	}
	return h
}
