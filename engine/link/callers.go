package link

import (
	"net"
	"slices"
	"sync"
)

// callers are the connections in the handshake. Those that have said nothing
// good yet are strangers; those whose hello is right are acquainted. Each kind
// has a limit of its own, so that no flood of strangers cuts a rank that has
// got a word in.
type callers struct {
	limit int // of each kind

	mu         sync.Mutex
	strangers  []net.Conn // the oldest first
	acquainted []net.Conn
}

// enter adds to a list; beyond the limit the oldest is cut.
func (c *callers) enter(list *[]net.Conn, conn net.Conn) {
	if len(*list) >= c.limit {
		(*list)[0].Close()
		*list = slices.Delete(*list, 0, 1)
	}
	*list = append(*list, conn)
}

// leave takes a connection out of a list; false if it has been cut.
func leave(list *[]net.Conn, conn net.Conn) bool {
	i := slices.Index(*list, conn)
	if i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
	return i >= 0
}

// add enters a stranger.
func (c *callers) add(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.enter(&c.strangers, conn)
}

// acquaint makes an acquaintance of a stranger; false if it has been cut.
func (c *callers) acquaint(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !leave(&c.strangers, conn) {
		return false
	}
	c.enter(&c.acquainted, conn)
	return true
}

// remove takes a caller out whose handshake is over; false if it has been cut.
func (c *callers) remove(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return leave(&c.acquainted, conn) || leave(&c.strangers, conn)
}

// closeAll cuts those still in the handshake.
func (c *callers) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range slices.Concat(c.strangers, c.acquainted) {
		conn.Close()
	}
}
