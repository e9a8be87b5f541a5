package msccl

// step reads a step of thread block number of gpu id, whose head is b.
func (rd *reader) step(tag *element, id, number int, b block) error {
	a := rd.algo
	if len(a.steps) == maxSteps {
		return refuse("size", tag.line, "more than %d steps; accepted: up to there", maxSteps)
	}
	st := step{gpu: int32(id), tb: int32(number), line: int32(tag.line), from: -1, to: -1}
	next := len(a.steps) - b.first
	s, bad := tag.number("s", 0, maxSteps)
	if bad != nil {
		return bad
	}
	if s != next {
		return refuse(Unreadable, tag.line, "s=\"%d\"; accepted: %d, the next of its thread block", s, next)
	}
	st.s = int32(s)
	word, bad := tag.word("type", kindNames[:])
	if bad != nil {
		return bad
	}
	st.kind = kind(word)
	switch {
	case st.kind.sends() && b.send < 0:
		return refuse(Unreadable, tag.line, "type=\"%s\" sends, but its thread block has send=\"-1\"; accepted: a gpu to send to", st.kind)
	case st.kind.receives() && b.recv < 0:
		return refuse(Unreadable, tag.line, "type=\"%s\" receives, but its thread block has recv=\"-1\"; accepted: a gpu to receive from", st.kind)
	}
	for _, field := range []struct {
		name             string
		low, high, unset int
		optional         bool
		into             *int32
	}{
		{"depid", -1, maxBlocks - 1, 0, false, &st.depTB},
		{"deps", -1, maxSteps, 0, false, &st.depStep},
		{"hasdep", 0, 1, 0, st.kind == nothing, nil},
		{"id", 0, maxID, -1, true, &st.id},
		{"round", 1, maxID, -1, true, &st.round},
	} {
		var value int
		if field.optional {
			value, bad = tag.optional(field.name, field.low, field.high, field.unset)
		} else {
			value, bad = tag.number(field.name, field.low, field.high)
		}
		if bad != nil {
			return bad
		}
		if field.into != nil {
			*field.into = int32(value)
		}
	}
	if st.depTB >= 0 && st.depStep < 0 {
		return refuse(Unreadable, tag.line, "deps=\"-1\" with depid=\"%d\"; accepted: a step of that thread block, or both -1", st.depTB)
	}
	if st.kind != nothing {
		if bad := rd.places(tag, &st); bad != nil {
			return bad
		}
	}
	a.steps = append(a.steps, st)
	return nil
}

// places reads what a step touches. The place on another gpu is written down
// in the file too, but only the other gpu's own step decides.
func (rd *reader) places(tag *element, st *step) *Error {
	chunks := rd.algo.gpus[st.gpu].chunks
	count, bad := tag.number("cnt", 1, 1<<24)
	if bad != nil {
		return bad
	}
	st.count = int32(count)
	for _, side := range []struct {
		buffer, offset string
		used           bool
		into           *buffer
		at             *int32
	}{
		{"srcbuf", "srcoff", st.kind.usesSrc(), &st.src, &st.srcOff},
		{"dstbuf", "dstoff", st.kind.usesDst(), &st.dst, &st.dstOff},
	} {
		word, bad := tag.word(side.buffer, bufferNames[:])
		if bad != nil {
			return bad
		}
		*side.into = buffer(word)
		if !side.used {
			if _, bad := tag.number(side.offset, -1, 1<<30); bad != nil {
				return bad
			}
			continue
		}
		size := chunks[word]
		offset, bad := tag.number(side.offset, 0, 1<<30)
		if bad != nil {
			return bad
		}
		if offset+count > size {
			return refuse(Unreadable, tag.line, "%d chunks from %s[%d] on of gpu %d; accepted: within its %d", count, buffer(word), offset, st.gpu, size)
		}
		*side.at = int32(offset)
	}
	return nil
}

// dependencies looks whether what the steps of a gpu wait for exists.
func (rd *reader) dependencies(id int) error {
	blocks := rd.algo.gpus[id].blocks
	for _, b := range blocks {
		for i := b.first; i < b.last; i++ {
			st := &rd.algo.steps[i]
			if st.depTB < 0 {
				continue
			}
			if int(st.depTB) >= len(blocks) {
				return refuse(Unreadable, int(st.line), "depid=\"%d\"; accepted: a thread block of gpu %d, 0 to %d, or -1", st.depTB, id, len(blocks)-1)
			}
			if other := blocks[st.depTB]; int(st.depStep) >= other.last-other.first {
				return refuse(Unreadable, int(st.line), "deps=\"%d\"; thread block %d of gpu %d has %d steps; accepted: less", st.depStep, st.depTB, id, other.last-other.first)
			}
		}
	}
	return nil
}
