package rank

import (
	"sync/atomic"
	"time"

	"lockstep/engine/kernel"
)

// Mark says that a slice of a move is finished.
type Mark struct {
	Move  int32 // index into Program.Moves
	Slice int32
	At    time.Duration // since the start of the iteration on this rank
}

// Progress is what a run has reached, for another goroutine to read while Exec
// is at it. It is made for one Exec. Exec only stores, the reader only loads:
// neither ever waits for the other.
type Progress struct {
	// Moved counts bytes as they are written, read, copied or filled: a sign
	// that something moves, not a measure of traffic.
	Moved atomic.Int64

	wanted atomic.Bool // the reader would like the next iteration's times
	work   meters

	// Exec writes marks, then their number; epoch counts iterations begun, and
	// is stored before the marks of the one before are overwritten.
	epoch uint64
	count uint64
	marks []mark
	ended uint64   // iterations
	times []uint64 // of them, in nanoseconds

	// The reader's.
	taking uint64 // the epoch that it takes marks of
	taken  int
	read   int // times
}

// mark is a Mark in two words that are stored and loaded whole.
type mark struct{ what, at uint64 }

// NewProgress makes room for a run of that many moves, slices and iterations.
func NewProgress(moves, slices, iterations int) *Progress {
	p := &Progress{marks: make([]mark, moves*slices), times: make([]uint64, iterations)}
	p.wanted.Store(true)
	return p
}

// Take copies marks that have not been taken yet into dst and returns their
// number and the iteration, from 0, that they belong to. Marks of an iteration
// that ended before they were taken are gone; those of the last iteration
// stay. One goroutine calls it.
func (p *Progress) Take(dst []Mark) (iteration, n int) {
	epoch := atomic.LoadUint64(&p.epoch)
	if epoch != p.taking {
		p.taking, p.taken = epoch, 0
	}
	for limit := int(atomic.LoadUint64(&p.count)); n < len(dst) && p.taken+n < limit; n++ {
		m := &p.marks[p.taken+n]
		what := atomic.LoadUint64(&m.what)
		dst[n] = Mark{int32(what >> 32), int32(uint32(what)), time.Duration(atomic.LoadUint64(&m.at))}
	}
	p.wanted.Store(true)
	if atomic.LoadUint64(&p.epoch) != epoch {
		return p.Take(dst) // the next iteration has begun to write over them
	}
	p.taken += n
	return max(int(epoch)-1, 0), n
}

// TakeTimes copies this rank's elapsed times of finished iterations that have
// not been taken yet into dst, and returns the first one's iteration and their
// number. One goroutine calls it.
func (p *Progress) TakeTimes(dst []time.Duration) (first, n int) {
	first = p.read
	for limit := int(atomic.LoadUint64(&p.ended)); n < len(dst) && first+n < limit; n++ {
		dst[n] = time.Duration(atomic.LoadUint64(&p.times[first+n]))
	}
	p.read += n
	return first, n
}

// begin opens iteration i and reports whether its marks shall have times.
func (p *Progress) begin(i int) (timed bool) {
	kernel.StoreRelease64(&p.count, 0)
	kernel.StoreRelease64(&p.epoch, uint64(i)+1)
	return p.wanted.Swap(false)
}

// mark enters the n-th mark of the iteration.
func (p *Progress) mark(n, move, slice int, at time.Duration) {
	m := &p.marks[n]
	store(&m.what, uint64(move)<<32|uint64(uint32(slice)))
	store(&m.at, uint64(at))
	kernel.StoreRelease64(&p.count, uint64(n)+1)
}

// took enters the time of iteration i.
func (p *Progress) took(i int, d time.Duration) {
	kernel.StoreRelease64(&p.times[i], uint64(d))
	kernel.StoreRelease64(&p.ended, uint64(i)+1)
}
