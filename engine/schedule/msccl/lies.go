package msccl

import "lockstep/engine/schedule"

// read returns where the value of a cell lies.
func (t *translation) read(st *step, cell int) (place, *Error) {
	if t.lies[cell] == nowhere {
		return nowhere, refuse("missing-data", int(st.line), "%s reads %s of gpu %d, which holds nothing; accepted: chunks that something was written to", st.name(), t.memory.name(st.gpu, cell), st.gpu)
	}
	return t.lies[cell], nil
}

func (t *translation) residue(p place) int32 { return p.chunk % int32(t.slots.residues) }

// take returns a slot on the gpu of st for what lies at p.
func (t *translation) take(st *step, p place) (place, *Error) {
	slot, ok := t.slots.take(st.gpu, t.residue(p))
	if !ok {
		return nowhere, refuse("size", int(st.line), "gpu %d needs more than %d chunks of scratch; accepted: up to there", st.gpu, t.slots.most)
	}
	return slot, nil
}

// written returns where the value at p comes to lie when it is written to a
// cell; what the cell held before is lost.
func (t *translation) written(st *step, cell int, p place) (place, *Error) {
	old := t.lies[cell]
	out := t.memory.outChunk(st.gpu, cell)
	switch {
	case out >= 0 && t.residue(place{schedule.Out, int32(out)}) == t.residue(p):
		t.lies[cell] = place{schedule.Out, int32(out)}
	case old != nowhere && old.buf == schedule.Tmp && t.residue(old) == t.residue(p):
		return old, nil
	default:
		slot, bad := t.take(st, p)
		if bad != nil {
			return nowhere, bad
		}
		t.lies[cell] = slot
	}
	if old != nowhere && old.buf == schedule.Tmp {
		t.slots.give(st.gpu, old)
	}
	return t.lies[cell], nil
}

// reduced returns where a cell's value lies that p is to be combined into. One
// that lies in our in is copied to where it may be changed.
func (t *translation) reduced(st *step, cell int, p place) (place, *Error) {
	old, bad := t.read(st, cell)
	if bad != nil {
		return nowhere, bad
	}
	if t.residue(old) != t.residue(p) {
		return nowhere, refuse("wrong-data", int(st.line), "%s combines chunk %d of a block with chunk %d, in %s of gpu %d; accepted: the same chunk", st.name(), t.residue(old), t.residue(p), t.memory.name(st.gpu, cell), st.gpu)
	}
	if old.buf != schedule.In {
		return old, nil
	}
	into, bad := t.written(st, cell, old)
	if bad != nil {
		return nowhere, bad
	}
	t.rounds.add(schedule.Copy, st.gpu, st.gpu, []place{old}, []place{into}, nil, st.line)
	return into, nil
}

// forget gives back what an rrs has sent and not kept.
func (t *translation) forget(st *step) {
	if st.kind != receiveReduceSend {
		return
	}
	for c := range int(st.count) {
		cell := t.memory.sent(st) + c
		t.slots.give(st.gpu, t.lies[cell])
		t.lies[cell] = nowhere
	}
}

// settle copies to out what a file that works in place leaves where it is.
func (t *translation) settle() *Error {
	if !t.algo.inPlace {
		return nil
	}
	for id := range t.algo.gpus {
		g := &t.algo.gpus[id]
		st := &step{gpu: int32(id), line: int32(g.line)}
		for chunk := range t.memory.shape.BufChunks(id, schedule.Out) {
			cell := t.memory.first[id][output] + chunk
			from := t.lies[cell]
			if from == nowhere || from.buf != schedule.In {
				continue
			}
			into, bad := t.written(st, cell, from)
			if bad != nil {
				return bad
			}
			t.rounds.add(schedule.Copy, st.gpu, st.gpu, []place{from}, []place{into}, nil, st.line)
		}
	}
	return nil
}
