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
	conns  map[edge]joint
	closed bool
}

// joint is a connection whose two ends have proved themselves.
type joint struct {
	*net.TCPConn
	session *session // nil if it is not sealed
}

func newGathering(out, in []edge) *gathering {
	return &gathering{out: out, in: in, expected: len(in), conns: map[edge]joint{}}
}

// wants reports whether e is an edge that others are to build to us.
func (g *gathering) wants(e edge) bool { return slices.Contains(g.in, e) }

// add keeps an edge whose other end has proved the key. A second connection of
// the same edge takes the place of the first, which the dialler has given up.
func (g *gathering) add(e edge, conn joint) bool {
	if conn.SetDeadline(time.Time{}) != nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	if old, ok := g.conns[e]; ok {
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
		if _, ok := g.conns[e]; !ok {
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
		if _, ok := g.conns[e]; !ok {
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
