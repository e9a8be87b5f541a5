package rank

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrFrame marks a message on an edge that is not the one that its schedule
// asks for at this point: a bug, or two programs that do not belong together.
var ErrFrame = errors.New("unexpected frame")

// Header says which message of a run this is. Both ends know what comes next;
// the header lets the receiver check it.
type Header struct {
	Tag       uint32 // the run's
	Iteration uint32
	Step      uint32
	Slice     uint32
	Part      uint32 // of a slice that is longer than a message
	Length    uint32 // of the payload, in bytes
}

// HeaderSize is the length of a header on the wire.
const HeaderSize = 24

// Put writes the header as it travels.
func (h *Header) Put(b *[HeaderSize]byte) {
	binary.LittleEndian.PutUint32(b[0:], h.Tag)
	binary.LittleEndian.PutUint32(b[4:], h.Iteration)
	binary.LittleEndian.PutUint32(b[8:], h.Step)
	binary.LittleEndian.PutUint32(b[12:], h.Slice)
	binary.LittleEndian.PutUint32(b[16:], h.Part)
	binary.LittleEndian.PutUint32(b[20:], h.Length)
}

// ParseHeader reads what Put has written.
func ParseHeader(b *[HeaderSize]byte) Header {
	return Header{
		Tag: binary.LittleEndian.Uint32(b[0:]), Iteration: binary.LittleEndian.Uint32(b[4:]), Step: binary.LittleEndian.Uint32(b[8:]),
		Slice: binary.LittleEndian.Uint32(b[12:]), Part: binary.LittleEndian.Uint32(b[16:]), Length: binary.LittleEndian.Uint32(b[20:]),
	}
}

// Match returns an ErrFrame if got is not the header that is due.
func (h *Header) Match(got Header) error {
	switch {
	case got == *h:
		return nil
	case got.Tag != h.Tag:
		return fmt.Errorf("%w: of another run (tag %08x, not %08x)", ErrFrame, got.Tag, h.Tag)
	}
	return fmt.Errorf("%w: %v, where %v was due", ErrFrame, got, *h)
}

func (h Header) String() string {
	return fmt.Sprintf("iteration %d step %d slice %d part %d with %d bytes", h.Iteration, h.Step, h.Slice, h.Part, h.Length)
}
