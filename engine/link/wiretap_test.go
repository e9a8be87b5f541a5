package link

import (
	"io"
	"net"
	"sync"
	"testing"

	"lockstep/engine/rank"
)

// wiretap stands between diallers and a listener. What a dialler sends in the
// handshake passes through greet; what follows on a lane is what alter makes of
// it, the rest passes as it is. It returns the address to dial.
func wiretap(t *testing.T, address string, greet func(hello []byte), alter func(lane int, from io.Reader, to io.Writer)) string {
	t.Helper()
	tap, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var mu sync.Mutex // owns conns
	var conns []net.Conn
	t.Cleanup(func() {
		tap.Close()
		mu.Lock()
		for _, c := range conns {
			c.Close()
		}
		mu.Unlock()
		wait.Wait()
	})
	wait.Go(func() {
		for {
			near, err := tap.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp4", address)
			if err != nil {
				near.Close()
				continue
			}
			mu.Lock()
			conns = append(conns, near, far)
			mu.Unlock()
			wait.Go(func() {
				_, _ = io.Copy(near, far)
				near.Close()
			})
			wait.Go(func() {
				defer far.Close()
				hello := make([]byte, helloSize)
				if _, err := io.ReadFull(near, hello); err != nil {
					return
				}
				lane := int(hello[10])<<8 | int(hello[11])
				if greet != nil {
					greet(hello)
				}
				_, _ = far.Write(hello)
				if _, err := io.CopyN(far, near, macSize); err != nil {
					return
				}
				if alter != nil {
					alter(lane, near, far)
				}
				_, _ = io.Copy(far, near)
			})
		}
	})
	return tap.Addr().String()
}

// tapped connects two ranks whose edges from 0 to 1 are sealed and tapped.
func tapped(t *testing.T, adjust func(*Config), greet func([]byte), alter func(lane int, from io.Reader, to io.Writer)) ([]rank.Link, []error) {
	t.Helper()
	listeners, addresses := listenAll(t, 2, func(c *Config) {
		c.Sealed = sealed(2)
		if adjust != nil {
			adjust(c)
		}
	})
	addresses[1] = wiretap(t, addresses[1], greet, alter)
	return connectAll(t, listeners, addresses)
}
