package link

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/engine/rank"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// everyone lists the other ranks.
func everyone(r, n int) []int {
	var others []int
	for i := range n {
		if i != r {
			others = append(others, i)
		}
	}
	return others
}

// listenAll opens n ranks with edges between all of them.
func listenAll(t testing.TB, n int, adjust func(*Config)) ([]*Listener, []string) {
	t.Helper()
	key := NewKey()
	listeners, addresses := make([]*Listener, n), make([]string, n)
	for r := range n {
		cfg := Config{Run: "r1", Key: key, Rank: r, Ranks: n, To: everyone(r, n), From: everyone(r, n), Meter: new(atomic.Int64)}
		if adjust != nil {
			adjust(&cfg)
		}
		l, err := Listen(cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		listeners[r], addresses[r] = l, l.Addr()
	}
	return listeners, addresses
}

// connectAll connects them.
func connectAll(t testing.TB, listeners []*Listener, addresses []string) ([]rank.Link, []error) {
	t.Helper()
	links, errs := make([]rank.Link, len(listeners)), make([]error, len(listeners))
	var wait sync.WaitGroup
	for r, l := range listeners {
		wait.Go(func() { links[r], errs[r] = l.Connect(t.Context(), addresses) })
	}
	wait.Wait()
	for _, l := range links {
		if l != nil {
			t.Cleanup(func() { l.Close() })
		}
	}
	return links, errs
}

func TestPeerWithoutKeyIsNotLetIn(t *testing.T) {
	listeners, addresses := listenAll(t, 2, func(c *Config) {
		c.Patience = 300 * time.Millisecond
		if c.Rank == 1 {
			c.Key = NewKey()
		}
	})
	_, errs := connectAll(t, listeners, addresses)
	for r, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "edges ") || !strings.Contains(err.Error(), "0->1") {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}

func TestPeerOfAnotherRunIsNotLetIn(t *testing.T) {
	listeners, addresses := listenAll(t, 2, func(c *Config) {
		c.Patience = 300 * time.Millisecond
		if c.Rank == 1 {
			c.Run = "r2"
		}
	})
	_, errs := connectAll(t, listeners, addresses)
	for r, err := range errs {
		if !errors.Is(err, context.DeadlineExceeded) && err == nil {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}

// Ranks that disagree about sharing do not get half a link.
func TestSharingIsForAllRanks(t *testing.T) {
	listeners, addresses := listenAll(t, 2, func(c *Config) {
		c.Patience = 300 * time.Millisecond
		c.Shared = c.Rank == 0
	})
	_, errs := connectAll(t, listeners, addresses)
	for r, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "edges ") {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}

func TestMissingPeerIsNamed(t *testing.T) {
	listeners, addresses := listenAll(t, 3, func(c *Config) { c.Patience = 200 * time.Millisecond })
	listeners[2].Close()
	_, err := listeners[0].Connect(t.Context(), addresses)
	if err == nil {
		t.Fatal("connected to nobody")
	}
	for _, e := range []string{"0->2", "2->0", "0->1"} {
		if !strings.Contains(err.Error(), e) {
			t.Errorf("%v does not name %s", err, e)
		}
	}
}

func TestRanksThatDoNotExistAreRefused(t *testing.T) {
	for _, cfg := range []Config{
		{Rank: 2, Ranks: 2, Meter: new(atomic.Int64)},
		{Rank: 0, Ranks: 2},
		{Rank: 0, Ranks: 2, To: []int{2}, Meter: new(atomic.Int64)},
		{Rank: 0, Ranks: 2, From: []int{0}, Meter: new(atomic.Int64)},
		{Rank: 0, Ranks: 2, Buffer: -1, Meter: new(atomic.Int64)},
	} {
		if l, err := Listen(cfg); err == nil {
			l.Close()
			t.Errorf("%+v accepted", cfg)
		}
	}
}
