package rank

// Link connects a rank with its peers. Implementations count and pace as they
// like; Exec sees only bytes in order.
type Link interface {
	// To returns the sending end of the edge to peer, nil if there is none.
	To(peer int) Outlet
	// From returns the receiving end of the edge from peer, nil if there is
	// none.
	From(peer int) Inlet
	// Barrier returns when every rank of the run has called it as often as
	// this one. One goroutine at a time calls it.
	Barrier() error
	// Close ends every transfer, also those under way in other goroutines,
	// which return an error. It may be called more than once.
	Close() error
}

// Outlet is the sending end of an edge, used by one goroutine at a time.
type Outlet interface {
	// Send writes header and payload one behind the other, without copying
	// them, and returns when both may be reused.
	Send(header, payload []byte) error
}

// Inlet is the receiving end of an edge, used by one goroutine at a time.
type Inlet interface {
	// Await waits for the next message and reads its header.
	Await(header []byte) error
	// Receive fills p with payload. A payload may be taken in parts.
	Receive(p []byte) error
}
