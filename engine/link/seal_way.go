package link

import (
	"encoding/binary"
	"fmt"

	"lockstep/engine/rank"
)

// A sealed way cuts what passes into frames: a short head and the body that
// follows one each, anything longer as many as there are sealedMost bytes. On
// the wire a frame is the length of its text in four bytes, the sealed text and
// its tag. Both ends move the same messages, so both know the length of the
// next frame; it travels to tell another message from a changed one.

const (
	// sealedMost is the longest text of a frame. Shorter ones cost a system
	// call and a tag more often (an edge that carries 2.9 GB/s with 128 KiB
	// carries 2.7 with 64 and 1.6 with 16); longer ones gain nothing, and the
	// other direction waits for them.
	sealedMost = 128 << 10
	// sealedBrief is the longest head that shares a system call with the frame
	// behind it.
	sealedBrief = 64

	lengthSize = 4
	frameExtra = lengthSize + tagSize // bytes of a frame besides its text
)

// texts returns how much of head and body the next frames hold; the second is 0
// if there is only one.
func texts(head, body []byte) (first, second int) {
	first = min(len(head), sealedMost)
	if first == len(head) && first <= sealedBrief {
		second = min(len(body), sealedMost)
	}
	return first, second
}

// room returns how long the frames are that move together on a lane whose
// messages are at most longest bytes.
func room(longest int) int { return min(longest, sealedBrief+sealedMost) + 2*frameExtra }

// sealed wraps the two directions of a connection whose messages are at most
// longest bytes.
func (s *session) sealed(sending, receiving way, longest int) (way, way) {
	return &sealingWay{way: sending, seal: sealer{suite: s.suite, secret: s.out}, frames: make([]byte, 0, room(longest))},
		&openingWay{way: receiving, seal: sealer{suite: s.suite, secret: s.in}, space: make([]byte, room(longest))}
}

// sealingWay is the sending direction of a sealed connection. What has passed
// is counted when all frames under way have.
type sealingWay struct {
	way
	seal   sealer
	frames []byte // under way
	at     int    // bytes of them that have moved
	text   int    // bytes that they hold; 0 if nothing is under way
}

func (w *sealingWay) move(head, body []byte) (int, error) {
	if len(head) == 0 {
		head, body = body, nil
	}
	if w.text == 0 {
		first, second := texts(head, body)
		w.frames, w.at = w.frames[:0], 0
		if err := w.frame(head[:first]); err != nil {
			return 0, err
		}
		if second > 0 {
			if err := w.frame(body[:second]); err != nil {
				return 0, err
			}
		}
		w.text = first + second
	}
	n, err := w.way.move(w.frames[w.at:], nil)
	if err != nil {
		return 0, err
	}
	if w.at += n; w.at < len(w.frames) {
		return 0, nil
	}
	passed := w.text
	w.text = 0
	return passed, nil
}

// frame appends a frame to those under way.
func (w *sealingWay) frame(text []byte) (err error) {
	w.frames = binary.BigEndian.AppendUint32(w.frames, uint32(len(text)))
	w.frames, err = w.seal.add(w.frames, text)
	return err
}

// openingWay is the receiving direction of a sealed connection. A frame is
// received into memory of its own and opened from there to where it belongs.
type openingWay struct {
	way
	seal      sealer
	space     []byte
	from, end int   // what has come and is not opened
	failed    error // of a frame behind one that was good
}

func (w *openingWay) move(head, body []byte) (int, error) {
	if w.failed != nil {
		return 0, w.failed
	}
	if len(head) == 0 {
		head, body = body, nil
	}
	first, second := texts(head, body)
	due := w.from + first + frameExtra
	if second > 0 {
		due += second + frameExtra
	}
	if w.end < due {
		n, err := w.way.move(w.space[w.end:due], nil)
		if err != nil {
			return 0, err
		}
		w.end += n
	}
	passed, err := w.open(head[:first])
	if passed > 0 && second > 0 {
		// A failure of the second is told after the first has been looked at: a
		// header that is another message's says more.
		var n int
		n, w.failed = w.open(body[:second])
		passed += n
	}
	if w.from == w.end {
		w.from, w.end = 0, 0
	}
	return passed, err
}

// open opens the next frame into text, which is as long as the frame's must be,
// and returns that length; 0 if the frame is not all there.
func (w *openingWay) open(text []byte) (int, error) {
	frame := w.space[w.from:w.end]
	if len(frame) < lengthSize {
		return 0, nil
	}
	if length := binary.BigEndian.Uint32(frame); length != uint32(len(text)) {
		return 0, fmt.Errorf("%w, or %w: of %d bytes, where %d were due", ErrTampered, rank.ErrFrame, length, len(text))
	}
	if len(frame) < len(text)+frameExtra {
		return 0, nil
	}
	if err := w.seal.open(text, frame[lengthSize:len(text)+frameExtra]); err != nil {
		return 0, err
	}
	w.from += len(text) + frameExtra
	return len(text), nil
}
