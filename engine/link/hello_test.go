package link

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
)

func TestHandshake(t *testing.T) {
	key, other := NewKey(), NewKey()
	run := sha256.Sum256([]byte("r1"))
	due := edge{1, 2, dataLane}
	for _, c := range []struct {
		name             string
		dialler          Key
		run              [32]byte
		edge             edge
		accepts, dialled bool
	}{
		{"right", key, run, due, true, true},
		{"wrong key", other, run, due, false, false},
		{"other run", key, sha256.Sum256([]byte("r2")), due, false, false},
		{"other edge", key, run, edge{2, 1, dataLane}, false, false},
		{"other lane", key, run, edge{1, 2, 1}, false, false},
	} {
		a, b := net.Pipe()
		var wait sync.WaitGroup
		wait.Go(func() {
			defer a.Close()
			if _, err := introduce(a, c.dialler, c.run, c.edge, plain); (err == nil) != c.dialled {
				t.Errorf("%s: dialler: %v", c.name, err)
			}
		})
		e, _, err := receive(b, key, run, func(h *hello) bool { return h.edge == due })
		if (err == nil) != c.accepts || err == nil && e != due {
			t.Errorf("%s: acceptor: %v, %v", c.name, e, err)
		}
		if err == nil {
			_, _ = b.Write([]byte{standing})
		}
		b.Close()
		wait.Wait()
	}
}

// An end that only echoes what it hears proves nothing.
func TestEchoProvesNothing(t *testing.T) {
	a, b := net.Pipe()
	var wait sync.WaitGroup
	wait.Go(func() {
		defer b.Close()
		var first [helloSize]byte
		_, _ = io.ReadFull(b, first[:])
		reply := append(first[nonceAt:nonceAt+nonceSize:nonceAt+nonceSize], make([]byte, macSize)...)
		_, _ = b.Write(reply)
	})
	if _, err := introduce(a, NewKey(), [32]byte{}, edge{0, 1, 0}, aesGCM); !errors.Is(err, errProof) {
		t.Error(err)
	}
	a.Close()
	wait.Wait()
}

func FuzzHello(f *testing.F) {
	h := hello{edge: edge{3, 4, 2}}
	right := h.put(Key{1})
	f.Add(right[:])
	f.Add(right[:20])
	f.Add([]byte("GET / HTTP/1.1\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		// The acceptor, given arbitrary bytes, neither panics nor lets in.
		conn := struct {
			io.Reader
			io.Writer
		}{bytes.NewReader(text), io.Discard}
		if _, _, err := receive(conn, Key{1}, [32]byte{}, func(*hello) bool { return true }); err == nil {
			t.Fatalf("%x is let in", text)
		}
		if len(text) < helloSize {
			return
		}
		b := [helloSize]byte(text)
		if h, err := parseHello(Key{1}, &b); err == nil {
			if again := h.put(Key{1}); again != b {
				t.Fatalf("%x reads as %+v, which is %x", b, h, again)
			}
		}
	})
}
