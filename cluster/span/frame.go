package span

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// kind is what a frame of the control stream holds.
type kind byte

const (
	kindShare kind = 1 + iota
	kindAccept
	kindRefuse
	kindBeat
	kindSignal
	kindGone
	kindLeave
	kindEnd
	kindOver
)

var kindNames = [...]string{"", "share", "accept", "refuse", "beat", "signal", "gone", "leave", "end", "over"}

func (k kind) String() string {
	if k >= kindShare && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", byte(k))
}

const (
	headerSize = 5
	maxBody    = 16 << 10
	maxShare   = 64 << 20 // an imported schedule grows with its steps
)

// limit returns how long the body of such a frame may be; negative for no kind
// of ours.
func (k kind) limit() int {
	switch {
	case k == kindShare:
		return maxShare
	case k >= kindShare && k <= kindOver:
		return maxBody
	}
	return -1
}

// frame makes a frame; v is its body, nil for none.
func newFrame(k kind, v any) ([]byte, error) {
	frame := make([]byte, headerSize, headerSize+64)
	if v != nil {
		body, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("send %s: %w", k, err)
		}
		frame = append(frame, body...)
	}
	length := len(frame) - headerSize
	if length > k.limit() {
		return nil, fmt.Errorf("send %s: %d bytes; accepted: %d", k, length, k.limit())
	}
	frame[0] = byte(k)
	binary.BigEndian.PutUint32(frame[1:], uint32(length))
	return frame, nil
}

// readFrame reads a frame. What it takes grows with what has come, not with
// what was announced. The error of a stream that ends between frames is io.EOF.
func readFrame(r io.Reader) (kind, []byte, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return 0, nil, err
	}
	k, length := kind(header[0]), int64(binary.BigEndian.Uint32(header[1:]))
	if limit := int64(k.limit()); limit < 0 || length > limit {
		return 0, nil, &foreignError{k, length}
	}
	var body bytes.Buffer
	if n, err := io.CopyN(&body, r, length); err != nil {
		return 0, nil, fmt.Errorf("read %s: %w after %d of %d bytes", k, err, n, length)
	}
	return k, body.Bytes(), nil
}

// foreignError is a frame that no end of this version sends.
type foreignError struct {
	kind   kind
	length int64
}

func (e *foreignError) Error() string {
	return fmt.Sprintf("it sent a message (%s, %d bytes) that is none of this version's", e.kind, e.length)
}

// parse reads the body of a frame.
func parse[T any](k kind, body []byte) (T, error) {
	var v T
	if err := json.Unmarshal(body, &v); err != nil {
		return v, fmt.Errorf("it sent a message (%s) that cannot be read: %w", k, err)
	}
	return v, nil
}
