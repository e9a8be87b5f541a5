package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"testing"

	"github.com/hashicorp/yamux"
)

// frame is a frame of yamux.
func frame(kind byte, flags uint16, length uint32) []byte {
	b := make([]byte, muxHeader)
	b[1] = kind
	binary.BigEndian.PutUint16(b[2:], flags)
	binary.BigEndian.PutUint32(b[8:], length)
	return b
}

// read is what comes through a pingless connection, in pieces of random sizes.
func read(t *testing.T, sent []byte) ([]byte, error) {
	t.Helper()
	a, b := net.Pipe()
	defer b.Close()
	go func() {
		defer a.Close()
		for rest := sent; len(rest) > 0; {
			n := 1 + rand.IntN(min(len(rest), 40))
			if _, err := a.Write(rest[:n]); err != nil {
				return
			}
			rest = rest[n:]
		}
	}()
	return io.ReadAll(Pingless(b))
}

func TestPingsEndASession(t *testing.T) {
	// Bytes of a body that look like a ping are none.
	data := append(frame(muxData, 0, 3*muxHeader), bytes.Repeat(frame(muxPing, muxSYN, 1), 3)...)
	harmless := bytes.Join([][]byte{data, frame(1, muxSYN, 7), frame(muxPing, 2, 9), frame(3, 0, 0), data, frame(muxData, 0, 0)}, nil)
	for range 50 {
		if got, err := read(t, harmless); err != nil || !bytes.Equal(got, harmless) {
			t.Fatalf("%d of %d bytes, %v", len(got), len(harmless), err)
		}
		if _, err := read(t, append(bytes.Clone(harmless), frame(muxPing, muxSYN, 1)...)); !errors.Is(err, ErrPing) {
			t.Fatalf("a ping: %v", err)
		}
	}
}

// The library agrees with us about its frames.
func TestALibrarysPingIsOne(t *testing.T) {
	a, b := net.Pipe()
	quiet := streams(1)
	pinging, err := yamux.Client(a, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer pinging.Close()
	pinged, err := yamux.Server(Pingless(b), quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer pinged.Close()
	if _, err := pinging.Ping(); err == nil {
		t.Error("the ping was answered")
	}
	<-pinged.CloseChan()
}
