package main

import (
	"context"
	"log/slog"
	"time"

	"lockstep/cluster/inventory"
)

// probed is what a prober sees and does.
type probed interface {
	List() []inventory.Member
	Links() []inventory.Link
	Changed() <-chan struct{}
	Probe(ctx context.Context) error
}

// prober has the ways between nodes measured without being asked, so that runs
// are predicted: those that never were, and those that were long ago. It keeps
// away from runs, which it would disturb and which would disturb it.
type prober struct {
	nodes probed
	log   *slog.Logger
	now   func() time.Time

	settle time.Duration // how long nodes that come together are waited for
	stale  time.Duration // how long a measurement is good for
	retry  time.Duration // how long one that failed is
}

func newProber(nodes probed, log *slog.Logger) *prober {
	return &prober{nodes: nodes, log: log, now: time.Now, settle: time.Second, stale: 24 * time.Hour, retry: 10 * time.Minute}
}

// run probes until ctx ends.
func (p *prober) run(ctx context.Context) {
	for {
		changed := p.nodes.Changed()
		wait := p.retry
		if p.due() {
			wait = p.settle
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
			if wait > p.settle {
				continue
			}
			// Something is due already: what has changed may be more of it.
			select {
			case <-ctx.Done():
				return
			case <-time.After(p.settle):
			}
		case <-time.After(wait):
		}
		if !p.due() {
			continue
		}
		if err := p.nodes.Probe(ctx); err != nil {
			p.log.WarnContext(ctx, "probe the ways between nodes", "error", err)
		}
		// Until the probe has ended, its own changes are all there is.
		select {
		case <-ctx.Done():
			return
		case <-time.After(p.settle):
		}
	}
}

// due reports whether two ready nodes have no fresh measurement between them,
// and nothing runs.
func (p *prober) due() bool {
	var ready []string
	for _, m := range p.nodes.List() {
		if m.Run != "" {
			return false
		}
		if m.Standing == inventory.Ready {
			ready = append(ready, m.Name)
		}
	}
	type way struct{ from, to string }
	fresh := map[way]bool{}
	for _, l := range p.nodes.Links() {
		good := p.stale
		if l.Fault != "" { // a node may only have been away
			good = p.retry
		}
		fresh[way{l.From, l.To}] = p.now().Sub(l.Time) < good
	}
	for i, a := range ready {
		for _, b := range ready[i+1:] {
			if !fresh[way{a, b}] || !fresh[way{b, a}] {
				return true
			}
		}
	}
	return false
}
