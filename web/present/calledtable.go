package present

import "lockstep/engine/schedule"

// newCalledTable returns the table of a library's own call. Its schedule moves
// nothing: a mark says that a rank has all that the call brings it to one of
// its chunks, which is what a schedule for the same leaves there.
func newCalledTable(s *schedule.Schedule) (*blockTable, bool) {
	same, err := s.Reference()
	if err != nil {
		return nil, false
	}
	t, ok := newBlockTable(same)
	if !ok {
		return nil, false
	}
	end := append([]blockHeld(nil), t.start...)
	for _, step := range t.steps {
		for _, c := range step.changes {
			end[c.cell] = c.to
		}
	}
	scratch := newScratchRows(s)
	t.steps, t.rounds = nil, s.Rounds()
	for i := range s.Steps {
		step := &s.Steps[i]
		row := tableStep{id: step.ID, src: step.Src, dst: step.Dst, row: scratch.row(step.Dst, step.DstBuf, step.DstChunk), count: 1}
		row.from = row.row
		if cell := step.Dst*t.rows + row.row; end[cell] != t.start[cell] {
			row.changes = []cellChange{{cell, end[cell]}}
		}
		t.steps = append(t.steps, row)
	}
	return t, true
}
