package worker

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// kind is what a frame holds.
type kind byte

const (
	kindHello kind = 1 + iota
	kindListening
	kindReady
	kindBeat
	kindMarks
	kindTimes
	kindDigests
	kindPiece
	kindFault

	kindJob
	kindPeers
	kindFetch
	kindQuit
	kindBrake
)

const (
	headerSize = 5
	maxBody    = 1 << 20
	maxJob     = 64 << 20 // a program grows with its steps
)

// limit returns how long a frame of that kind may be; negative for no kind of
// ours.
func (k kind) limit() int {
	switch {
	case k == kindJob:
		return maxJob
	case k >= kindHello && k <= kindBrake:
		return maxBody
	}
	return -1
}

// stream sends and reads frames. Any goroutine may send; one reads.
type stream struct {
	conn io.ReadWriteCloser
	in   *bufio.Reader // the reading goroutine's

	mu  sync.Mutex // owns out, and keeps frames whole
	out []byte
}

func newStream(conn io.ReadWriteCloser) *stream {
	return &stream{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
}

// send writes one frame.
func (s *stream) send(k kind, body []byte) error {
	if len(body) > k.limit() {
		return fmt.Errorf("send message %d: %d bytes; accepted: %d", k, len(body), k.limit())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out = append(s.out[:0], byte(k))
	s.out = binary.BigEndian.AppendUint32(s.out, uint32(len(body)))
	s.out = append(s.out, body...)
	_, err := s.conn.Write(s.out)
	if cap(s.out) > 2*maxBody {
		s.out = nil // a job is sent once
	}
	return err
}

func (s *stream) sendJSON(k kind, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("send message %d: %w", k, err)
	}
	return s.send(k, body)
}

// receive reads one frame. The error of a stream that ends between frames is
// io.EOF.
func (s *stream) receive() (kind, []byte, error) { return readFrame(s.in) }

func readFrame(r io.Reader) (kind, []byte, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return 0, nil, err
	}
	k, length := kind(header[0]), binary.BigEndian.Uint32(header[1:])
	if limit := k.limit(); limit < 0 || uint64(length) > uint64(limit) {
		return 0, nil, fmt.Errorf("read message: kind %d with %d bytes; accepted: %d at most", k, length, limit)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return 0, nil, fmt.Errorf("read message %d: %w", k, io.ErrUnexpectedEOF)
	}
	return k, body, nil
}
