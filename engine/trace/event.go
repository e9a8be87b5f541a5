package trace

import (
	"fmt"
	"time"
)

// Event says that one rank has finished its part of one slice of one step: the
// sender when the bytes have left its buffer, the receiver when they are
// applied, a local step when it is done.
type Event struct {
	Rank      int           `json:"rank"`
	Iteration int           `json:"iteration"` // from 0, the uncounted ones first
	Step      int           `json:"step"`      // the step's ID
	Slice     int           `json:"slice"`
	Side      Side          `json:"side"`
	Bytes     int           `json:"bytes"`
	At        time.Duration `json:"at_ns"` // since the start of the iteration on that rank
}

// Side is a rank's part in a step.
type Side uint8

// The sides of a step.
const (
	Local Side = iota
	Sent
	Received
)

var sideNames = [...]string{"local", "sent", "received"}

func (s Side) String() string {
	if int(s) < len(sideNames) {
		return sideNames[s]
	}
	return "unknown"
}

// MarshalText writes the side as a word.
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word.
func (s *Side) UnmarshalText(text []byte) error {
	for i, name := range sideNames {
		if name == string(text) {
			*s = Side(i)
			return nil
		}
	}
	return fmt.Errorf("unknown side %q; accepted: %v", text, sideNames)
}
