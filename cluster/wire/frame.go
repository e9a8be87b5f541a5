package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// How long the frames of each kind may be, in bytes.
const (
	greetingLimit = 8 << 10
	helloLimit    = 128 << 10 // holds an inventory
	answerLimit   = 16 << 10
	controlLimit  = 16 << 10
	headerLimit   = 1 << 10
)

// lengthSize is that of the length before a frame.
const lengthSize = 4

// ErrFrame says that what came is no frame of ours.
var ErrFrame = errors.New("not a frame of this protocol")

// WriteFrame sends v as one frame in one write.
func WriteFrame(w io.Writer, v any, limit int) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	if len(body) > limit {
		return fmt.Errorf("write frame: %d bytes; accepted: at most %d", len(body), limit)
	}
	frame := make([]byte, lengthSize, lengthSize+len(body))
	binary.BigEndian.PutUint32(frame, uint32(len(body)))
	_, err = w.Write(append(frame, body...))
	return err
}

// ReadFrame reads one frame of at most limit bytes into v. It reads nothing
// beyond. The error of a stream that ends before it is io.EOF.
func ReadFrame(r io.Reader, v any, limit int) error {
	var length [lengthSize]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(length[:])
	if uint64(size) > uint64(limit) {
		return fmt.Errorf("read frame: %w: it would be %d bytes; accepted: at most %d", ErrFrame, size, limit)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("read frame: %w", err)
	}
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("read frame: %w: %v", ErrFrame, err)
	}
	return nil
}
