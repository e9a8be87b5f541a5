package link

import (
	"errors"
	"io"
	"net"
	"time"
)

// transport moves the bytes of all connections of a rank. Its methods but
// interrupt, and those of its ways, belong to the thread that runs the rank.
type transport interface {
	// idle is rank.Link's Idle.
	idle(turn int, most time.Duration) error
	// interrupt cuts all connections. Any goroutine may call it.
	interrupt()
	// close waits until nothing touches memory that a way was given, then
	// frees everything. A second call does nothing.
	close() error
	// adopt takes a connection over and returns its two directions.
	adopt(conn *net.TCPConn) (sending, receiving way, err error)
}

// way is one direction of a connection.
type way interface {
	// move carries on with sending, or filling, head and then body, and returns
	// how many bytes more have passed, 0 if none could for now. It is called
	// with what is left until all has; meanwhile both belong to the way. Only
	// then may it be called with something else.
	move(head, body []byte) (int, error)
}

// pace counts the turns since something moved. The caller's count knows only of
// messages that are complete; here a part of one is progress.
type pace struct {
	moved bool // something, since the last turn
	since int  // the caller's turn before which something last moved
}

// vain returns how many turns have passed in vain before this one.
func (p *pace) vain(turn int) int {
	if p.moved || turn <= p.since {
		p.moved, p.since = false, turn-1
	}
	return turn - p.since - 1
}

// nap returns how long to sleep when count naps have ended without news. One
// that ends early lets the caller look around.
func nap(count int, most time.Duration) time.Duration {
	return max(0, min(firstNap<<min(count, 4), lastNap, most))
}

// gone is the error of a connection that the other end has left.
type gone struct{ err error }

func (g gone) Error() string { return "the peer has gone: " + g.err.Error() }
func (g gone) Unwrap() error { return g.err }

// broken returns what a failed read or write means.
func broken(err error, cut bool) error {
	switch {
	case cut:
		return net.ErrClosed
	case errors.Is(err, io.EOF):
		return gone{io.ErrUnexpectedEOF}
	}
	return gone{err}
}
