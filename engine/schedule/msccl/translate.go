package msccl

import "lockstep/engine/schedule"

// translation carries a file out step by step, in an order that it allows, and
// writes down what that is in our own buffers. Our in is never written and our
// chunks have lengths, so what lies in a cell of the file may lie elsewhere
// with us: in `in` as long as it is untouched, in out where it belongs there,
// else in a slot of tmp.
type translation struct {
	algo    *algo
	memory  *memory
	decided []when
	lies    []place // by cell
	slots   *slots
	rounds  *rounds
	held    map[int32][]place // by the step that will receive it: what waits in tmp
}

// maxChunks bounds the chunks that all steps of a file move together.
const maxChunks = 1 << 22

// translate fills in the steps of s and returns the line of each.
func (a *algo) translate(s *schedule.Schedule, order []int32) ([]int32, *Error) {
	moved := 0
	for i := range a.steps {
		if moved += int(a.steps[i].count); moved > maxChunks {
			return nil, refuse("size", int(a.steps[i].line), "the steps move more than %d chunks; accepted: up to there", maxChunks)
		}
	}
	m := newMemory(a, s)
	t := &translation{
		algo: a, memory: m, decided: timing(a, m, order), lies: make([]place, m.total),
		slots: newSlots(s), rounds: newRounds(a.ranks), held: map[int32][]place{},
	}
	for c := range t.lies {
		t.lies[c] = nowhere
	}
	for id := range a.gpus {
		for chunk := range m.inChunks(id) {
			t.lies[m.first[id][input]+chunk] = place{schedule.In, int32(chunk)}
		}
	}
	for _, i := range order {
		if bad := t.carryOut(i); bad != nil {
			return nil, bad
		}
	}
	if bad := t.settle(); bad != nil {
		return nil, bad
	}
	var lines []int32
	s.Steps, lines = t.rounds.finish()
	return lines, nil
}

func (t *translation) carryOut(i int32) *Error {
	st := &t.algo.steps[i]
	switch {
	case st.kind == nothing:
		return nil
	case st.kind == localCopy, st.kind == localReduce:
		return t.local(st)
	case st.kind.receives():
		if bad := t.receive(i, st); bad != nil {
			return bad
		}
	}
	if st.kind.sends() {
		return t.send(st)
	}
	return nil
}

// local copies or reduces chunk by chunk: the two places may overlap.
func (t *translation) local(st *step) *Error {
	for c := range int(st.count) {
		src, dst := t.memory.source(st)+c, t.memory.into(st)+c
		if st.kind == localCopy {
			if bad := t.copy(st, src, dst); bad != nil {
				return bad
			}
			continue
		}
		from, bad := t.read(st, src)
		if bad != nil {
			return bad
		}
		into, bad := t.reduced(st, dst, from)
		if bad != nil {
			return bad
		}
		t.rounds.add(schedule.Reduce, st.gpu, st.gpu, []place{from}, []place{into}, nil, st.line)
	}
	return nil
}

// copy copies a cell to another of the same gpu.
func (t *translation) copy(st *step, src, dst int) *Error {
	from, bad := t.read(st, src)
	if bad != nil || src == dst {
		return bad
	}
	into, bad := t.written(st, dst, from)
	if bad != nil {
		return bad
	}
	t.rounds.add(schedule.Copy, st.gpu, st.gpu, []place{from}, []place{into}, nil, st.line)
	return nil
}

// send lets a message go that does not wait for its receiver.
func (t *translation) send(st *step) *Error {
	to := &t.algo.steps[st.to]
	switch t.decided[st.to] {
	case atSend:
		return t.deliver(to, t.memory.sent(st), nil)
	case byBuffer:
		from, into := make([]place, st.count), make([]place, st.count)
		for c := range from {
			var bad *Error
			if from[c], bad = t.read(st, t.memory.sent(st)+c); bad != nil {
				return bad
			}
			if into[c], bad = t.take(to, from[c]); bad != nil {
				return bad
			}
		}
		t.message(schedule.Copy, to, from, into)
		t.held[st.to] = into
		t.forget(st)
	}
	return nil
}

// receive does what is left to do when a step receives.
func (t *translation) receive(i int32, st *step) *Error {
	from := &t.algo.steps[st.from]
	switch t.decided[i] {
	case atReceive:
		return t.deliver(st, t.memory.sent(from), nil)
	case byBuffer:
		held := t.held[i]
		delete(t.held, i)
		if bad := t.deliver(st, 0, held); bad != nil {
			return bad
		}
		for _, slot := range held {
			t.slots.give(st.gpu, slot)
		}
	}
	return nil
}

// deliver brings what is sent, from cell sent on of the sender, or held in tmp
// already, to where st receives it.
func (t *translation) deliver(st *step, sent int, held []place) *Error {
	from, into := held, make([]place, st.count)
	sender := &t.algo.steps[st.from]
	if held == nil {
		from = make([]place, st.count)
	}
	op := schedule.Copy
	if st.kind != receive && st.kind != receiveCopySend {
		op = schedule.Reduce
	}
	for c := range from {
		var bad *Error
		if held == nil {
			if from[c], bad = t.read(sender, sent+c); bad != nil {
				return bad
			}
		}
		dst := t.memory.into(st) + c
		if op == schedule.Copy {
			into[c], bad = t.written(st, dst, from[c])
		} else {
			if bad = t.copy(st, t.memory.source(st)+c, dst); bad != nil {
				return bad
			}
			into[c], bad = t.reduced(st, dst, from[c])
		}
		if bad != nil {
			return bad
		}
	}
	if held == nil {
		t.message(op, st, from, into)
		t.forget(sender)
		return nil
	}
	for c := range from {
		t.rounds.add(op, st.gpu, st.gpu, from[c:c+1], into[c:c+1], nil, st.line)
	}
	return nil
}

// message enters what goes from one gpu to another, to the step `to`.
func (t *translation) message(op schedule.Op, to *step, from, into []place) {
	b := &t.algo.gpus[to.gpu].blocks[to.tb]
	t.rounds.add(op, int32(b.recv), to.gpu, from, into, &link{b.recv, int(to.gpu), b.channel}, to.line)
}
