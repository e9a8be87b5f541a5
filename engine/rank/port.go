package rank

import (
	"time"

	"lockstep/engine/unit"
)

// port is one direction of a rank's network port: bytes pass through it one
// behind the other at a fixed rate, shared by all edges of the rank.
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

	free time.Time // when the bytes passed so far are through
	last time.Time // when bytes last passed
}

func newPort(rate unit.Rate) *port { return &port{rate: rate, piece: PieceBytes(rate)} }

// PieceBytes returns how many bytes pass a port of that rate at once, at least
// 1. Pieces of about 2 ms, 64 KiB at most, let edges share it evenly and a
// large slice flow.
func PieceBytes(rate unit.Rate) int { return max(min(64<<10, int(float64(rate)*0.002)), 1) }

func over(bytes int, rate unit.Rate) time.Duration { return unit.Bytes(bytes).Over(rate).Duration() }

// gap is the longest time between two messages that counts as none: the next
// was ready, and the processor was elsewhere.
const gap = 2 * time.Millisecond

// begin opens a message at a time. The time that the port was idle is gone;
// that which a late wake-up cost is not.
func (p *port) begin(now time.Time) {
	if idle := now.Sub(p.last); idle > gap && p.free.Before(now) {
		// A reservation that reaches beyond now is another edge's, under way.
		if p.free = p.free.Add(idle); p.free.After(now) || p.last.IsZero() {
			p.free = now
		}
	}
}

// fresh forgets what was not used until a time.
func (p *port) fresh(now time.Time) {
	if p.free.Before(now) {
		p.free = now
	}
	p.last = now
}

// reserve returns when so many more bytes are through.
func (p *port) reserve(bytes int) time.Time {
	p.free = p.free.Add(over(bytes, p.rate))
	return p.free
}

// passed notes that bytes have passed.
func (p *port) passed(now time.Time) {
	p.last = now
}

// nap is the shortest wait worth going to sleep for. A shorter one stays on
// the port's account and is waited out with the next.
const nap = 100 * time.Microsecond
