package link

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"lockstep/engine/rank"
)

// inlet is the receiving end of an edge.
type inlet struct {
	lane
	meter *atomic.Int64
	frame frame

	shown  bool   // View has returned a message that is not released
	buffer []byte // that View receives into, never nil, made when first needed
}

// Most is the longest payload of a message.
func (i *inlet) Most() int { return most }

// InPlace reports that View copies.
func (i *inlet) InPlace() bool { return false }

// Receive carries on with taking a message into dst; see rank.Inlet.
func (i *inlet) Receive(due *rank.Header, dst []byte) (done bool, err error) {
	f := &i.frame
	if !f.begun {
		if err := fits(due, len(dst)); err != nil {
			return false, fmt.Errorf("receive on %v: %w", i.edge, err)
		}
		f.begun = true
	}
	n, err := i.move(f.left(dst))
	if err != nil {
		return false, fmt.Errorf("receive on %v: %w", i.edge, err)
	}
	if n == 0 {
		return false, nil
	}
	late := f.at >= rank.HeaderSize // the header was there before
	i.meter.Add(int64(f.advance(n)))
	if !late && f.at >= rank.HeaderSize {
		if err := due.Match(rank.ParseHeader(f.header())); err != nil {
			return false, fmt.Errorf("receive on %v: %w", i.edge, err)
		}
	}
	if f.at < rank.HeaderSize+len(dst) {
		return false, nil
	}
	if len(dst) <= brevity {
		copy(dst, f.text[rank.HeaderSize:])
	}
	f.at, f.begun = 0, false
	return true, nil
}

// View receives a message into the inlet's own buffer; see rank.Inlet.
func (i *inlet) View(due *rank.Header, length int) (payload []byte, err error) {
	if i.shown {
		return i.buffer[:length:length], nil
	}
	if length > len(i.buffer) {
		if err := fits(due, length); err != nil {
			return nil, fmt.Errorf("receive on %v: %w", i.edge, err)
		}
		// A power of two, so that messages of many sizes need few of them.
		i.buffer = make([]byte, max(1<<bits.Len(uint(length-1)), 4<<10))
	}
	i.shown, err = i.Receive(due, i.buffer[:length])
	if !i.shown {
		return nil, err
	}
	return i.buffer[:length:length], nil
}

// Release frees the buffer for the next message.
func (i *inlet) Release() { i.shown = false }
