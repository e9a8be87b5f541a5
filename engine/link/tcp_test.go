package link

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestMessagesArriveInOrderAndWhole(t *testing.T) {
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		for _, n := range []int{1, 2, 5} {
			meters := make([]*atomic.Int64, n)
			links := connected(t, n, func(c *Config) { adjust(c); meters[c.Rank] = c.Meter })
			lengths := []int{0, 0, 0, 1, 1, 1, brevity, brevity + 1, brevity, most, most, most, most - 1, 0}
			bytes := 0
			for range 40 / n {
				lengths = append(lengths, rand.IntN(1<<rand.IntN(19)))
			}
			for _, length := range lengths {
				bytes += length
			}
			var wait sync.WaitGroup
			for r, l := range links {
				var tasks []func() (bool, error)
				for _, peer := range everyone(r, n) {
					tasks = append(tasks, sending(l.To(peer), r, peer, lengths), receiving(l.From(peer), peer, r, lengths))
				}
				if l.To(r) != nil || l.From(r) != nil || l.To(n) != nil || l.From(-1) != nil {
					t.Error("an edge that was not asked for")
				}
				wait.Go(func() {
					if err := until(l, all(tasks...)); err != nil {
						t.Errorf("rank %d: %v", r, err)
					}
					if got, want := meters[r].Load(), int64(2*bytes*(n-1)); got != want {
						t.Errorf("rank %d has counted %d bytes, not %d", r, got, want)
					}
				})
			}
			wait.Wait()
		}
	})
}

// A schedule may have an edge in one direction only.
func TestEdgesOfOneDirection(t *testing.T) {
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		links := connected(t, 3, func(c *Config) {
			adjust(c)
			c.To, c.From = []int{(c.Rank + 1) % 3}, []int{(c.Rank + 2) % 3}
		})
		lengths := []int{8, 100_000, 0}
		var wait sync.WaitGroup
		for r, l := range links {
			next, last := (r+1)%3, (r+2)%3
			if l.To(last) != nil || l.From(next) != nil {
				t.Error("an edge that was not asked for")
			}
			wait.Go(func() {
				if err := until(l, all(sending(l.To(next), r, next, lengths), receiving(l.From(last), last, r, lengths))); err != nil {
					t.Errorf("rank %d: %v", r, err)
				}
			})
		}
		wait.Wait()
	})
}

func TestBothDirectionsAtOnce(t *testing.T) {
	total := 64 << 20
	if testing.Short() {
		total = 16 << 20
	}
	lengths := make([]int, total/most)
	for i := range lengths {
		lengths[i] = most
	}
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		links := connected(t, 2, adjust)
		var wait sync.WaitGroup
		for r, l := range links {
			wait.Go(func() {
				if err := until(l, all(sending(l.To(1-r), r, 1-r, lengths), receiving(l.From(1-r), 1-r, r, lengths))); err != nil {
					t.Errorf("rank %d: %v", r, err)
				}
			})
		}
		wait.Wait()
	})
}

func TestBarrierHoldsEveryone(t *testing.T) {
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		for _, n := range []int{1, 2, 3, 7, 8} {
			var arrived atomic.Int64
			var wait sync.WaitGroup
			for _, l := range connected(t, n, func(c *Config) { c.Crowded = n > 2; adjust(c) }) {
				wait.Go(func() {
					for i := range 20 {
						arrived.Add(1)
						if err := l.Barrier(func(turn int) error { return l.Idle(turn, time.Second) }); err != nil {
							t.Error(err)
							return
						}
						if got := arrived.Load(); got < int64((i+1)*n) {
							t.Errorf("%d ranks: left barrier %d when %d had arrived", n, i, got)
						}
					}
				})
			}
			wait.Wait()
		}
	})
}

func TestBarrierEndsWithItsIdle(t *testing.T) {
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		links, want := connected(t, 2, adjust), errors.New("enough")
		err := links[0].Barrier(func(turn int) error {
			if turn == 5 {
				return want
			}
			return links[0].Idle(turn, time.Second)
		})
		if !errors.Is(err, want) {
			t.Error(err)
		}
	})
}

func TestMessagesAllocateNothing(t *testing.T) {
	overAll(t, func(t *testing.T, adjust func(*Config)) {
		links := connected(t, 2, adjust)
		for _, length := range []int{0, 8, 4096, most} {
			h, payload, space := header(length, 0), make([]byte, length), make([]byte, length)
			out, in := links[0].To(1), links[1].From(0)
			view := false // turn about
			send := func() (done bool, err error) { return out.Send(h, payload) }
			receive := func() (done bool, err error) {
				if !view {
					return in.Receive(h, space)
				}
				seen, err := in.View(h, length)
				return seen != nil, err
			}
			carry := func() {
				sent, received := false, false
				for turn := 1; !sent || !received; turn++ {
					var failed, refused error
					if !sent {
						sent, failed = send()
					}
					if !received {
						received, refused = receive()
					}
					if err := errors.Join(failed, refused, links[0].Idle(turn, time.Millisecond), links[1].Idle(turn, time.Millisecond)); err != nil {
						t.Fatal(err)
					}
				}
				if view {
					in.Release()
				}
				view = !view
			}
			carry() // the first view makes its memory
			carry()
			if got := testing.AllocsPerRun(50, carry); got != 0 {
				t.Errorf("a message of %d bytes allocates %g times", length, got)
			}
		}
	})
}
