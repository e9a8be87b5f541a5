package link

import (
	"net"
	"slices"
	"sync"
	"time"
)

// gathering holds the edges of a rank while they are built.
type gathering struct {
	out, in  []edge
	expected int // len(in)

	mu     sync.Mutex
	conns  map[edge]*net.TCPConn
	closed bool
}

func newGathering(out, in []edge) *gathering {
	return &gathering{out: out, in: in, expected: len(in), conns: map[edge]*net.TCPConn{}}
}

// wants reports whether e is an edge that others are to build to us.
func (g *gathering) wants(e edge) bool { return slices.Contains(g.in, e) }

// add keeps an edge whose other end has proved the key. A second connection of
// the same edge takes the place of the first, which the dialler has given up.
func (g *gathering) add(e edge, conn *net.TCPConn) bool {
	if conn.SetDeadline(time.Time{}) != nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	if old := g.conns[e]; old != nil {
		old.Close()
	}
	g.conns[e] = conn
	return true
}

// allIn reports whether all edges to us stand.
func (g *gathering) allIn() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, e := range g.in {
		if g.conns[e] == nil {
			return false
		}
	}
	return true
}

// missing returns the edges that do not stand.
func (g *gathering) missing() []edge {
	g.mu.Lock()
	defer g.mu.Unlock()
	var list []edge
	for _, e := range slices.Concat(g.out, g.in) {
		if g.conns[e] == nil {
			list = append(list, e)
		}
	}
	return list
}

// closeAll ends a gathering that failed.
func (g *gathering) closeAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for _, conn := range g.conns {
		conn.Close()
	}
}

// callers are the connections in the handshake, the oldest first.
type callers struct {
	mu   sync.Mutex
	list []net.Conn
}

// add enters a caller; beyond the limit the oldest is cut.
func (c *callers) add(conn net.Conn, limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.list) >= limit {
		c.list[0].Close()
		c.list = slices.Delete(c.list, 0, 1)
	}
	c.list = append(c.list, conn)
}

// remove takes a caller out whose handshake is over; false if it has been cut.
func (c *callers) remove(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.list, conn)
	if i >= 0 {
		c.list = slices.Delete(c.list, i, i+1)
	}
	return i >= 0
}

// closeAll cuts those still in the handshake.
func (c *callers) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.list {
		conn.Close()
	}
}
