package rank

import (
	"time"

	"lockstep/engine/kernel"
	"lockstep/engine/schedule"
)

const (
	// localPiece is how much of a local move is done in a turn.
	localPiece = 256 << 10
	// blockBytes is what a result is made of at a time where it goes to more
	// than one place: it is still in the first-level cache when it is copied.
	blockBytes = 4 << 10
)

// lane carries out the moves of one edge in one direction, or the local ones.
// A slice that is longer than a message travels in parts.
type lane struct {
	x       *execution
	actions []*action // in the order in which they are played
	out     Outlet    // of a lane that sends
	in      Inlet     // of a lane that receives
	inPlace bool      // of in
	most    int       // bytes of a part, whole elements
	port    *port     // nil at full speed

	// Where it stands: slice j of actions[k], in a burst that began with slice
	// first; offset bytes of it are done.
	k, j, first int
	ended       bool // nothing left in this iteration
	open        bool // the slice may run: what it waits for is done
	from, size  int  // its bytes in the action
	offset      int
	header      Header

	passing bool          // a part is moved, and on its way through the port
	moved   time.Time     // when it was moved
	through time.Time     // when it is through
	handing bool          // the part lies in a slot of the edge that it goes on to
	took    time.Duration // what the slice's work has taken; counted while braked
	debt    time.Duration // owed to the brake
	scratch [blockBytes]byte
}

// head returns the action that is due.
func (l *lane) head() *action { return l.actions[l.k] }

// rewind goes back to the start of the iteration.
func (l *lane) rewind() {
	l.k, l.j, l.first = 0, 0, 0
	l.ended, l.open, l.passing = false, false, false
}

// next goes on to the next slice.
func (l *lane) next() {
	l.open = false
	slices, burst := l.x.Slices, l.x.Burst
	if burst == 0 {
		burst = slices
	}
	if l.j++; l.j < min(l.first+burst, slices) {
		return
	}
	a := l.actions[l.k]
	l.j = l.first
	if l.k++; l.k < a.legEnd {
		return
	}
	// The leg's last action: its next burst, or the next leg.
	if l.first += burst; l.first < slices {
		l.j = l.first
		for l.k--; l.k > 0 && l.actions[l.k-1].legEnd == a.legEnd; {
			l.k--
		}
		return
	}
	l.j, l.first = 0, 0
	l.ended = l.k == len(l.actions)
}

// ready reports whether slice j of a may run. The move `instead`, if not -1,
// counts as having done one slice more than it has.
func (x *execution) ready(a *action, j, instead int) bool {
	if a.Round > x.gate {
		return false
	}
	for i := range a.After {
		after := &a.After[i]
		need := int32(x.Slices)
		if after.Sliced {
			need = int32(j + 1)
		}
		has := x.done[after.Move]
		if after.Move == instead {
			has++
		}
		if has < need {
			return false
		}
	}
	return true
}

// try goes on with the lane's slice as far as it can and reports whether
// anything was done.
func (l *lane) try() (moved bool, err error) {
	a := l.actions[l.k]
	if !l.open {
		if !l.x.ready(a, l.j, -1) {
			return false, nil
		}
		l.start(a)
	}
	if l.passing {
		now := time.Now()
		if l.through.Sub(now) >= nap {
			return false, nil
		}
		if l.x.Brake.braked() {
			l.took += now.Sub(l.moved)
		}
		l.port.passed(now)
		l.passing = false
		return l.passed(a)
	}
	length := min(l.size-l.offset, l.most)
	l.header.Length = uint32(length)
	var begun time.Time
	if l.x.Brake.braked() {
		begun = time.Now()
	}
	var done bool
	switch a.Kind {
	case schedule.Here:
		done = true
		l.local(a, length)
	case schedule.Send:
		done, err = l.out.Send(&l.header, a.src[l.from+l.offset:l.from+l.offset+length])
	default:
		done, err = l.receive(a, length)
	}
	if err != nil || !done {
		return false, err
	}
	if !begun.IsZero() {
		l.took += time.Since(begun)
	}
	l.offset += length
	l.x.moved(a.work(), length)
	if l.port != nil {
		l.moved = time.Now()
		l.port.begin(l.moved)
		if length > 0 {
			l.through, l.passing = l.port.reserve(length), true
			return true, nil
		}
	}
	return l.passed(a)
}

// start opens the slice that is due.
func (l *lane) start(a *action) {
	l.from, l.size, l.offset, l.open = 0, a.elements*l.x.Width, 0, true
	if l.x.Slices > 1 { // two divisions
		first, length := Cut(a.elements, l.x.Slices, l.j)
		l.from, l.size = first*l.x.Width, length*l.x.Width
	}
	l.header = Header{Tag: l.x.Tag, Iteration: l.x.iteration, Step: uint32(a.Step), Slice: uint32(l.j)}
}

// passed ends a part, and with the last one the slice.
func (l *lane) passed(a *action) (bool, error) {
	if l.offset < l.size {
		l.header.Part++
		return true, nil
	}
	if err := l.finish(a); err != nil || !l.handing {
		return true, err
	}
	l.handing = false
	return true, a.onward.lane.handOn(a.onward)
}

// moved counts bytes of a kind of work, and shows it now and then: of a slice
// that takes long, nothing else is seen.
func (x *execution) moved(k WorkKind, bytes int) {
	x.meter.did(k, bytes, 0)
	if x.meter.since >= readFrom || x.meter.every == 1 {
		x.Progress.Moved.Add(int64(x.meter.since))
		x.meter.publish(&x.Progress.work)
	}
}

// finish enters that the slice is done.
func (l *lane) finish(a *action) error {
	x := l.x
	k := a.work()
	x.meter.did(k, 0, 1)
	if l.took > 0 {
		var err error
		took := l.took
		l.took = 0
		if l.debt, err = x.rest(k, took, l.debt); err != nil {
			return err
		}
	}
	x.done[a.index]++
	if !x.Silent {
		var at time.Duration
		if x.timed {
			at = time.Since(x.start)
		}
		x.Progress.mark(x.finished, a.index, l.j, at)
	}
	x.finished++
	l.next()
	return nil
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

// local does a part of a local move.
func (l *lane) local(a *action, length int) {
	if a.empty {
		return
	}
	begun := l.x.meter.start()
	from, to := l.from+l.offset, l.from+l.offset+length
	if a.Op == schedule.Reduce {
		l.x.Reduce(a.dst[from:to], a.own[from:to], a.src[from:to])
	} else {
		copy(a.dst[from:to], a.src[from:to])
	}
	l.x.meter.end(a.work(), begun)
}

// receive takes a part that has arrived: a copy into its place, a reduce onto
// what is there.
func (l *lane) receive(a *action, length int) (bool, error) {
	from, to := l.from+l.offset, l.from+l.offset+length
	dst := a.dst[from:to]
	if !l.inPlace && a.Op == schedule.Copy {
		return l.in.Receive(&l.header, dst)
	}
	payload, err := l.in.View(&l.header, length)
	if payload == nil {
		return false, err
	}
	begun := l.x.meter.start()
	slot, far := l.slot(a, length)
	switch {
	case slot == nil && !l.x.stream && a.Op == schedule.Copy:
		copy(dst, payload)
	case slot == nil && !l.x.stream:
		l.x.Reduce(dst, a.own[from:to], payload)
	default:
		l.spread(a, dst, a.own[from:to], payload, slot, far)
	}
	if l.x.stream || far {
		kernel.Fence()
	}
	l.in.Release()
	l.x.meter.end(a.work(), begun)
	l.handing = slot != nil
	return true, nil
}

// slot returns memory for a slice that is received as a whole and goes right
// on to another rank, if that edge is at the point of sending it; far as
// Outlet.Slot has it.
func (l *lane) slot(a *action, length int) (slot []byte, far bool) {
	send := a.onward
	if send == nil || length != l.size || l.port != nil || l.x.Brake.braked() {
		return nil, false
	}
	out := send.lane
	if out.ended || out.open || out.head() != send || out.j != l.j || length > out.most || !l.x.ready(send, l.j, a.index) {
		return nil, false
	}
	return out.out.Slot(length)
}

// spread writes what a part comes to, to its place and to a slot, a block at a
// time.
func (l *lane) spread(a *action, dst, own, payload, slot []byte, far bool) {
	step := len(l.scratch) / l.x.Width * l.x.Width
	for i := 0; i < len(dst); i += step {
		end := min(i+step, len(dst))
		block := payload[i:end]
		if a.Op == schedule.Reduce {
			block = l.scratch[:end-i]
			if !l.x.stream {
				block = dst[i:end]
			}
			l.x.Reduce(block, own[i:end], payload[i:end])
		}
		switch {
		case l.x.stream:
			kernel.Stream(dst[i:end], block)
		case a.Op == schedule.Copy:
			copy(dst[i:end], block)
		}
		switch {
		case slot != nil && far:
			kernel.Stream(slot[i:end], block)
		case slot != nil:
			copy(slot[i:end], block)
		}
	}
}

// handOn sends the slice that is due, which lies in a slot already.
func (l *lane) handOn(a *action) error {
	l.start(a)
	l.header.Length = uint32(l.size)
	l.out.Publish(&l.header, l.size)
	l.x.moved(a.work(), l.size)
	return l.finish(a)
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
