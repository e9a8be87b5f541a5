package link

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/rank"
	"lockstep/engine/unit"
)

// TCP is the connections of one rank. It is a rank.Link.
type TCP struct {
	to     map[int]*outlet
	from   map[int]*inlet
	tell   []*net.TCPConn // by round of the barrier
	hear   []*net.TCPConn
	conns  []*net.TCPConn
	once   sync.Once
	closed chan struct{}

	ports []*port // sending and receiving; nil without a pace
	held  uint64  // barriers; owned by the goroutine that calls Barrier
	token [8]byte
}

var _ rank.Link = (*TCP)(nil)

func newTCP(cfg Config, conns map[edge]*net.TCPConn) *TCP {
	rounds := barrierRounds(cfg.Ranks)
	t := &TCP{
		to: map[int]*outlet{}, from: map[int]*inlet{}, closed: make(chan struct{}),
		tell: make([]*net.TCPConn, rounds), hear: make([]*net.TCPConn, rounds),
	}
	var sending, receiving *port
	if cfg.Rate > 0 {
		sending, receiving = newPort(cfg.Rate), newPort(cfg.Rate)
	}
	t.ports = []*port{sending, receiving}
	for e, conn := range conns {
		t.conns = append(t.conns, conn)
		if cfg.Rate > 0 && e.lane == dataLane {
			shorten(conn, cfg.Rate)
		}
		switch {
		case e.lane == dataLane && e.src == cfg.Rank:
			t.to[e.dst] = &outlet{edge: e, conn: conn, meter: cfg.Meter, way: newPassage(sending, t.closed)}
		case e.lane == dataLane:
			t.from[e.src] = &inlet{edge: e, conn: conn, meter: cfg.Meter, way: newPassage(receiving, t.closed)}
		case e.src == cfg.Rank:
			t.tell[e.lane-1] = conn
		default:
			t.hear[e.lane-1] = conn
		}
	}
	return t
}

// shorten keeps a sender from running far ahead of its receiver where a person
// watches: about 5 ms of the rate wait in each socket.
func shorten(conn *net.TCPConn, rate unit.Rate) {
	size := int(min(max(float64(rate)*0.005, 64<<10), 256<<10))
	// A system that refuses shows the same run, a little less to the point.
	_ = conn.SetWriteBuffer(size)
	_ = conn.SetReadBuffer(size)
}

// To returns the sending end of the edge to peer, nil if there is none.
func (t *TCP) To(peer int) rank.Outlet {
	if o := t.to[peer]; o != nil {
		return o
	}
	return nil
}

// From returns the receiving end of the edge from peer, nil if there is none.
func (t *TCP) From(peer int) rank.Inlet {
	if i := t.from[peer]; i != nil {
		return i
	}
	return nil
}

// Barrier returns when every rank has called it as often as this one.
func (t *TCP) Barrier() error {
	t.held++
	for k := range t.tell {
		binary.BigEndian.PutUint64(t.token[:], t.held)
		if _, err := t.tell[k].Write(t.token[:]); err != nil {
			return fmt.Errorf("tell the barrier: %w", err)
		}
		if _, err := io.ReadFull(t.hear[k], t.token[:]); err != nil {
			return fmt.Errorf("hear the barrier: %w", err)
		}
		if heard := binary.BigEndian.Uint64(t.token[:]); heard != t.held {
			return fmt.Errorf("%w: barrier %d of a peer, where %d was due", rank.ErrFrame, heard, t.held)
		}
	}
	now := time.Now()
	for _, p := range t.ports {
		if p != nil {
			p.fresh(now)
		}
	}
	return nil
}

// Close cuts every connection; transfers in other goroutines return an error.
func (t *TCP) Close() error {
	t.once.Do(func() {
		close(t.closed)
		for _, conn := range t.conns {
			conn.Close()
		}
	})
	return nil
}

type outlet struct {
	edge    edge
	conn    *net.TCPConn
	meter   *atomic.Int64
	way     passage
	parts   [2][]byte   // kept here so that sending allocates nothing
	buffers net.Buffers // of parts
}

// Send writes header and payload in one system call where the port allows it.
func (o *outlet) Send(header, payload []byte) error {
	o.way.begin()
	for first := true; first || len(payload) > 0; first = false {
		n := o.way.piece(len(payload))
		o.parts[0], o.parts[1] = header, payload[:n]
		o.buffers = o.parts[:]
		if _, err := o.buffers.WriteTo(o.conn); err != nil {
			return fmt.Errorf("send on %v: %w", o.edge, err)
		}
		o.meter.Add(int64(n))
		o.way.pass(n)
		header, payload = nil, payload[n:]
	}
	return nil
}

type inlet struct {
	edge  edge
	conn  *net.TCPConn
	meter *atomic.Int64
	way   passage
}

// Await waits for the next message and reads its header.
func (i *inlet) Await(header []byte) error {
	if _, err := io.ReadFull(i.conn, header); err != nil {
		return fmt.Errorf("receive on %v: %w", i.edge, err)
	}
	i.way.begin()
	return nil
}

// Receive fills p.
func (i *inlet) Receive(p []byte) error {
	const most = 1 << 20 // so that the meter moves however long p is
	for len(p) > 0 {
		n := min(i.way.piece(len(p)), most)
		if _, err := io.ReadFull(i.conn, p[:n]); err != nil {
			return fmt.Errorf("receive on %v: %w", i.edge, err)
		}
		i.meter.Add(int64(n))
		i.way.pass(n)
		p = p[n:]
	}
	return nil
}
