package link

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"lockstep/engine/rank"
)

// fixed is a connection whose other end has said all it will ever say.
type fixed struct {
	io.Reader
	io.Writer
}

// A dialler, given arbitrary bytes for an answer, takes nobody for a peer.
func FuzzReply(f *testing.F) {
	f.Add([]byte{}, false)
	f.Add(make([]byte, replySize+1), true)
	f.Add([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"), true)
	f.Fuzz(func(t *testing.T, text []byte, sealed bool) {
		by := plain
		if sealed {
			by = aesGCM
		}
		if s, err := introduce(fixed{bytes.NewReader(text), io.Discard}, Key{1}, [32]byte{}, edge{0, 1, dataLane}, by); err == nil || s != nil {
			t.Fatalf("%x is taken for a peer", text)
		}
	})
}

// tape is a way on which arbitrary bytes come in pieces.
type tape struct {
	text  []byte
	piece int // bytes at most that come at a time
}

func (w *tape) move(head, body []byte) (int, error) {
	if len(w.text) == 0 {
		return 0, io.EOF
	}
	n := copy(head[:min(len(head), w.piece)], w.text)
	w.text = w.text[n:]
	return n, nil
}

// sheet is a way that takes bytes in pieces.
type sheet struct {
	text  []byte
	piece int
}

func (w *sheet) move(head, body []byte) (int, error) {
	n := min(len(head), w.piece)
	w.text = append(w.text, head[:n]...)
	return n, nil
}

// carry moves head and body, and returns what has passed before an error.
func carry(w way, head, body []byte) (int, error) {
	passed := 0
	for passed < len(head)+len(body) {
		h, b := head, body
		if passed >= len(head) {
			h, b = body[passed-len(head):], nil
		} else {
			h = head[passed:]
		}
		n, err := w.move(h, b)
		if err != nil {
			return passed, err
		}
		passed += n
	}
	return passed, nil
}

// Whatever arrives on a sealed edge, in whatever pieces, the receiver gets what
// was sent, or an error that says what it is; never other bytes.
func FuzzSealedFrames(f *testing.F) {
	f.Add([]byte("right"), uint16(0), []byte{}, uint16(7), false)
	f.Add([]byte("right"), uint16(30), []byte{1}, uint16(1), true)
	f.Add(bytes.Repeat([]byte("long "), 300), uint16(44), []byte{0, 0, 1, 0}, uint16(500), false)
	f.Add([]byte{}, uint16(3), []byte{9}, uint16(3), false)
	f.Fuzz(func(t *testing.T, payload []byte, at uint16, change []byte, piece uint16, stream bool) {
		if len(payload) > most {
			return
		}
		s := suite(aesGCM)
		if stream {
			s = chaCha
		}
		session := &session{suite: s, out: make([]byte, sealKeySize), in: make([]byte, sealKeySize)}
		paper := &sheet{piece: 1 + int(piece)}
		longest := rank.HeaderSize + most
		sending, _ := session.sealed(paper, nil, longest)
		var head [rank.HeaderSize]byte
		header(len(payload), 1).Put(&head)
		if n, err := carry(sending, head[:], payload); err != nil || n != len(head)+len(payload) {
			t.Fatalf("sealed %d of %d bytes: %v", n, len(head)+len(payload), err)
		}
		changed := false
		for i, b := range change {
			if to := int(at) + i; to < len(paper.text) && b != 0 {
				paper.text[to] ^= b
				changed = true
			}
		}
		_, receiving := session.sealed(nil, &tape{paper.text, 1 + int(piece)}, longest)
		gotHead, got := make([]byte, len(head)), make([]byte, len(payload))
		n, err := carry(receiving, gotHead, got)
		switch {
		case !changed && (err != nil || !bytes.Equal(gotHead, head[:]) || !bytes.Equal(got, payload)):
			t.Fatalf("%d bytes came, unchanged: %v", n, err)
		case changed && !errors.Is(err, ErrTampered):
			t.Fatalf("%d bytes came, changed from %d on: %v", n, at, err)
		case n >= len(head) && !bytes.Equal(gotHead, head[:]):
			t.Fatalf("another header came: %x", gotHead)
		}
		if passed := max(0, n-len(head)); !bytes.Equal(got[:passed], payload[:passed]) {
			t.Fatalf("%d bytes of another payload came", passed)
		}
	})
}

// A receiver that gets arbitrary bytes from the start takes none of them.
func FuzzForgedFrames(f *testing.F) {
	f.Add([]byte{0, 0, 0, rank.HeaderSize}, uint16(8), uint16(64))
	f.Add(append([]byte{0, 0, 0, 8}, make([]byte, 100)...), uint16(0), uint16(1))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"), uint16(600), uint16(3))
	f.Fuzz(func(t *testing.T, text []byte, length, piece uint16) {
		session := &session{suite: aesGCM, out: make([]byte, sealKeySize), in: make([]byte, sealKeySize)}
		_, receiving := session.sealed(nil, &tape{text, 1 + int(piece)}, rank.HeaderSize+most)
		n, err := carry(receiving, make([]byte, rank.HeaderSize), make([]byte, length))
		if n != 0 || err == nil {
			t.Fatalf("%d forged bytes came: %v", n, err)
		}
	})
}
