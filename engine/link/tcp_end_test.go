package link

import (
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine/rank"
)

// A rank that ends in the middle of a message frees the others, whatever they
// do, and they can say which edge it was.
func TestEndOfAPeerIsNoticed(t *testing.T) {
	ends := map[string]func(rank.Link){
		"interrupt": rank.Link.Interrupt,
		"close":     func(l rank.Link) { _ = l.Close() },
	}
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		for name, end := range ends {
			for _, what := range []string{"0->1", "1->0", "barrier"} {
				links := connected(t, 2, adjust)
				victim, other := links[0], links[1]
				space := make([]byte, most)
				work := map[string]func() (bool, error){
					"0->1": func() (bool, error) { return other.From(0).Receive(header(most, 0), space) },
					"1->0": func() (bool, error) { // until the buffers are full
						_, err := other.To(0).Send(header(most, 0), space)
						return false, err
					},
					"barrier": func() (bool, error) {
						return true, other.Barrier(func(turn int) error { return other.Idle(turn, time.Second) })
					},
				}[what]
				freed := make(chan error)
				var wait sync.WaitGroup
				wait.Go(func() { freed <- until(other, work) })
				if what == "0->1" { // half a message
					var text [rank.HeaderSize + 1000]byte
					header(most, 0).Put((*[rank.HeaderSize]byte)(text[:]))
					if _, err := victim.To(1).(*outlet).move(text[:rank.HeaderSize], text[rank.HeaderSize:]); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(20 * time.Millisecond) // nothing tells when the other one sleeps in the kernel
				end(victim)
				select {
				case err := <-freed:
					if err == nil || errors.Is(err, net.ErrClosed) || !strings.Contains(err.Error(), what) {
						t.Errorf("%s, %s: %v", name, what, err)
					}
				case <-time.After(time.Second):
					t.Fatalf("%s, %s: still waits", name, what)
				}
				wait.Wait()
				_ = victim.Close()
				_ = other.Close()
			}
		}
	})
}

func TestInterruptWakesWhoSleeps(t *testing.T) {
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		l := connected(t, 2, adjust)[0]
		woken := make(chan error)
		var wait sync.WaitGroup
		wait.Go(func() {
			for turn := 1; ; turn++ {
				if err := l.Idle(turn, time.Hour); err != nil {
					woken <- err
					return
				}
			}
		})
		time.Sleep(20 * time.Millisecond) // nothing tells when it sleeps in the kernel
		l.Interrupt()
		select {
		case err := <-woken:
			if !errors.Is(err, net.ErrClosed) {
				t.Error(err)
			}
		case <-time.After(time.Second):
			t.Fatal("still sleeps")
		}
		wait.Wait()
		for range 2 {
			_, sent := l.To(1).Send(header(1, 0), make([]byte, 1))
			_, received := l.From(1).Receive(header(1, 0), make([]byte, 1))
			met := l.Barrier(func(int) error { return nil })
			for _, err := range []error{sent, received, met, l.Idle(1, time.Hour)} {
				if !errors.Is(err, net.ErrClosed) {
					t.Errorf("%v of an interrupted link", err)
				}
			}
			l.Interrupt()
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}
