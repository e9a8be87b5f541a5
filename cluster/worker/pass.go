package worker

import (
	"encoding/binary"
	"fmt"
	"io"
)

// maxOrder bounds what a console says to a worker besides the job: the longest
// is where all its peers are.
const maxOrder = 64 << 10

// Pass passes on to a worker what a console on another machine says, until the
// console says no more. A job is not passed on, nor anything that a console
// does not say: that is the error. A worker that reads no more is none.
func Pass(w io.Writer, console io.Reader) error {
	frame := make([]byte, headerSize)
	for {
		frame = frame[:headerSize]
		if _, err := io.ReadFull(console, frame); err != nil {
			return nil
		}
		k, length := kind(frame[0]), binary.BigEndian.Uint32(frame[1:])
		switch {
		case k != kindPeers && k != kindFetch && k != kindQuit && k != kindBrake:
			return fmt.Errorf("pass on to a worker: message %d, which is not a console's to send", k)
		case length > maxOrder:
			return fmt.Errorf("pass on to a worker: message %d of %d bytes; accepted: %d", k, length, maxOrder)
		}
		frame = append(frame, make([]byte, length)...)
		if _, err := io.ReadFull(console, frame[headerSize:]); err != nil {
			return nil
		}
		if _, err := w.Write(frame); err != nil {
			return nil
		}
	}
}
