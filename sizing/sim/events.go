package sim

import "lockstep/engine/unit"

// event is something that happens to a part of a message.
type event struct {
	at   unit.Seconds
	part int32
	kind kind
}

type kind uint8

const (
	left      kind = iota // the last byte has left and the ports are free
	delivered             // the last byte has arrived
)

// before orders events by time; ties by part, then kind, so that there is one
// order.
func (e event) before(other event) bool {
	switch {
	case e.at != other.at:
		return e.at < other.at
	case e.part != other.part:
		return e.part < other.part
	}
	return e.kind < other.kind
}
