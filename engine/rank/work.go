package rank

import (
	"sync/atomic"
	"time"

	"lockstep/engine/kernel"
)

// WorkKind is a kind of work that a rank does itself, as opposed to waiting for
// others.
type WorkKind int

// The kinds of work. What sending and receiving take is mostly waiting for the
// other end, so of these only what a Brake adds counts as time; their bytes
// and slices are what there was to do.
const (
	Copying WorkKind = iota // between buffers of the rank
	Reducing
	Sending
	Receiving
	Holding   // a round of a run in steps; slices are rounds
	WorkKinds = iota
)

// Work is what a rank has done of one kind, and how long it was at it: the
// time between having all that a piece of work needs and having done it, summed
// over all goroutines.
type Work struct {
	Busy   time.Duration
	Bytes  int64
	Slices int64
}

// Works is a rank's work by kind.
type Works [WorkKinds]Work

// meters are a rank's work, for others to read while it runs.
type meters [WorkKinds]struct{ busy, bytes, slices uint64 }

// Works returns what the rank has done so far. It reads nothing but atomics.
func (p *Progress) Works() Works {
	var all Works
	for k := range all {
		m := &p.work[k]
		all[k] = Work{time.Duration(atomic.LoadUint64(&m.busy)), int64(atomic.LoadUint64(&m.bytes)), int64(atomic.LoadUint64(&m.slices))}
	}
	return all
}

const (
	// sampleEvery is of how many pieces of work one is timed at full speed:
	// two looks at the clock would cost a small piece more than itself.
	sampleEvery = 8
	// meterTurn is the idle turn at which the meter is read: there is time.
	meterTurn = 64
	// readFrom is the bytes after which it is read while there is none.
	readFrom = 256 << 10
)

// meter is where Exec counts its own work. What it times of it stands for all
// of it.
type meter struct {
	every int // one piece of so many is timed
	count int
	works Works
	since int // bytes since it was read
}

// start returns the time if the piece of work that begins shall be timed, else
// the zero time.
func (m *meter) start() time.Time {
	if m.count++; m.count < m.every {
		return time.Time{}
	}
	m.count = 0
	return time.Now()
}

// end enters how long a piece of work took that start has looked at.
func (m *meter) end(k WorkKind, begun time.Time) {
	if !begun.IsZero() {
		m.works[k].Busy += time.Duration(m.every) * time.Since(begun)
	}
}

// busy enters time that was spent on a kind of work.
func (m *meter) busy(k WorkKind, d time.Duration) { m.works[k].Busy += d }

// did enters so many bytes, at a slice's end with the slice.
func (m *meter) did(k WorkKind, bytes, slices int) {
	m.works[k].Bytes += int64(bytes)
	m.works[k].Slices += int64(slices)
	m.since += bytes
}

// publish shows what was counted to others.
func (m *meter) publish(to *meters) {
	m.since = 0
	for k := range m.works {
		kernel.StoreRelease64(&to[k].busy, uint64(m.works[k].Busy))
		kernel.StoreRelease64(&to[k].bytes, uint64(m.works[k].Bytes))
		kernel.StoreRelease64(&to[k].slices, uint64(m.works[k].Slices))
	}
}
