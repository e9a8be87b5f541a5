package msccl

// when says at which moment a message moves. In the file it is sent at one
// moment and received at a later one; in a schedule it does both at once.
type when uint8

const (
	atReceive when = iota // what is sent still lies there when it is received
	atSend                // where it goes, nobody has looked since it was sent
	byBuffer              // neither: it waits in tmp at the receiver
)

// timing decides for every step that receives when its message moves.
func timing(a *algo, m *memory, order []int32) []when {
	decided := make([]when, len(a.steps))
	position := make([]int32, len(a.steps))
	written := make([]int32, m.total) // position + 1 of the last write
	touched := make([]int32, m.total) // of the last read or write
	mark := func(cells []int32, first int, count, at int32) {
		for c := first; c < first+int(count); c++ {
			cells[c] = at
		}
	}
	before := func(cells []int32, first int, count, at int32) bool {
		for c := first; c < first+int(count); c++ {
			if cells[c] > at {
				return false
			}
		}
		return true
	}
	for at, i := range order {
		now := int32(at) + 1
		position[i] = now
		st := &a.steps[i]
		if st.kind == nothing {
			continue
		}
		if st.kind.receives() {
			from := &a.steps[st.from]
			sent, into, then := m.sent(from), m.into(st), position[st.from]
			switch {
			case before(written, sent, st.count, then):
				decided[i] = atReceive
				mark(touched, sent, st.count, now)
			case m.within(st) && before(touched, into, st.count, then):
				decided[i] = atSend
			default:
				decided[i] = byBuffer
			}
		}
		if st.kind.usesSrc() {
			mark(touched, m.source(st), st.count, now)
		}
		if st.kind != send { // all others write; what they send, they have written
			mark(written, m.into(st), st.count, now)
			mark(touched, m.into(st), st.count, now)
		}
	}
	return decided
}
