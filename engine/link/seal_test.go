package link

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lockstep/engine/rank"
)

// framed is how long a message without much payload is on the wire.
func framed(payload int) int { return rank.HeaderSize + payload + frameExtra }

// Whatever happens to sealed bytes on the way, the receiver says so and names
// the edge, and takes no message that was not sent.
func TestTamperingIsNoticed(t *testing.T) {
	const length = 8
	take := func(from io.Reader, messages int) []byte {
		b := make([]byte, messages*framed(length))
		_, _ = io.ReadFull(from, b)
		return b
	}
	flip := func(at int) func(io.Reader, io.Writer) {
		return func(from io.Reader, to io.Writer) {
			b := take(from, 3)
			b[2*framed(length)+at] ^= 1
			_, _ = to.Write(b)
		}
	}
	for name, alter := range map[string]func(from io.Reader, to io.Writer){
		"length":  flip(lengthSize - 1),
		"header":  flip(lengthSize),
		"payload": flip(lengthSize + rank.HeaderSize + 3),
		"tag":     flip(framed(length) - 1),
		"dropped bytes": func(from io.Reader, to io.Writer) {
			b := take(from, 4)
			_, _ = to.Write(append(b[:2*framed(length)+9:2*framed(length)+9], b[2*framed(length)+10:]...))
		},
		"dropped frame": func(from io.Reader, to io.Writer) {
			_, _ = to.Write(take(from, 2))
			take(from, 1)
		},
		"reordered": func(from io.Reader, to io.Writer) {
			_, _ = to.Write(take(from, 2))
			first, second := take(from, 1), take(from, 1)
			_, _ = to.Write(append(second, first...))
		},
		"replayed": func(from io.Reader, to io.Writer) {
			b := take(from, 2)
			_, _ = to.Write(append(b, b[framed(length):]...))
		},
		"inserted": func(from io.Reader, to io.Writer) {
			_, _ = to.Write(append(take(from, 2), make([]byte, framed(length))...))
		},
	} {
		for _, portable := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/portable %v", name, portable), func(t *testing.T) {
				links, errs := tapped(t, func(c *Config) { c.Portable = portable }, nil, func(lane int, from io.Reader, to io.Writer) {
					if lane == dataLane {
						alter(from, to)
					}
				})
				if err := errors.Join(errs...); err != nil {
					t.Fatal(err)
				}
				h, payload := header(length, 0), []byte("12345678")
				for range 6 {
					if err := until(links[0], func() (bool, error) { return links[0].To(1).Send(h, payload) }); err != nil {
						t.Fatal(err)
					}
				}
				got, space := 0, make([]byte, length)
				var err error
				for err == nil {
					if err = until(links[1], func() (bool, error) { return links[1].From(0).Receive(h, space) }); err == nil {
						got++
						if !bytes.Equal(space, payload) {
							t.Fatalf("message %d is %q", got, space)
						}
					}
				}
				if got != 2 || !errors.Is(err, ErrTampered) || !strings.Contains(err.Error(), "0->1") {
					t.Errorf("%d messages, then: %v", got, err)
				}
			})
		}
	}
}

// A long payload that was changed does not count as received.
func TestTamperedPayloadIsNotCounted(t *testing.T) {
	meters := make([]*atomic.Int64, 2)
	links, errs := tapped(t, func(c *Config) { meters[c.Rank] = c.Meter }, nil, func(lane int, from io.Reader, to io.Writer) {
		if lane != dataLane {
			return
		}
		b := make([]byte, framed(0)+sealedMost+frameExtra)
		_, _ = io.ReadFull(from, b)
		b[len(b)/2] ^= 128
		_, _ = to.Write(b)
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		_ = until(links[0], func() (bool, error) { return links[0].To(1).Send(header(most, 0), make([]byte, most)) })
	})
	err := until(links[1], func() (bool, error) { return links[1].From(0).Receive(header(most, 0), make([]byte, most)) })
	if !errors.Is(err, ErrTampered) || meters[1].Load() != 0 {
		t.Errorf("%d bytes count, and %v", meters[1].Load(), err)
	}
	links[1].Interrupt()
	wait.Wait()
}

// An end in the middle of a frame is the end of the edge.
func TestTruncatedFrameEndsTheEdge(t *testing.T) {
	for _, left := range []int{0, 1, lengthSize, framed(8) - 1} {
		cut := make(chan struct{})
		links, errs := tapped(t, nil, nil, func(lane int, from io.Reader, to io.Writer) {
			if lane == dataLane {
				_, _ = io.CopyN(to, from, int64(framed(8)+left))
				to.(io.Closer).Close()
				close(cut)
			}
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := until(links[0], func() (bool, error) { return links[0].To(1).Send(header(8, 0), make([]byte, 8)) }); err != nil {
				t.Fatal(err)
			}
		}
		<-cut
		receive := func() (bool, error) { return links[1].From(0).Receive(header(8, 0), make([]byte, 8)) }
		if err := until(links[1], receive); err != nil {
			t.Fatalf("%d bytes of the next frame: %v", left, err)
		}
		if err := until(links[1], receive); !errors.Is(err, io.ErrUnexpectedEOF) && !strings.Contains(fmt.Sprint(err), "gone") {
			t.Errorf("%d bytes of the next frame: %v", left, err)
		}
	}
}

func TestTamperedBarrierIsNoticed(t *testing.T) {
	links, errs := tapped(t, nil, nil, func(lane int, from io.Reader, to io.Writer) {
		if lane == dataLane {
			return
		}
		b := make([]byte, 8+frameExtra)
		_, _ = io.ReadFull(from, b)
		b[lengthSize+7] ^= 3
		_, _ = to.Write(b)
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		_ = links[0].Barrier(func(turn int) error { return links[0].Idle(turn, time.Second) })
	})
	err := links[1].Barrier(func(turn int) error { return links[1].Idle(turn, time.Second) })
	if !errors.Is(err, ErrTampered) || !strings.Contains(err.Error(), "0->1 (barrier round 1)") {
		t.Error(err)
	}
	links[1].Interrupt()
	wait.Wait()
}

// Nobody on the way can have an edge plain that both ends want sealed.
func TestSealCannotBeStripped(t *testing.T) {
	for _, want := range []suite{plain, chaCha} {
		var asked atomic.Bool
		_, errs := tapped(t, func(c *Config) { c.Patience, c.suite = time.Second, aesGCM }, func(hello []byte) {
			asked.Store(hello[20] == byte(aesGCM))
			hello[20] = byte(want)
		}, nil)
		if !asked.Load() {
			t.Error("the hello does not say how the edge is sealed")
		}
		for r, err := range errs {
			if err == nil || !strings.Contains(err.Error(), "0->1") {
				t.Errorf("rank %d: %v", r, err)
			}
		}
	}
}

// Ranks that disagree about sealing get no link, neither of them a plain one.
func TestSealingIsForBothEnds(t *testing.T) {
	listeners, addresses := listenAll(t, 2, func(c *Config) {
		c.Patience = 300 * time.Millisecond
		if c.Rank == 0 {
			c.Sealed = sealed(2)
		}
	})
	_, errs := connectAll(t, listeners, addresses)
	for r, err := range errs {
		if err == nil {
			t.Errorf("rank %d is connected", r)
		}
	}
}

// What travels on a sealed edge is nothing that was sent, and never twice the
// same.
func TestSealedBytesTellNothing(t *testing.T) {
	const length, count = 400, 20
	seen := make(chan []byte, 1)
	links, errs := tapped(t, nil, nil, func(lane int, from io.Reader, to io.Writer) {
		if lane == dataLane {
			b := make([]byte, count*framed(length))
			_, _ = io.ReadFull(from, b)
			seen <- b
		}
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	secret := bytes.Repeat([]byte("a secret"), length/8)
	for range count {
		if err := until(links[0], func() (bool, error) { return links[0].To(1).Send(header(length, 0), secret) }); err != nil {
			t.Fatal(err)
		}
	}
	wire := <-seen
	if bytes.Contains(wire, []byte("secret")) {
		t.Error("the payload can be read")
	}
	blocks := map[string]bool{}
	for m := range count {
		text := wire[m*framed(length)+lengthSize : (m+1)*framed(length)]
		for at := 0; at+16 <= len(text); at += 16 {
			if block := string(text[at : at+16]); blocks[block] {
				t.Fatalf("block %d of message %d was there before", at/16, m)
			} else {
				blocks[block] = true
			}
		}
	}
}

// Every direction of every connection has a secret of its own.
func TestSecretsAreNotShared(t *testing.T) {
	key, other := NewKey(), NewKey()
	base := hello{edge: edge{1, 2, dataLane}, suite: aesGCM, run: sha256.Sum256([]byte("r1")), nonce: [nonceSize]byte{1}}
	seen := map[string]string{}
	for name, change := range map[string]func(h *hello, k *Key, nonce []byte){
		"base":           func(*hello, *Key, []byte) {},
		"key":            func(_ *hello, k *Key, _ []byte) { *k = other },
		"run":            func(h *hello, _ *Key, _ []byte) { h.run = sha256.Sum256([]byte("r2")) },
		"other way":      func(h *hello, _ *Key, _ []byte) { h.edge.src, h.edge.dst = 2, 1 },
		"lane":           func(h *hello, _ *Key, _ []byte) { h.edge.lane = 1 },
		"suite":          func(h *hello, _ *Key, _ []byte) { h.suite = chaCha },
		"dialler again":  func(h *hello, _ *Key, _ []byte) { h.nonce[0]++ },
		"acceptor again": func(_ *hello, _ *Key, nonce []byte) { nonce[0]++ },
	} {
		h, k, nonce := base, key, make([]byte, nonceSize)
		change(&h, &k, nonce)
		first := h.put(k)
		ours, err := newSession(h.suite, k, first[:], nonce, true)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := newSession(h.suite, k, first[:], nonce, false)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(ours.out, theirs.in) || !bytes.Equal(ours.in, theirs.out) {
			t.Errorf("%s: the ends do not agree", name)
		}
		for direction, secret := range map[string][]byte{"out": ours.out, "in": ours.in} {
			if before, twice := seen[string(secret)]; twice || len(secret) != sealKeySize {
				t.Errorf("%s of %s is that of %s", direction, name, before)
			}
			seen[string(secret)] = name + " " + direction
		}
	}
}

// An edge that outlives its key goes on with the next one.
func TestKeysChange(t *testing.T) {
	for _, s := range []suite{aesGCM, chaCha} {
		secret := make([]byte, sealKeySize)
		out, in := sealer{suite: s, secret: secret, count: framesPerKey - 2}, sealer{suite: s, secret: secret, count: framesPerKey - 2}
		text, got := []byte("the same text"), make([]byte, 13)
		for i := range 4 {
			aead := out.aead
			frame, err := out.add(nil, text)
			if err != nil {
				t.Fatal(err)
			}
			if i > 0 && (out.aead == aead) == (i == 2) {
				t.Errorf("suite %d: the key changes with frame %d, or does not", s, out.count-1)
			}
			if err := in.open(got, frame); err != nil || !bytes.Equal(got, text) {
				t.Errorf("suite %d, frame %d: %q, %v", s, in.count-1, got, err)
			}
			clear(got)
		}
	}
}
