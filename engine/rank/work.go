package rank

import (
	"sync/atomic"
	"time"
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

// meters count a rank's work while it runs.
type meters [WorkKinds]struct{ busy, bytes, slices atomic.Int64 }

func (m *meters) busy(k WorkKind, d time.Duration) { m[k].busy.Add(int64(d)) }

// did enters so many bytes, at a slice's end with the slice.
func (m *meters) did(k WorkKind, bytes, slices int) {
	m[k].bytes.Add(int64(bytes))
	m[k].slices.Add(int64(slices))
}

// Works returns what the rank has done so far. It reads nothing but atomics.
func (p *Progress) Works() Works {
	var all Works
	for k := range all {
		all[k] = Work{time.Duration(p.work[k].busy.Load()), p.work[k].bytes.Load(), p.work[k].slices.Load()}
	}
	return all
}
