package rank

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrFrame marks bytes on an edge that are not those that its schedule asks
// for at this point: a bug, or two programs that do not belong together.
var ErrFrame = errors.New("unexpected frame")

// frameSize is the length of a frame's header on the wire.
const frameSize = 24

// frame is the header of one slice on an edge. Both ends know what comes next;
// the header lets the receiver check it.
type frame struct {
	run       uint32 // the run's tag
	iteration uint32
	step      uint32
	slice     uint32
	length    uint64 // of the payload, in bytes
}

func (f frame) put(b *[frameSize]byte) {
	binary.BigEndian.PutUint32(b[0:], f.run)
	binary.BigEndian.PutUint32(b[4:], f.iteration)
	binary.BigEndian.PutUint32(b[8:], f.step)
	binary.BigEndian.PutUint32(b[12:], f.slice)
	binary.BigEndian.PutUint64(b[16:], f.length)
}

func parseFrame(b *[frameSize]byte) frame {
	return frame{
		run: binary.BigEndian.Uint32(b[0:]), iteration: binary.BigEndian.Uint32(b[4:]), step: binary.BigEndian.Uint32(b[8:]),
		slice: binary.BigEndian.Uint32(b[12:]), length: binary.BigEndian.Uint64(b[16:]),
	}
}

// match returns an ErrFrame if got is not the frame that is due.
func (f frame) match(got frame) error {
	if got == f {
		return nil
	}
	if got.run != f.run {
		return fmt.Errorf("%w: of another run (tag %08x, not %08x)", ErrFrame, got.run, f.run)
	}
	return fmt.Errorf("%w: iteration %d step %d slice %d with %d bytes, where iteration %d step %d slice %d with %d bytes was due",
		ErrFrame, got.iteration, got.step, got.slice, got.length, f.iteration, f.step, f.slice, f.length)
}
