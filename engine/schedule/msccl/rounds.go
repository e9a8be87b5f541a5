package msccl

import "lockstep/engine/schedule"

// place is a chunk of one of our own buffers.
type place struct {
	buf   schedule.Buf
	chunk int32
}

// nowhere is where the chunks of the file lie that hold nothing.
var nowhere = place{schedule.Tmp, -1}

// mark says in which rounds a place was last read and written.
type mark struct {
	read, wrote int32
	reduced     bool // by a reduce: another may follow in the same round
}

// rounds gives every step the earliest round that the steps before it allow.
type rounds struct {
	marks [][2][]mark // by rank; of out and tmp, in is never written
	used  map[link]int32
	steps []schedule.Step // in the order in which they came
	lines []int32
	last  int32
}

func newRounds(ranks int) *rounds {
	return &rounds{marks: make([][2][]mark, ranks), used: map[link]int32{}}
}

// at returns the mark of a place that is not in.
func (r *rounds) at(rank int32, p place) *mark {
	list := &r.marks[rank][0]
	if p.buf == schedule.Tmp {
		list = &r.marks[rank][1]
	}
	for int(p.chunk) >= len(*list) {
		*list = append(*list, mark{})
	}
	return &(*list)[p.chunk]
}

// add enters steps of one kind that go together from src to dst, in the same
// round: later than whatever they touch was written, or read where they write,
// and later than the message before them on the same link.
func (r *rounds) add(op schedule.Op, src, dst int32, from, into []place, over *link, line int32) {
	round := int32(1)
	for i := range from {
		if from[i].buf != schedule.In {
			round = max(round, r.at(src, from[i]).wrote+1)
		}
		d := r.at(dst, into[i])
		wrote := d.wrote + 1
		if op == schedule.Reduce && d.reduced {
			wrote = d.wrote
		}
		round = max(round, d.read+1, wrote)
	}
	if over != nil {
		round = max(round, r.used[*over]+1)
		r.used[*over] = round
	}
	r.last = max(r.last, round)
	for i := range from {
		if from[i].buf != schedule.In {
			m := r.at(src, from[i])
			m.read = max(m.read, round)
		}
		d := r.at(dst, into[i])
		d.wrote, d.reduced = round, op == schedule.Reduce
		r.steps = append(r.steps, schedule.Step{
			Round: int(round), Src: int(src), Dst: int(dst), Op: op, Count: 1,
			SrcBuf: from[i].buf, SrcChunk: int(from[i].chunk), DstBuf: into[i].buf, DstChunk: int(into[i].chunk),
		})
		r.lines = append(r.lines, line)
	}
}

// finish puts the steps in the order of their rounds, neighbours joined, and
// returns them with the line of each.
func (r *rounds) finish() ([]schedule.Step, []int32) {
	start := make([]int, r.last+2)
	for i := range r.steps {
		start[r.steps[i].Round]++
	}
	sum := 0
	for i, n := range start {
		start[i], sum = sum, sum+n
	}
	order := make([]int, len(r.steps))
	for i := range r.steps {
		at := &start[r.steps[i].Round]
		order[*at] = i
		*at++
	}
	steps, lines := make([]schedule.Step, 0, len(order)), make([]int32, 0, len(order))
	for _, i := range order {
		step := r.steps[i]
		if n := len(steps); n > 0 && follows(&steps[n-1], &step) {
			steps[n-1].Count++
			continue
		}
		step.ID = len(steps)
		steps, lines = append(steps, step), append(lines, r.lines[i])
	}
	return steps, lines
}

// follows reports whether y is the next chunk of what x moves.
func follows(x, y *schedule.Step) bool {
	return x.Round == y.Round && x.Src == y.Src && x.Dst == y.Dst && x.Op == y.Op && x.SrcBuf == y.SrcBuf && x.DstBuf == y.DstBuf &&
		x.SrcChunk+x.Count == y.SrcChunk && x.DstChunk+x.Count == y.DstChunk
}
