package link

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestRefusedEdgeIsNamed(t *testing.T) {
	listeners, addresses := listenAll(t, 4, func(c *Config) { c.Patience = 2 * time.Second })
	for _, gone := range listeners[2:] {
		gone.Close()
	}
	_, err := listeners[0].Connect(t.Context(), addresses)
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Fatal(err)
	}
	found := map[int]bool{}
	for _, e := range unreachable.Edges {
		if e.Src != 0 || e.Address != addresses[e.Dst] || e.From != "127.0.0.1" || found[e.Dst] {
			t.Errorf("%+v", e)
		}
		found[e.Dst] = true
	}
	if !found[2] || !found[3] || found[1] {
		t.Errorf("%v, want the edges to 2 and 3, once each", unreachable)
	}
	if want := "rank 0 on 127.0.0.1 cannot reach rank 2 at " + addresses[2] + ": connection refused"; !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
}

// A port that belongs to somebody else answers, and proves nothing.
func TestForeignPortIsNamed(t *testing.T) {
	listeners, addresses := listenAll(t, 2, func(c *Config) { c.Patience = time.Second })
	other, _ := listenAll(t, 2, func(c *Config) { c.Run, c.Rank = "r2", 1; c.To, c.From = []int{0}, []int{0} })
	addresses[1] = other[0].Addr()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = other[0].Connect(t.Context(), addresses)
	}()
	_, err := listeners[0].Connect(t.Context(), addresses)
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || unreachable.Edges[0].Dst != 1 || !strings.Contains(err.Error(), "not as a rank of this run") {
		t.Error(err)
	}
	other[0].Close()
	<-ended
}

// A run that is cancelled is not a rank that cannot be reached.
func TestCancelledSetUpBlamesNobody(t *testing.T) {
	listeners, addresses := listenAll(t, 2, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancelled := time.AfterFunc(20*time.Millisecond, func() { cancel(enough) })
	defer cancelled.Stop()
	_, err := listeners[0].Connect(ctx, addresses)
	var unreachable *UnreachableError
	if errors.As(err, &unreachable) || !errors.Is(err, enough) {
		t.Error(err)
	}
}
