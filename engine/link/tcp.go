package link

import (
	"encoding/binary"
	"fmt"
	"time"

	"lockstep/engine/rank"
)

// TCP is the connections of one rank. It is a rank.Link.
type TCP struct {
	transport transport
	to        []*outlet // by peer
	from      []*inlet
	tell      []lane // by round of the barrier
	hear      []lane
	held      uint64 // barriers
	token     [8]byte
}

var _ rank.Link = (*TCP)(nil)

// lane is a way with its name.
type lane struct {
	way
	edge edge
}

// newTCP takes over connections. On an error all of them are closed.
func newTCP(cfg *Config, conns map[edge]joint) (*TCP, error) {
	transport, err := newTransport(cfg)
	if err == nil {
		var t *TCP
		if t, err = lay(cfg, conns, transport); err == nil {
			return t, nil
		}
		_ = transport.close() // the failure is what counts
	}
	for _, conn := range conns {
		_ = conn.Close() // twice for those that were taken over, without harm
	}
	return nil, err
}

// lay gives every lane its way.
func lay(cfg *Config, conns map[edge]joint, transport transport) (*TCP, error) {
	rounds := barrierRounds(cfg.Ranks)
	t := &TCP{
		transport: transport,
		to:        make([]*outlet, cfg.Ranks), from: make([]*inlet, cfg.Ranks),
		tell: make([]lane, rounds), hear: make([]lane, rounds),
	}
	for e, conn := range conns {
		data := e.lane == dataLane || e.lane == sharedLane
		if data && cfg.Buffer > 0 {
			// A system that refuses shows the same run, a little less to the point.
			_ = conn.SetWriteBuffer(cfg.Buffer)
			_ = conn.SetReadBuffer(cfg.Buffer)
		}
		sending, receiving, err := transport.adopt(conn.TCPConn)
		if err != nil {
			return nil, fmt.Errorf("set up edge %v: %w", e, err)
		}
		if conn.session != nil {
			longest := rank.HeaderSize + most
			if !data {
				longest = len(t.token)
			}
			sending, receiving = conn.session.sealed(sending, receiving, longest)
		}
		peer := e.src + e.dst - cfg.Rank
		leaves, arrives := edge{cfg.Rank, peer, e.lane}, edge{peer, cfg.Rank, e.lane}
		if data {
			leaves.lane, arrives.lane = dataLane, dataLane
		}
		if data && (e.src == cfg.Rank || e.lane == sharedLane) {
			t.to[peer] = &outlet{lane: lane{sending, leaves}, meter: cfg.Meter}
		}
		if data && (e.dst == cfg.Rank || e.lane == sharedLane) {
			t.from[peer] = &inlet{lane: lane{receiving, arrives}, meter: cfg.Meter, buffer: []byte{}}
		}
		if !data && e.src == cfg.Rank {
			t.tell[e.lane-1] = lane{sending, leaves}
		}
		if !data && e.dst == cfg.Rank {
			t.hear[e.lane-1] = lane{receiving, arrives}
		}
	}
	return t, nil
}

// To returns the sending end of the edge to peer, nil if there is none.
func (t *TCP) To(peer int) rank.Outlet {
	if peer >= 0 && peer < len(t.to) && t.to[peer] != nil {
		return t.to[peer]
	}
	return nil
}

// From returns the receiving end of the edge from peer, nil if there is none.
func (t *TCP) From(peer int) rank.Inlet {
	if peer >= 0 && peer < len(t.from) && t.from[peer] != nil {
		return t.from[peer]
	}
	return nil
}

// Barrier returns when every rank has called it as often as this one.
func (t *TCP) Barrier(idle func(turn int) error) error {
	t.held++
	for k := range t.tell {
		binary.BigEndian.PutUint64(t.token[:], t.held)
		if err := t.pass(&t.tell[k], idle); err != nil {
			return fmt.Errorf("tell the barrier on %v: %w", t.tell[k].edge, err)
		}
		if err := t.pass(&t.hear[k], idle); err != nil {
			return fmt.Errorf("hear the barrier on %v: %w", t.hear[k].edge, err)
		}
		if heard := binary.BigEndian.Uint64(t.token[:]); heard != t.held {
			return fmt.Errorf("%w: barrier %d of a peer on %v, where %d was due", rank.ErrFrame, heard, t.hear[k].edge, t.held)
		}
	}
	return nil
}

// pass sends or receives the token.
func (t *TCP) pass(l *lane, idle func(turn int) error) error {
	for at, turn := 0, 1; ; turn++ {
		n, err := l.move(t.token[at:], nil)
		if err != nil {
			return err
		}
		if n > 0 {
			turn = 0
		}
		if at += n; at == len(t.token) {
			return nil
		}
		if n == 0 {
			if err := idle(turn); err != nil {
				return err
			}
		}
	}
}

// Idle lets time pass; see rank.Link.
func (t *TCP) Idle(turn int, most time.Duration) error { return t.transport.idle(turn, most) }

// Interrupt cuts every connection. What was sent and not yet read may be lost.
func (t *TCP) Interrupt() { t.transport.interrupt() }

// Close closes every connection; what was sent still arrives. Until then a
// payload whose call has not reported that it is done may be read and written.
func (t *TCP) Close() error { return t.transport.close() }
