package present

import (
	popcount "math/bits"
	"slices"

	"lockstep/engine/schedule"
)

// maxGrid is the most ranks or rows of blocks that are drawn cell by cell.
const maxGrid = 64

// blockHeld is what a cell of the grid shows: a rank's best copy of one block.
type blockHeld struct {
	by    uint64 // the contributing ranks, one bit each
	final bool   // it is what the rank must have in the end
}

func (h blockHeld) count() int { return popcount.OnesCount64(h.by) }

// blockTable says what each step of a schedule does to the grid of blocks: a
// column is a rank, a row is a chunk of the full buffer. A cell shows the
// rank's out chunk if that holds something, else what its scratch holds of that
// chunk, wherever it lies there, else what the rank began with. The rows of an
// all-to-all are read in two ways: what a rank has not received yet is what it
// has for the rank of that row, what it has received is from there.
type blockTable struct {
	ranks, rows int
	needs       int         // contributions of a complete block
	wanted      int         // cells that hold a part of the result in the end
	start       []blockHeld // by cell: rank × rows + row
	steps       []tableStep
	rounds      int // counted ones
}

// tableStep is one step, seen by the grid.
type tableStep struct {
	id, src, dst int
	round        int // the counted round it belongs to, 0 before the first
	row, count   int // the rows it moves, as the receiver numbers them; behind the last comes the first
	from         int // the first of them as the sender numbers it
	changes      []cellChange
	gates        []int // indices of the steps that must have arrived at src before this one leaves
}

func (s tableStep) local() bool { return s.src == s.dst }

// cellChange is what a cell shows once a step is done.
type cellChange struct {
	cell int
	to   blockHeld
}

// newBlockTable returns the table of s, or false where the grid would be too
// large to draw. Steps that hosts cannot carry out are not in any run.
func newBlockTable(s *schedule.Schedule) (*blockTable, bool) {
	if s.Ranks > maxGrid || s.Chunks > maxGrid {
		return nil, false
	}
	if s.Algorithm == schedule.LibraryCall {
		return newCalledTable(s)
	}
	t := &blockTable{ranks: s.Ranks, rows: s.Chunks, needs: 1, rounds: s.Rounds()}
	switch s.Collective {
	case schedule.AllReduce, schedule.ReduceTo, schedule.ReduceScatter, schedule.Barrier:
		t.needs = s.Ranks
	}
	scratch := newScratchRows(s)
	begin := s.Start()
	for cell := range t.ranks * t.rows {
		t.start = append(t.start, scratch.shown(begin, cell/t.rows, cell%t.rows))
		if _, wanted := chunkAt(s, cell/t.rows, schedule.Out, cell%t.rows); wanted {
			t.wanted++
		}
	}
	shown := slices.Clone(t.start)
	rounds := countedRounds(s)
	for i, st := range s.WalkSteps() {
		step := &s.Steps[i]
		row := tableStep{
			id: step.ID, src: step.Src, dst: step.Dst, round: rounds[i], count: min(step.Count, t.rows), from: scratch.row(step.Src, step.SrcBuf, step.SrcChunk),
		}
		change := func(at int) {
			cell := step.Dst*t.rows + at
			if now := scratch.shown(st, step.Dst, at); now != shown[cell] {
				shown[cell] = now
				row.changes = append(row.changes, cellChange{cell, now})
			}
		}
		for j := range step.Count {
			before := -1
			if step.DstBuf == schedule.Tmp {
				before = scratch.put(st, step.Dst, step.DstChunk+j)
			}
			at := scratch.row(step.Dst, step.DstBuf, step.DstChunk+j)
			if j == 0 {
				row.row = at
			}
			change(at)
			if before >= 0 && before != at { // it lay over another block
				change(before)
			}
		}
		for _, d := range step.Deps {
			if at := s.Index(d); at >= 0 && !step.Local() && s.Steps[at].Dst == step.Src && !s.Steps[at].Local() {
				row.gates = append(row.gates, at)
			}
		}
		t.steps = append(t.steps, row)
	}
	return t, true
}

// covers reports whether a step moves a row, as its receiver or its sender
// numbers them from the first on.
func (t *blockTable) covers(first, count, row int) bool { return (row-first+t.rows)%t.rows < count }

// countedRounds returns for each step the counted round it belongs to; steps
// of a local-only round belong to the counted one before.
func countedRounds(s *schedule.Schedule) []int {
	rounds := make([]int, len(s.Steps))
	counted := 0
	for i := 0; i < len(s.Steps); {
		end, between := i, false
		for ; end < len(s.Steps) && s.Steps[end].Round == s.Steps[i].Round; end++ {
			between = between || !s.Steps[end].Local()
		}
		if between {
			counted++
		}
		for ; i < end; i++ {
			rounds[i] = counted
		}
	}
	return rounds
}

// chunkAt returns the index of a row of the full buffer in a rank's in or out
// buffer, if it is there.
func chunkAt(s *schedule.Schedule, rank int, buf schedule.Buf, row int) (int, bool) {
	have, first := s.BufChunks(rank, buf), 0
	if have < s.Chunks { // its own block only
		first = rank * have
	}
	return row - first, row >= first && row < first+have
}

func contributors(have []schedule.Contribution) (by uint64) {
	for _, c := range have {
		for rank := c.First; rank <= c.Last; rank++ {
			by |= 1 << rank
		}
	}
	return by
}
