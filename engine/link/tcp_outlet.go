package link

import (
	"fmt"
	"sync/atomic"

	"lockstep/engine/rank"
)

// outlet is the sending end of an edge.
type outlet struct {
	lane
	meter *atomic.Int64
	frame frame
}

// Most is the longest payload of a message.
func (o *outlet) Most() int { return most }

// Send carries on with a message; see rank.Outlet.
func (o *outlet) Send(h *rank.Header, payload []byte) (done bool, err error) {
	f := &o.frame
	if !f.begun {
		if err := fits(h, len(payload)); err != nil {
			return false, fmt.Errorf("send on %v: %w", o.edge, err)
		}
		h.Put(f.header())
		if len(payload) <= brevity {
			copy(f.text[rank.HeaderSize:], payload)
		}
		f.begun = true
	}
	n, err := o.move(f.left(payload))
	if err != nil {
		return false, fmt.Errorf("send on %v: %w", o.edge, err)
	}
	if n == 0 {
		return false, nil
	}
	o.meter.Add(int64(f.advance(n)))
	if f.at < rank.HeaderSize+len(payload) {
		return false, nil
	}
	f.at, f.begun = 0, false
	return true, nil
}

// Slot returns nil: a socket has no memory that the receiver reads in place.
func (o *outlet) Slot(int) (memory []byte, far bool) { return nil, false }

// Publish is only for what Slot returns.
func (o *outlet) Publish(*rank.Header, int) { panic("link: a TCP edge has no slots to publish") }
