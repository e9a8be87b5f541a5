package link

import (
	"sync"
	"time"

	"lockstep/engine/unit"
)

// port is one direction of a rank's network port: bytes pass through it one
// behind the other at a fixed rate. mu owns free and last.
//
// Time is kept absolutely. A message that is under way keeps its claim on the
// time that passes, whether it was a busy processor or the other end that held
// it up, and makes up for it; so the rate holds in the long run, however late
// the operating system wakes us. That cannot run away: the port at the other
// end has a rate too. Time in which no message is under way is lost, and an
// iteration begins with nothing saved up: no message passes faster than the
// rate allows.
type port struct {
	rate  unit.Rate
	piece int // bytes passed at once, at least 1

	mu   sync.Mutex
	free time.Time // when the bytes passed so far are through
	last time.Time // when bytes last passed
}

// newPort returns a port. Pieces of about 2 ms, 64 KiB at most, let edges
// share it evenly and a large slice flow.
func newPort(rate unit.Rate) *port {
	return &port{rate: rate, piece: max(min(64<<10, int(float64(rate)*0.002)), 1)}
}

func over(bytes int, rate unit.Rate) time.Duration { return unit.Bytes(bytes).Over(rate).Duration() }

// gap is the longest time between two messages that counts as none: the next
// was ready, and the processor was elsewhere.
const gap = 2 * time.Millisecond

// begin opens a message at a time. The time that the port was idle is gone;
// that which a late wake-up cost is not.
func (p *port) begin(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if idle := now.Sub(p.last); idle > gap && p.free.Before(now) {
		// A reservation that reaches beyond now is another edge's, under way.
		if p.free = p.free.Add(idle); p.free.After(now) || p.last.IsZero() {
			p.free = now
		}
	}
}

// fresh forgets what was not used until a time.
func (p *port) fresh(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free.Before(now) {
		p.free = now
	}
	p.last = now
}

// reserve returns when so many more bytes are through.
func (p *port) reserve(bytes int) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = p.free.Add(over(bytes, p.rate))
	return p.free
}

// passed notes that bytes have passed.
func (p *port) passed(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = now
}

// nap is the shortest wait worth a timer. A shorter one stays on the port's
// account and is waited out with the next.
const nap = 100 * time.Microsecond

// passage is one edge's way through a port, used by one goroutine at a time.
type passage struct {
	port   *port // nil: no limit
	closed <-chan struct{}
	timer  *time.Timer
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
	if g.port != nil {
		g.port.begin(time.Now())
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
	g.port.passed(time.Now())
}
