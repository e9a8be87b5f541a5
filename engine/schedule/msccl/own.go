package msccl

import (
	"slices"

	"lockstep/engine/schedule"
)

// ours reports whether every step says its id and round, so that nothing has
// to be worked out.
func (a *algo) ours() bool {
	moves := 0
	for i := range a.steps {
		st := &a.steps[i]
		switch st.kind {
		case nothing:
			continue
		case receiveCopySend, receiveReduceSend, receiveReduceCopySend:
			return false
		case receiveReduceCopy:
			if st.src != st.dst || st.srcOff != st.dstOff {
				return false
			}
		}
		if st.id < 0 || st.round < 0 {
			return false
		}
		moves++
	}
	return moves > 0 && !a.inPlace
}

var bufs = [...]schedule.Buf{input: schedule.In, output: schedule.Out, scratch: schedule.Tmp}

// restore writes the steps of a file of ours into s and returns the line of
// each.
func (a *algo) restore(s *schedule.Schedule) ([]int32, *Error) {
	type known struct {
		schedule.Step
		line int32
	}
	var list []known
	for i := range a.gpus {
		for _, b := range a.gpus[i].blocks {
			if bad := a.ascend(b); bad != nil {
				return nil, bad
			}
		}
	}
	for i := range a.steps {
		at := &a.steps[i]
		if at.kind == nothing || at.kind.sends() {
			continue // a message is written down where it is received
		}
		st := schedule.Step{
			ID: int(at.id), Round: int(at.round), Src: int(at.gpu), Dst: int(at.gpu), Count: int(at.count),
			SrcBuf: bufs[at.src], SrcChunk: int(at.srcOff), DstBuf: bufs[at.dst], DstChunk: int(at.dstOff),
		}
		if at.kind == localReduce || at.kind == receiveReduceCopy {
			st.Op = schedule.Reduce
		}
		if at.from >= 0 {
			from := &a.steps[at.from]
			if from.id != at.id || from.round != at.round {
				return nil, refuse(Unreadable, int(at.line), "id %d in round %d receives what line %d sends as id %d in round %d; accepted: the same of both", at.id, at.round, from.line, from.id, from.round)
			}
			st.Src, st.SrcBuf, st.SrcChunk = int(from.gpu), bufs[from.src], int(from.srcOff)
		}
		list = append(list, known{st, at.line})
	}
	slices.SortFunc(list, func(x, y known) int { return x.ID - y.ID })
	s.Steps = make([]schedule.Step, len(list))
	lines := make([]int32, len(list))
	for i := range list {
		s.Steps[i], lines[i] = list[i].Step, list[i].line
		if i > 0 && list[i].ID == list[i-1].ID {
			return nil, refuse(Unreadable, int(max(lines[i], lines[i-1])), "id %d again, after line %d; accepted: every id once", list[i].ID, min(lines[i], lines[i-1]))
		}
	}
	return lines, nil
}

// ascend sees to it that a thread block runs its steps in the order of ids:
// otherwise they are not what the file does.
func (a *algo) ascend(b block) *Error {
	last := int32(-1)
	for i := b.first; i < b.last; i++ {
		st := &a.steps[i]
		if st.kind == nothing {
			continue
		}
		if st.id <= last {
			return refuse(Unreadable, int(st.line), "id %d behind id %d in its thread block; accepted: ascending ids", st.id, last)
		}
		last = st.id
	}
	return nil
}
