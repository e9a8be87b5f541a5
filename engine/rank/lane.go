package rank

import (
	"fmt"
	"sync"
	"time"

	"lockstep/engine/schedule"
)

const (
	// scratchBytes bounds what a lane holds of a slice that it reduces: a part
	// that stays in the second-level cache between arriving and being added.
	scratchBytes = 256 << 10
	// pieceBytes is how much is copied or read at once, so that Progress.Moved
	// keeps moving however long a slice is.
	pieceBytes = 1 << 20
)

// lane carries out the moves of one edge in one direction, or the local ones,
// in the order of their IDs. Its goroutine owns it, except for the fields
// below mu.
type lane struct {
	x       *execution
	actions []action
	out     Outlet        // of a sending lane
	in      Inlet         // of a receiving lane
	scratch []byte        // of a lane that receives and reduces
	begun   time.Time     // when the slice under way had all that it needs
	debt    time.Duration // owed to the brake
	header  [frameSize]byte

	// execution.mu owns these.
	wake   *sync.Cond
	awaits int   // the move that the lane waits for, -1 for none
	need   int32 // with so many slices
}

// action is a move bound to memory.
type action struct {
	*schedule.Move
	index    int    // in Program.Moves
	src, dst []byte // nil at the other rank's end
	elements int
}

// bind cuts the program into lanes.
func (x *execution) bind() error {
	type key struct {
		kind schedule.Kind
		peer int
	}
	frame := x.Program.Frame()
	byKey := map[key]*lane{}
	for i := range x.Program.Moves {
		m := &x.Program.Moves[i]
		l := byKey[key{m.Kind, m.Peer}]
		if l == nil {
			l = &lane{x: x, wake: sync.NewCond(x.mu), awaits: -1}
			switch m.Kind {
			case schedule.Send:
				l.out = x.Link.To(m.Peer)
			case schedule.Recv:
				l.in = x.Link.From(m.Peer)
			}
			if m.Kind == schedule.Send && l.out == nil || m.Kind == schedule.Recv && l.in == nil {
				return fmt.Errorf("bind rank %d: step %d needs an edge with rank %d that the link does not have", x.Program.Rank, m.Step, m.Peer)
			}
			byKey[key{m.Kind, m.Peer}] = l
			x.lanes = append(x.lanes, l)
		}
		a := action{Move: m, index: i}
		place := func(buf schedule.Buf, chunk int) []byte {
			first := frame.ChunkStart(x.Elements, chunk)
			a.elements = frame.ChunkStart(x.Elements, chunk+m.Count) - first
			return x.Memory.buffer(buf)[first*x.Width : (first+a.elements)*x.Width]
		}
		if m.Kind != schedule.Recv {
			a.src = place(m.SrcBuf, m.SrcChunk)
		}
		if m.Kind != schedule.Send {
			a.dst = place(m.DstBuf, m.DstChunk)
		}
		if m.Kind == schedule.Recv && m.Op == schedule.Reduce {
			_, longest := Cut(a.elements, x.Slices, 0)
			if want := min(longest*x.Width, scratchBytes/x.Width*x.Width); want > len(l.scratch) {
				l.scratch = make([]byte, want)
			}
		}
		l.actions = append(l.actions, a)
	}
	return nil
}

// Cut returns where slice j of a run of elements begins and how long it is
// when the run is cut into that many slices: nearly equal, the first ones
// longer, none at all where there are fewer elements than slices.
func Cut(elements, slices, j int) (first, length int) {
	base, longer := elements/slices, elements%slices
	first = j*base + min(j, longer)
	if j < longer {
		base++
	}
	return first, base
}

// run plays every iteration.
func (l *lane) run() {
	for i := range l.x.Iterations {
		if !l.awaitIteration(i) {
			return
		}
		for k := range l.actions {
			a := &l.actions[k]
			for j := range l.x.Slices {
				if !l.await(a, j) {
					return
				}
				if err := l.slice(a, i, j); err != nil {
					l.x.fail(&StepError{a.Step, a.Round, a.Peer, err})
					return
				}
				var ok bool
				if l.debt, ok = l.x.rest(a.work(), time.Since(l.begun), l.debt); !ok {
					return
				}
				l.finish(a, j)
			}
		}
	}
}

func (l *lane) awaitIteration(i int) bool {
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	for l.x.epoch <= i && l.x.err == nil {
		l.wake.Wait()
	}
	return l.x.err == nil
}

// await returns when slice j of a may start; false after a failure.
func (l *lane) await(a *action, j int) bool {
	x := l.x
	x.mu.Lock()
	defer x.mu.Unlock()
	for a.Round > x.gate && x.err == nil {
		l.wake.Wait()
	}
	for _, after := range a.After {
		need := int32(x.Slices)
		if after.Sliced {
			need = int32(j + 1)
		}
		for x.done[after.Move] < need && x.err == nil {
			l.awaits, l.need = after.Move, need
			l.wake.Wait()
		}
	}
	l.awaits = -1
	return x.err == nil
}

// finish enters that slice j of a is done, and wakes whom that frees.
func (l *lane) finish(a *action, j int) {
	x := l.x
	x.mu.Lock()
	defer x.mu.Unlock()
	x.done[a.index]++
	x.Progress.marks = append(x.Progress.marks, Mark{int32(a.index), int32(j), time.Since(x.start)})
	// One finished slice frees few lanes of many: wake only those.
	for _, other := range x.lanes {
		if other.awaits == a.index && x.done[a.index] >= other.need {
			other.wake.Signal()
		}
	}
	if len(x.Progress.marks) == x.want {
		x.idle.Signal()
	}
}

// work is the kind of work that a is.
func (a *action) work() WorkKind {
	switch {
	case a.Kind == schedule.Send:
		return Sending
	case a.Op == schedule.Reduce:
		return Reducing
	case a.Kind == schedule.Recv:
		return Receiving
	}
	return Copying
}

// slice moves slice j of a.
func (l *lane) slice(a *action, iteration, j int) error {
	first, length := Cut(a.elements, l.x.Slices, j)
	from, to := first*l.x.Width, (first+length)*l.x.Width
	work := &l.x.Progress.work
	defer work.did(a.work(), 0, 1)
	switch a.Kind {
	case schedule.Here:
		l.begun = time.Now()
		l.local(a, a.dst[from:to], a.src[from:to])
		return nil
	case schedule.Send:
		l.begun = time.Now()
		l.frame(a, iteration, j, to-from).put(&l.header)
		work.did(Sending, to-from, 0)
		return l.out.Send(l.header[:], a.src[from:to])
	}
	if err := l.in.Await(l.header[:]); err != nil {
		return err
	}
	l.begun = time.Now()
	if err := l.frame(a, iteration, j, to-from).match(parseFrame(&l.header)); err != nil {
		return err
	}
	if a.Op == schedule.Reduce {
		return l.receiveReduce(a.dst[from:to])
	}
	work.did(Receiving, to-from, 0)
	return l.in.Receive(a.dst[from:to])
}

func (l *lane) frame(a *action, iteration, j, length int) frame {
	return frame{l.x.Tag, uint32(iteration), uint32(a.Step), uint32(j), uint64(length)}
}

func (l *lane) local(a *action, dst, src []byte) {
	work, kind := &l.x.Progress.work, a.work()
	for len(dst) > 0 {
		n := min(len(dst), pieceBytes)
		begun := time.Now()
		if kind == Reducing {
			l.x.Kernel(dst[:n], src[:n])
		} else {
			copy(dst[:n], src[:n])
		}
		work.busy(kind, time.Since(begun))
		work.did(kind, n, 0)
		l.x.Progress.Moved.Add(int64(n))
		dst, src = dst[n:], src[n:]
	}
}

func (l *lane) receiveReduce(dst []byte) error {
	work := &l.x.Progress.work
	for len(dst) > 0 {
		part := l.scratch[:min(len(dst), len(l.scratch))]
		if err := l.in.Receive(part); err != nil {
			return err
		}
		begun := time.Now()
		l.x.Kernel(dst[:len(part)], part)
		work.busy(Reducing, time.Since(begun))
		work.did(Reducing, len(part), 0)
		dst = dst[len(part):]
	}
	return nil
}
