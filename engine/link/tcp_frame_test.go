package link

import (
	"bytes"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"lockstep/engine/rank"
)

func TestAnotherHeaderIsRefused(t *testing.T) {
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		for _, length := range []int{0, 8, 100_000} {
			links := connected(t, 2, adjust)
			payload := make([]byte, length)
			if err := until(links[0], func() (bool, error) { return links[0].To(1).Send(header(length, 4), payload) }); err != nil {
				t.Fatal(err)
			}
			err := until(links[1], func() (bool, error) { return links[1].From(0).Receive(header(length, 5), payload) })
			if !errors.Is(err, rank.ErrFrame) || !strings.Contains(err.Error(), "0->1") {
				t.Errorf("%d bytes: %v", length, err)
			}
			_ = links[0].Close()
			_ = links[1].Close()
		}
	})
}

func TestHeaderThatDoesNotFitIsRefused(t *testing.T) {
	links := connected(t, 2, nil)
	for length, h := range map[int]*rank.Header{3: header(4, 0), most + 1: header(most+1, 0)} {
		if _, err := links[0].To(1).Send(h, make([]byte, length)); !errors.Is(err, rank.ErrFrame) {
			t.Error(err)
		}
		if _, err := links[0].From(1).Receive(h, make([]byte, length)); !errors.Is(err, rank.ErrFrame) {
			t.Error(err)
		}
		if _, err := links[0].From(1).View(h, length); !errors.Is(err, rank.ErrFrame) {
			t.Error(err)
		}
	}
}

func FuzzHeader(f *testing.F) {
	var right [rank.HeaderSize]byte
	header(8, 1).Put(&right)
	f.Add(right[:])
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < rank.HeaderSize {
			return
		}
		b := [rank.HeaderSize]byte(text)
		h := rank.ParseHeader(&b)
		var again [rank.HeaderSize]byte
		if h.Put(&again); again != b {
			t.Fatalf("%x reads as %v, which is %x", b, h, again)
		}
		if err := header(8, 1).Match(h); (err == nil) != (b == right) || err != nil && !errors.Is(err, rank.ErrFrame) {
			t.Fatalf("%x: %v", b, err)
		}
	})
}

// A peer that sends anything at all after the handshake gets a receiver to
// return an error or the message that was due.
func FuzzStream(f *testing.F) {
	var right [rank.HeaderSize]byte
	header(8, 0).Put(&right)
	f.Add(append(right[:], "12345678"...), uint16(8), false)
	f.Add(append(right[:], "1234"...), uint16(8), true)
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"), uint16(0), false)
	f.Add(bytes.Repeat([]byte{255}, 5000), uint16(4096), true)
	f.Fuzz(func(t *testing.T, text []byte, length uint16, portable bool) {
		near, far := tcpPair(t)
		cfg := Config{Rank: 0, Ranks: 2, Meter: new(atomic.Int64), Portable: portable}
		l, err := newTCP(&cfg, map[edge]joint{{1, 0, dataLane}: {TCPConn: near}}) // no barrier here
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if _, err := far.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := far.Close(); err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, length)
		err = until(l, func() (bool, error) { return l.From(1).Receive(header(len(dst), 0), dst) })
		var due [rank.HeaderSize]byte
		header(len(dst), 0).Put(&due)
		switch whole := rank.HeaderSize + len(dst); {
		case len(text) >= whole && bytes.Equal(text[:rank.HeaderSize], due[:]):
			if err != nil || !bytes.Equal(dst, text[rank.HeaderSize:whole]) {
				t.Fatalf("%d bytes with the right header: %v", len(text), err)
			}
		case err == nil:
			t.Fatalf("%d bytes are taken for a message of %d", len(text), len(dst))
		}
	})
}

// tcpPair returns the two ends of a connection.
func tcpPair(t *testing.T) (near, far *net.TCPConn) {
	t.Helper()
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("tcp4", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	far, err = listener.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	return conn.(*net.TCPConn), far
}
