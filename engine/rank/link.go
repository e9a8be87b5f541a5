package rank

import "time"

// Link connects a rank with its peers. Exec calls everything but Interrupt
// and Close from one thread, and nothing but Barrier and Idle may wait: what
// can't be done at once says so and is called again.
type Link interface {
	// To returns the sending end of the edge to peer, nil if there is none.
	To(peer int) Outlet
	// From returns the receiving end of the edge from peer, nil if there is
	// none.
	From(peer int) Inlet
	// Barrier returns when every rank of the run has called it as often as
	// this one. While it waits it calls idle, whose error ends it.
	Barrier(idle func(turn int) error) error
	// Idle lets time pass after a turn in which nothing could be done: turn
	// counts such turns since something moved, from 1. The first ones return at
	// once, later ones give the processor away, and in the end the thread
	// sleeps until an edge that a call has found empty or full may have
	// changed, for most at the longest. The error says that a peer has gone.
	Idle(turn int, most time.Duration) error
	// Interrupt makes every call, also one that waits, return an error soon.
	// Any goroutine may call it, more than once. Peers notice.
	Interrupt()
	// Close frees what the link holds. Nobody calls anything else any more.
	Close() error
}

// Outlet is the sending end of an edge. A message is what Header says it is,
// at most Most bytes of payload, and is begun when the one before it is done.
type Outlet interface {
	// Most is the longest payload of a message: longer slices travel in parts.
	Most() int
	// Send carries on with a message and reports whether it is done, so that
	// payload may change again. Until then it is called again with the same
	// arguments.
	Send(h *Header, payload []byte) (done bool, err error)
	// Slot returns memory that the receiver will read the next message in, to
	// build its payload there; Publish sends it. Slot returns nil if the link
	// has no such memory, or none free. Far memory is better written past the
	// caches.
	Slot(length int) (memory []byte, far bool)
	Publish(h *Header, length int)
}

// Inlet is the receiving end of an edge. Both its calls take the header that
// is due; another is an ErrFrame.
type Inlet interface {
	// Most is that of the edge's other end.
	Most() int
	// InPlace reports whether View shows bytes where they lie, without copying
	// them first; Receive is then never called.
	InPlace() bool
	// Receive carries on with taking a message into dst and reports whether
	// all of it is there. Until then it is called again with the same
	// arguments.
	Receive(due *Header, dst []byte) (done bool, err error)
	// View returns the payload of the message, which stays until Release; nil
	// as long as it is not all there. The payload of a message without bytes
	// is empty, not nil.
	View(due *Header, length int) (payload []byte, err error)
	Release()
}
