package rank

import (
	"cmp"
	"fmt"
	"slices"

	"lockstep/engine/schedule"
)

// action is a move bound to memory.
type action struct {
	*schedule.Move
	index int // in Program.Moves

	// src is what a Send or a local move reads, dst what a Recv or a local
	// move writes. own is what a reduce finds in dst's place: dst itself, or
	// the input that a copy would have put there. nil at the other rank's end.
	src, dst, own []byte

	elements int
	empty    bool    // a local copy that nobody needs
	legEnd   int     // index behind the last action of its leg in the lane
	onward   *action // the Send that hands on what this receives; nil for none
	lane     *lane
}

// bind cuts the program into lanes and binds its moves to memory.
func (x *execution) bind() error {
	type key struct {
		kind schedule.Kind
		peer int
	}
	byKey := map[key]*lane{}
	actions := x.place()
	for i := range actions {
		a := &actions[i]
		l := byKey[key{a.Kind, a.Peer}]
		if l == nil {
			var err error
			if l, err = x.newLane(a); err != nil {
				return err
			}
			byKey[key{a.Kind, a.Peer}] = l
			x.lanes = append(x.lanes, l)
		}
		a.lane = l
		l.actions = append(l.actions, a)
		if _, longest := Cut(a.elements, x.Slices, 0); longest*x.Width >= longSlice {
			x.long = true
		}
	}
	order := map[schedule.Kind]int{schedule.Send: 0, schedule.Here: 1, schedule.Recv: 2}
	slices.SortStableFunc(x.lanes, func(a, b *lane) int { return order[a.actions[0].Kind] - order[b.actions[0].Kind] })
	for _, l := range x.lanes {
		l.arrange(x.Burst)
	}
	x.connect(actions)
	return nil
}

// arrange puts the lane's actions in the order in which they are played.
func (l *lane) arrange(burst int) {
	if burst == 0 { // in the order of steps
		for i, a := range l.actions {
			a.legEnd = i + 1
		}
		return
	}
	slices.SortStableFunc(l.actions, func(a, b *action) int { return cmp.Compare(a.Leg, b.Leg) })
	end := len(l.actions)
	for i := len(l.actions) - 1; i >= 0; i-- {
		if i+1 < len(l.actions) && l.actions[i+1].Leg != l.actions[i].Leg {
			end = i + 1
		}
		l.actions[i].legEnd = end
	}
}

func (x *execution) newLane(a *action) (*lane, error) {
	l := &lane{x: x}
	switch a.Kind {
	case schedule.Here:
		l.most = localPiece
	case schedule.Send:
		if l.out = x.Link.To(a.Peer); l.out != nil {
			l.most, l.port = l.out.Most(), x.sending
		}
	case schedule.Recv:
		if l.in = x.Link.From(a.Peer); l.in != nil {
			l.most, l.port, l.inPlace = l.in.Most(), x.receiving, l.in.InPlace()
		}
	}
	if l.most == 0 {
		return nil, fmt.Errorf("bind rank %d: step %d needs an edge with rank %d that the link does not have", x.Program.Rank, a.Step, a.Peer)
	}
	if l.port != nil {
		l.most = min(l.most, l.port.piece)
	}
	l.most = max(l.most/x.Width*x.Width, x.Width)
	return l, nil
}

// place binds every move to memory. Where a chunk is copied out of in, which
// never changes, and whoever reads it next can as well read in, it is read
// there, and the copy moves nothing.
func (x *execution) place() []action {
	frame := x.Program.Frame()
	moves := x.Program.Moves
	actions := make([]action, len(moves))
	at := func(buf schedule.Buf, chunk, count int) []byte {
		first, end := frame.ChunkStart(x.Elements, chunk), frame.ChunkStart(x.Elements, chunk+count)
		return x.Memory.buffer(buf)[first*x.Width : end*x.Width]
	}
	lent := newLending()
	for i := range moves {
		m := &moves[i]
		a := &actions[i]
		a.Move, a.index = m, i
		if m.Kind != schedule.Recv {
			a.src = at(m.SrcBuf, m.SrcChunk, m.Count)
			if chunk, ok := lent.read(m.SrcBuf, m.SrcChunk, m.Count); ok {
				a.src = at(schedule.In, chunk, m.Count)
			}
			a.elements = len(a.src) / x.Width
		}
		if m.Kind == schedule.Send {
			continue
		}
		a.dst = at(m.DstBuf, m.DstChunk, m.Count)
		a.own = a.dst
		a.elements = len(a.dst) / x.Width
		switch {
		case m.Op == schedule.Reduce:
			if chunk, ok := lent.read(m.DstBuf, m.DstChunk, m.Count); ok {
				a.own = at(schedule.In, chunk, m.Count)
			}
			lent.write(m.DstBuf, m.DstChunk, m.Count)
		case m.Kind == schedule.Here && m.SrcBuf == schedule.In:
			lent.lend(i, m)
		default:
			lent.write(m.DstBuf, m.DstChunk, m.Count)
		}
	}
	for i := range lent.empty() {
		actions[i].empty = true
	}
	return actions
}

// connect finds for each Recv the Send that hands on exactly what it writes.
func (x *execution) connect(actions []action) {
	for i := range actions {
		send := &actions[i]
		if send.Kind != schedule.Send {
			continue
		}
		for _, after := range send.After {
			recv := &actions[after.Move]
			same := recv.Kind == schedule.Recv && recv.DstBuf == send.SrcBuf && recv.DstChunk == send.SrcChunk && recv.Count == send.Count
			if same && after.Sliced && recv.onward == nil {
				recv.onward = send
			}
		}
	}
}
