package rank

import (
	"sync"
	"sync/atomic"
	"time"
)

// Mark says that a slice of a move is finished.
type Mark struct {
	Move  int32 // index into Program.Moves
	Slice int32
	At    time.Duration // since the start of the iteration on this rank
}

// Progress is what a run has reached, for a goroutine beside Exec to read. It
// is made for one Exec.
type Progress struct {
	// Moved counts bytes as they are written, read, copied or filled: a sign
	// that something moves, not a measure of traffic.
	Moved atomic.Int64
	work  meters

	mu        sync.Mutex // owns the rest
	iteration int
	marks     []Mark // of iteration, in the order in which they happened
	taken     int    // marks that Take has returned
	times     []time.Duration
	timesRead int
}

// NewProgress makes room for a run of that many moves, slices and iterations.
func NewProgress(moves, slices, iterations int) *Progress {
	return &Progress{marks: make([]Mark, 0, moves*slices), times: make([]time.Duration, 0, iterations)}
}

// Take copies marks that have not been taken yet into dst and returns their
// number and the iteration, from 0, that they belong to. Marks of an iteration
// that ended before they were taken are gone; those of the last iteration
// stay.
func (p *Progress) Take(dst []Mark) (iteration, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = copy(dst, p.marks[p.taken:])
	p.taken += n
	return p.iteration, n
}

// TakeTimes copies this rank's elapsed times of finished iterations that have
// not been taken yet into dst, and returns the first one's iteration and their
// number.
func (p *Progress) TakeTimes(dst []time.Duration) (first, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first = p.timesRead
	n = copy(dst, p.times[first:])
	p.timesRead += n
	return first, n
}
