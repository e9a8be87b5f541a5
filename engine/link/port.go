package link

import (
	"sync"
	"time"

	"lockstep/engine/unit"
)

// port is one direction of a rank's network port: bytes pass through it one
// behind the other at a fixed rate. mu owns free.
//
// Time is kept absolutely. A message that is under way keeps its claim on the
// time that passes, whether it was a busy processor or the other end that held
// it up, and makes up for it; so the rate holds in the long run, however late
// the operating system wakes us. That cannot run away: the port at the other
// end has a rate too. Only time before a message begins is lost, beyond a
// short allowance.
type port struct {
	rate      unit.Rate
	piece     int           // bytes passed at once, at least 1
	allowance time.Duration // of time not used, so much may be made up for

	mu   sync.Mutex
	free time.Time // when the bytes passed so far are through
}

// newPort returns a port. Pieces of about 2 ms, 64 KiB at most, let edges
// share it evenly and a large slice flow.
func newPort(rate unit.Rate) *port {
	piece := max(min(64<<10, int(float64(rate)*0.002)), 1)
	return &port{rate: rate, piece: piece, allowance: over(piece, rate)}
}

func over(bytes int, rate unit.Rate) time.Duration { return unit.Bytes(bytes).Over(rate).Duration() }

// begin opens a message at a time: what the port has not used until then is
// gone.
func (p *port) begin(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if earliest := now.Add(-p.allowance); p.free.Before(earliest) {
		p.free = earliest
	}
}

// reserve returns when so many more bytes are through.
func (p *port) reserve(bytes int) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = p.free.Add(over(bytes, p.rate))
	return p.free
}

// nap is the shortest wait worth a timer. A shorter one stays on the port's
// account and is waited out with the next.
const nap = 100 * time.Microsecond

// gap is the longest time between two messages on an edge that counts as none:
// the next was ready, and the processor was elsewhere.
const gap = 2 * time.Millisecond

// passage is one edge's way through a port, used by one goroutine at a time.
type passage struct {
	port   *port // nil: no limit
	closed <-chan struct{}
	timer  *time.Timer
	last   time.Time // when bytes last passed
}

func newPassage(p *port, closed <-chan struct{}) passage {
	if p == nil {
		return passage{}
	}
	t := time.NewTimer(time.Hour)
	t.Stop()
	return passage{port: p, closed: closed, timer: t}
}

// piece returns how many of n bytes may pass at once.
func (g *passage) piece(n int) int {
	if g.port == nil {
		return n
	}
	return min(n, g.port.piece)
}

// begin opens a message.
func (g *passage) begin() {
	if g.port == nil {
		return
	}
	if now := time.Now(); now.Sub(g.last) > gap {
		g.port.begin(now)
	}
}

// pass returns when the port has let so many bytes through, or when the link
// is closed, which the next read or write will notice.
func (g *passage) pass(bytes int) {
	if g.port == nil || bytes == 0 {
		return
	}
	through := g.port.reserve(bytes)
	if wait := time.Until(through); wait >= nap {
		g.timer.Reset(wait)
		select {
		case <-g.timer.C:
		case <-g.closed:
		}
	}
	g.last = time.Now()
}
