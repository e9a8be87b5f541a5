package link

import (
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"lockstep/engine/kernel"
	"lockstep/engine/rank"
)

// Shm connects ranks of one machine through memory that all of them have
// mapped. It is a rank.Link.
//
// The segment holds, in this order and apart, a word that says whether the
// run is given up, a seat for each rank (where it can be woken, and who it is),
// the words of the barrier, and a ring for each edge of the schedule.
type Shm struct {
	cfg    ShmConfig
	abort  *uint32 // 1 + the rank that gave up first
	seats  []*seat
	own    *seat
	to     map[int]*ringOut
	from   map[int]*ringIn
	meets  [][]*uint64 // by rank, by round of the barrier: the epoch that it was told
	epoch  uint64
	naps   int // sleeps since something moved
	closed atomic.Bool
}

// ShmConfig is a rank's place in a segment.
type ShmConfig struct {
	Plan    ShmPlan
	Memory  []byte // at least Plan.Size bytes, the same for all ranks, zero at the start, 64-byte aligned
	Rank    int
	Crowded bool // there are more ranks than processors: who waits gives its own away at once
	Paced   bool // the run is slowed for eyes: who waits sleeps at once
	Process int  // this process, for the others to see whether it lives; 0 if that is not to be seen
}

const (
	line = 64
	// apart is how far words of different writers lie from each other: a
	// processor that reads a line fetches its neighbours too.
	apart = 256
	// inlineBytes is what fits into a slot's first line, behind the header.
	inlineBytes = 48
)

// seat is where a rank waits.
type seat struct {
	bell     uint32 // changes to wake it
	sleeping uint32 // it may be waiting for the bell
	process  uint32
	_        [line - 12]byte
}

// NewShm takes a rank's place. Every rank of the run must have taken its own
// before Exec begins.
func NewShm(cfg ShmConfig) (*Shm, error) {
	p := cfg.Plan
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("join shared memory as rank %d: %w", cfg.Rank, err)
	}
	if cfg.Rank < 0 || cfg.Rank >= p.Ranks || len(cfg.Memory) < p.Size || !aligned(cfg.Memory) {
		return nil, fmt.Errorf("join shared memory as rank %d of %d: no such rank, or no memory of %d bytes at a line's start", cfg.Rank, p.Ranks, p.Size)
	}
	s := &Shm{cfg: cfg, to: map[int]*ringOut{}, from: map[int]*ringIn{}}
	s.abort = (*uint32)(at(cfg.Memory, 0))
	rounds := barrierRounds(p.Ranks)
	for r := range p.Ranks {
		s.seats = append(s.seats, (*seat)(at(cfg.Memory, apart*(1+r))))
		lines := make([]*uint64, rounds)
		for k := range lines {
			lines[k] = (*uint64)(at(cfg.Memory, apart*(1+p.Ranks+r*rounds+k)))
		}
		s.meets = append(s.meets, lines)
	}
	s.own = s.seats[cfg.Rank]
	for _, r := range p.Rings {
		if cfg.Rank != r.Src && cfg.Rank != r.Dst {
			continue
		}
		populate(cfg.Memory[r.At : r.At+r.size()])
		if cfg.Rank == r.Src {
			s.to[r.Dst] = newRingOut(cfg.Memory, r, s.seats[r.Dst])
		} else {
			s.from[r.Src] = newRingIn(cfg.Memory, r, s.seats[r.Src])
		}
	}
	atomic.StoreUint32(&s.own.process, uint32(cfg.Process))
	return s, nil
}

// To returns the sending end of the edge to peer, nil if there is none.
func (s *Shm) To(peer int) rank.Outlet {
	if r := s.to[peer]; r != nil {
		return r
	}
	return nil
}

// From returns the receiving end of the edge from peer, nil if there is none.
func (s *Shm) From(peer int) rank.Inlet {
	if r := s.from[peer]; r != nil {
		return r
	}
	return nil
}

// Barrier returns when every rank has called it as often as this one. The
// first time the ranks also warm their rings.
func (s *Shm) Barrier(idle func(turn int) error) error {
	if s.epoch == 0 {
		if err := s.warm(idle); err != nil {
			return err
		}
	}
	return s.meet(idle)
}

// warm makes the first pass through the rings as fast as the next. The system
// has made their pages on whichever processor it liked, whose cache still
// holds them; each line of them would be fetched from there, and takes 100 ns
// the first time that a processor reads it.
func (s *Shm) warm(idle func(turn int) error) error {
	for _, out := range s.to {
		out.settle()
	}
	if err := s.meet(idle); err != nil {
		return err
	}
	for _, in := range s.from {
		in.seen += touch(in.memory)
	}
	return nil
}

// meet is a dissemination barrier on lines of the segment: see barrierRounds.
func (s *Shm) meet(idle func(turn int) error) error {
	s.epoch++
	for k := range s.meets[s.cfg.Rank] {
		peer := (s.cfg.Rank + 1<<k) % s.cfg.Plan.Ranks
		kernel.StoreRelease64(s.meets[peer][k], s.epoch)
		s.seats[peer].wake()
		for turn := 1; atomic.LoadUint64(s.meets[s.cfg.Rank][k]) < s.epoch; turn++ {
			if err := idle(turn); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	// hotTurns are those in which not even a pause comes between two looks.
	hotTurns = 16
	// spins is how many turns a rank with a processor of its own waits for
	// before it offers it to others.
	spins = 2000
	// yields is how often it offers it before it sleeps.
	yields = 50
	// firstNap bounds the first sleep: a wake-up may be missed, see seat.wake.
	firstNap = time.Millisecond
	lastNap  = 16 * time.Millisecond
)

// Idle lets time pass.
func (s *Shm) Idle(turn int, most time.Duration) error {
	spin, yields := spins, yields
	if s.cfg.Crowded {
		spin = 0
	}
	if s.cfg.Paced {
		spin, yields = 0, 0
	}
	switch {
	case turn <= spin:
		if turn > hotTurns {
			kernel.Spin(1)
		}
		return nil
	case turn <= spin+yields:
		yield()
		return nil
	}
	if turn == spin+yields+1 {
		s.naps = 0
	}
	if err := s.lost(); err != nil {
		return err
	}
	bell := atomic.LoadUint32(&s.own.bell)
	if atomic.SwapUint32(&s.own.sleeping, 1) == 0 {
		return nil // one more look around, now that others know
	}
	sleep(&s.own.bell, bell, min(firstNap<<min(s.naps, 4), lastNap, most))
	atomic.StoreUint32(&s.own.sleeping, 0)
	s.naps++
	return nil
}

// lost says why nothing more is to come: the run is given up, or a rank's
// process is gone.
func (s *Shm) lost() error {
	if s.closed.Load() {
		return errClosed
	}
	if by := atomic.LoadUint32(s.abort); by != 0 {
		return fmt.Errorf("rank %d has given up", by-1)
	}
	if s.naps < 8 { // some 100 ms
		return nil
	}
	for r, d := range s.seats {
		if p := atomic.LoadUint32(&d.process); p != 0 && !alive(int(p)) {
			return fmt.Errorf("rank %d's process is gone", r)
		}
	}
	return nil
}

var errClosed = fmt.Errorf("shared memory: %w", net.ErrClosed)

// Interrupt gives the run up for all ranks.
func (s *Shm) Interrupt() {
	s.closed.Store(true)
	atomic.CompareAndSwapUint32(s.abort, 0, uint32(s.cfg.Rank)+1)
	for _, d := range s.seats {
		d.ring()
	}
}

// Close forgets the segment, which is its owner's to free.
func (s *Shm) Close() error { return nil }

// wake wakes a rank that sleeps. There is no fence between the store that it
// is woken for and the look at sleeping: one that is just lying down may be
// missed, and wakes by itself a millisecond later. A fence would cost every
// message what this costs almost none.
func (d *seat) wake() {
	if atomic.LoadUint32(&d.sleeping) != 0 {
		d.ring()
	}
}

func (d *seat) ring() {
	atomic.AddUint32(&d.bell, 1)
	atomic.StoreUint32(&d.sleeping, 0)
	rouse(&d.bell)
}
