package main

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"lockstep/cluster/inventory"
)

// roster is nodes whose probe is done at once.
type roster struct {
	mu      sync.Mutex // owns what follows
	members []inventory.Member
	links   []inventory.Link
	changed chan struct{}
	probes  int
}

func newRoster(names ...string) *roster {
	r := &roster{changed: make(chan struct{})}
	for _, name := range names {
		r.members = append(r.members, inventory.Member{Name: name, Standing: inventory.Ready})
	}
	return r
}

func (r *roster) List() []inventory.Member {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]inventory.Member(nil), r.members...)
}

func (r *roster) Links() []inventory.Link {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]inventory.Link(nil), r.links...)
}

func (r *roster) Changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

func (r *roster) Probe(context.Context) error {
	r.change(func() {
		r.probes++
		r.links = nil
		for _, a := range r.members {
			for _, b := range r.members {
				if a.Name != b.Name {
					r.links = append(r.links, inventory.Link{From: a.Name, To: b.Name, Time: time.Now()})
				}
			}
		}
	})
	return nil
}

func (r *roster) change(how func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	how()
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *roster) probed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.probes
}

func TestNewNodesAreProbedOnce(t *testing.T) {
	r := newRoster("a")
	p := newProber(r, slog.New(slog.DiscardHandler))
	p.settle = time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { p.run(ctx) })
	defer running.Wait()
	defer stop()
	until := func(probes int) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); r.probed() < probes; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d probes; want %d", r.probed(), probes)
			}
		}
	}
	r.change(func() { r.members = append(r.members, inventory.Member{Name: "b", Standing: inventory.Ready}) })
	until(1)
	r.change(func() { r.members[0].Standing = inventory.Offline })
	r.change(func() { r.members[0].Standing = inventory.Ready })
	r.change(func() { r.members = append(r.members, inventory.Member{Name: "c", Standing: inventory.Ready}) })
	until(2)
	if n := r.probed(); n != 2 {
		t.Errorf("%d probes; want one for each time that a pair was new", n)
	}
}

func TestAProbeIsDue(t *testing.T) {
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	link := func(from, to string, age time.Duration) inventory.Link {
		return inventory.Link{From: from, To: to, Time: now.Add(-age)}
	}
	for name, c := range map[string]struct {
		change func(*roster)
		want   bool
	}{
		"never measured": {func(*roster) {}, true},
		"measured":       {func(r *roster) { r.links = []inventory.Link{link("a", "b", time.Hour), link("b", "a", time.Hour)} }, false},
		"one way only":   {func(r *roster) { r.links = []inventory.Link{link("a", "b", time.Hour)} }, true},
		"long ago":       {func(r *roster) { r.links = []inventory.Link{link("a", "b", 25*time.Hour), link("b", "a", time.Hour)} }, true},
		"offline":        {func(r *roster) { r.members[1].Standing = inventory.Offline }, false},
		"draining":       {func(r *roster) { r.members[1].Standing = inventory.Draining }, false},
		"at work":        {func(r *roster) { r.members[0].Run = "0007" }, false},
		"failed just now": {func(r *roster) {
			r.links = []inventory.Link{link("a", "b", 0), link("b", "a", 0)}
			r.links[0].Fault = "no answer"
		}, false},
		"failed a while ago": {func(r *roster) {
			r.links = []inventory.Link{link("a", "b", time.Hour), link("b", "a", time.Hour)}
			r.links[0].Fault = "no answer"
		}, true},
	} {
		r := newRoster("a", "b")
		c.change(r)
		p := newProber(r, nil)
		p.now = func() time.Time { return now }
		if got := p.due(); got != c.want {
			t.Errorf("%s: due %v, want %v", name, got, c.want)
		}
	}
}
