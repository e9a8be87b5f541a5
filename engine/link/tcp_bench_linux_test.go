package link

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lockstep/engine/rank"
)

// BenchmarkExchange is what an all-reduce of two ranks does on the link: each
// sends a vector and receives the other's. Iterations follow each other
// without a barrier; each waits for the other's message anyway.
func BenchmarkExchange(b *testing.B) {
	for _, length := range []int{8, 1 << 10, 64 << 10, 256 << 10, 1 << 20, 16 << 20} {
		for _, name := range []string{"raw", "raw shared", "portable", "portable shared", "sealed", "sealed shared"} {
			b.Run(fmt.Sprintf("%d/%s", length, name), func(b *testing.B) {
				payload, space := [2][]byte{}, [2][]byte{}
				for r := range 2 {
					payload[r], space[r] = make([]byte, length), make([]byte, length)
				}
				bench(b, variants[name], func(l rank.Link, self int) error { return exchange(l, self, length, payload[self], space[self]) })
			})
		}
	}
}

// BenchmarkOneWay is what one edge carries: a vector from rank 0 to rank 1, and
// an empty message back, which says that it is there.
func BenchmarkOneWay(b *testing.B) {
	const length = 16 << 20
	for _, name := range []string{"raw", "sealed", "portable", "sealed portable"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(length)
			space := [2][]byte{make([]byte, length), make([]byte, length)}
			bench(b, variants[name], func(l rank.Link, self int) error {
				for at := 0; at < length; at += most {
					h, part := header(most, at/most), space[self][at:at+most]
					move := func() (bool, error) { return l.From(0).Receive(h, part) }
					if self == 0 {
						move = func() (bool, error) { return l.To(1).Send(h, part) }
					}
					if err := until(l, move); err != nil {
						return err
					}
				}
				h := header(0, 0)
				if self == 0 {
					return until(l, func() (bool, error) { return l.From(1).Receive(h, nil) })
				}
				return until(l, func() (bool, error) { return l.To(0).Send(h, nil) })
			})
		})
	}
}

// BenchmarkPingPong sends a message to and fro.
func BenchmarkPingPong(b *testing.B) {
	for _, name := range []string{"raw", "raw shared", "portable", "sealed", "sealed shared"} {
		b.Run(name, func(b *testing.B) {
			bench(b, variants[name], func(l rank.Link, self int) error {
				h, payload := header(8, 0), make([]byte, 8)
				send := func() (bool, error) { return l.To(1-self).Send(h, payload) }
				receive := func() (bool, error) { return l.From(1-self).Receive(h, payload) }
				first, second := send, receive
				if self == 1 {
					first, second = receive, send
				}
				if err := until(l, first); err != nil {
					return err
				}
				return until(l, second)
			})
		})
	}
}

func BenchmarkBarrier(b *testing.B) {
	for _, name := range []string{"raw", "portable", "sealed"} {
		b.Run(name, func(b *testing.B) {
			bench(b, variants[name], func(l rank.Link, self int) error {
				return l.Barrier(func(turn int) error { return l.Idle(turn, time.Second) })
			})
		})
	}
}

// With more ranks than processors every wait is somebody else's turn.
func BenchmarkCrowdedBarrier(b *testing.B) {
	links := connected(b, 4, func(c *Config) { c.Crowded = true })
	took := make([]time.Duration, b.N)
	var wait sync.WaitGroup
	for r, l := range links {
		wait.Go(func() {
			runtime.LockOSThread()
			for i := range b.N {
				begun := time.Now()
				if err := l.Barrier(func(turn int) error { return l.Idle(turn, time.Second) }); err != nil {
					b.Error(err)
				}
				if r == 0 {
					took[i] = time.Since(begun)
				}
			}
		})
	}
	wait.Wait()
	report(b, took)
}

// bench runs the two ends on threads of their own, each on a processor of its
// own. Besides the mean it reports the fastest and the median operation: other
// work on the machine spoils the mean.
func bench(b *testing.B, adjust func(*Config), once func(l rank.Link, self int) error) {
	links := connected(b, 2, adjust)
	took := make([]time.Duration, b.N)
	b.ResetTimer()
	var wait sync.WaitGroup
	for r, l := range links {
		wait.Go(func() {
			runtime.LockOSThread() // for good: the thread is pinned
			var cpu unix.CPUSet
			cpu.Set(r % runtime.NumCPU())
			_ = unix.SchedSetaffinity(0, &cpu) // without it the figures spread more
			for i := range b.N {
				begun := time.Now()
				if err := once(l, r); err != nil {
					b.Error(err)
					return
				}
				if r == 0 {
					took[i] = time.Since(begun)
				}
			}
		})
	}
	wait.Wait()
	b.StopTimer()
	report(b, took)
}

func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[0]), "min-ns")
	b.ReportMetric(float64(took[len(took)/4]), "p25-ns")
	b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
}

// exchange goes on with both directions as a rank does, in parts.
func exchange(l rank.Link, self, length int, payload, space []byte) error {
	out, in := l.To(1-self), l.From(1-self)
	for turn, sent, received := 1, 0, 0; sent < length || received < length; {
		moved := false
		if sent < length {
			part := min(length-sent, most)
			done, err := out.Send(header(part, sent/most), payload[sent:sent+part])
			if err != nil {
				return err
			}
			if done {
				sent, moved = sent+part, true
			}
		}
		if received < length {
			part := min(length-received, most)
			done, err := in.Receive(header(part, received/most), space[received:received+part])
			if err != nil {
				return err
			}
			if done {
				received, moved = received+part, true
			}
		}
		if moved {
			turn = 1
			continue
		}
		if err := l.Idle(turn, time.Second); err != nil {
			return err
		}
		turn++
	}
	return nil
}
