package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// How long the parts of a measurement take: half a second for a pair, hence
// four for eight nodes, of which four pairs are measured at a time.
const (
	pingTime     = 100 * time.Millisecond
	transferTime = 200 * time.Millisecond
)

// Probe begins to measure the ways between all pairs of nodes that are ready
// and carry out no run. A probe that is under way counts. It needs Serve.
func (r *Registry) Probe(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.probing != nil {
		return nil
	}
	n := len(r.idle())
	if n < 2 {
		return fmt.Errorf("probe nodes: %w", inventory.ErrNoPair)
	}
	select {
	case r.asked <- struct{}{}:
	default: // asked already
	}
	r.probing = &inventory.Probing{Began: r.cfg.Now(), Of: n * (n - 1) / 2}
	r.touch()
	return nil
}

// idle returns the nodes to probe, by name; the lock is held.
func (r *Registry) idle() []string {
	var names []string
	for name, m := range r.members {
		if m.standing() == inventory.Ready && m.presence.runs == 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Probing returns how far a probe is, and whether one is under way.
func (r *Registry) Probing() (p inventory.Probing, under bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.probing == nil {
		return inventory.Probing{}, false
	}
	return *r.probing, true
}

// Links returns what the newest probe of each ordered pair of nodes found, by
// their names.
func (r *Registry) Links() []inventory.Link {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.links)
}

// probeWhenAsked carries probes out until ctx ends.
func (r *Registry) probeWhenAsked(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.asked:
		}
		r.probeAll(ctx)
	}
}

func (r *Registry) probeAll(ctx context.Context) {
	r.mu.Lock()
	names := r.idle() // perhaps others than when it was asked for
	r.probing.Of = len(names) * (len(names) - 1) / 2
	r.mu.Unlock()
	for _, round := range rounds(names) {
		var pairs sync.WaitGroup
		for _, pair := range round {
			pairs.Go(func() {
				there, back := r.probePair(ctx, pair[0], pair[1])
				r.mu.Lock()
				defer r.mu.Unlock()
				if ctx.Err() == nil {
					r.enter(there, back)
				}
				r.probing.Done++
				r.touch()
			})
		}
		pairs.Wait()
	}
	r.mu.Lock()
	r.probing = nil
	judge(r.links)
	links := slices.Clone(r.links)
	r.touch()
	r.mu.Unlock()
	if err := r.cfg.Journal.SaveLinks(context.WithoutCancel(ctx), links); err != nil {
		r.cfg.Log.ErrorContext(ctx, "keep what was found between nodes", "error", err)
	}
}

// enter puts links in the place of earlier ones; the lock is held.
func (r *Registry) enter(found ...inventory.Link) {
	for _, l := range found {
		if r.members[l.From] == nil || r.members[l.To] == nil { // forgotten meanwhile
			continue
		}
		r.links = slices.DeleteFunc(slices.Clone(r.links), func(old inventory.Link) bool { return old.From == l.From && old.To == l.To })
		r.links = append(r.links, l)
	}
	slices.SortFunc(r.links, func(a, b inventory.Link) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
}

// probePair has one node listen and the other dial and measure.
func (r *Registry) probePair(ctx context.Context, a, b string) (there, back inventory.Link) {
	now := r.cfg.Now()
	there, back = inventory.Link{From: b, To: a, Time: now}, inventory.Link{From: a, To: b, Time: now}
	report, err := r.pair(ctx, a, b)
	if err != nil {
		for _, way := range []*inventory.Link{&there, &back} {
			way.Fault = err.Error()
			if reason := new(inventory.Reason); errors.As(err, &reason) {
				way.Cause, way.Values = reason.Code, maps.Clone(reason.Values)
			}
		}
		return there, back
	}
	there.Latency, back.Latency = report.Latency, report.Latency
	there.Rate, back.Rate = report.Out, report.In
	return there, back
}

func (r *Registry) pair(ctx context.Context, listener, dialler string) (wire.ProbeReport, error) {
	ctx, cancel := context.WithTimeout(ctx, wire.ProbePatience+time.Second)
	defer cancel()
	order := wire.ProbeOrder{Pings: cmp.Or(r.cfg.Pings, pingTime), Transfer: cmp.Or(r.cfg.Transfer, transferTime)}
	rand.Read(order.Key[:]) // never fails
	listening, err := r.ask(ctx, listener, order)
	if err != nil {
		return wire.ProbeReport{}, err
	}
	defer listening.end()
	where, err := listening.report()
	if err != nil {
		return wire.ProbeReport{}, err
	}
	if _, err := inventory.ParseAddress(where.Listening); err != nil {
		return wire.ProbeReport{}, at(listener, err)
	}
	order.Dial = where.Listening
	dialling, err := r.ask(ctx, dialler, order)
	if err != nil {
		return wire.ProbeReport{}, err
	}
	defer dialling.end()
	found, err := dialling.report()
	if err != nil {
		return wire.ProbeReport{}, err
	}
	if found.Latency <= 0 || found.Out <= 0 || found.In <= 0 {
		return wire.ProbeReport{}, at(dialler, inventory.NewReason(inventory.NoFigures, "it reports no figures"))
	}
	return found, nil
}

// asking is a probe stream to a node.
type asking struct {
	node string
	conn net.Conn
	stop func() bool
}

func (r *Registry) ask(ctx context.Context, node string, order wire.ProbeOrder) (*asking, error) {
	conn, err := r.Dial(ctx, node, wire.ProbeKind)
	if declined := new(wire.RefusedError); errors.As(err, &declined) {
		err = inventory.NewReason(inventory.NotOffered, err.Error())
	}
	if err != nil {
		return nil, about(node, err)
	}
	a := &asking{node, conn, context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })}
	if err := wire.WriteProbeOrder(conn, order); err != nil {
		a.end()
		return nil, at(node, brokenOff(err))
	}
	return a, nil
}

// report waits for what the node says next.
func (a *asking) report() (wire.ProbeReport, error) {
	report, err := wire.ReadProbeReport(a.conn)
	if err != nil {
		err = brokenOff(err)
	} else {
		err = report.Err()
	}
	if err != nil {
		return report, at(a.node, err)
	}
	return report, nil
}

// brokenOff is the end of a stream before its time.
func brokenOff(err error) error {
	return inventory.NewReason(inventory.BrokenOff, err.Error(), "error", err.Error())
}

// at is a node's trouble, under its name.
func at(node string, err error) error { return fmt.Errorf("node %s: %w", node, about(node, err)) }

// about puts the node's name beside what the matter is with it.
func about(node string, err error) error {
	reason := new(inventory.Reason)
	if !errors.As(err, &reason) {
		return err
	}
	named := *reason
	named.Message, named.Values = err.Error(), maps.Clone(reason.Values)
	if named.Values == nil {
		named.Values = map[string]string{}
	}
	named.Values["node"] = node
	return &named
}

func (a *asking) end() {
	a.stop()
	_ = a.conn.Close()
}

// rounds spreads all pairs over rounds in each of which a node is in one pair
// at most: the first stays where it is while the others move round it.
func rounds(names []string) [][][2]string {
	seats := slices.Clone(names)
	if len(seats)%2 == 1 {
		seats = append(seats, "") // whoever meets it rests
	}
	n := len(seats)
	var all [][][2]string
	for range n - 1 {
		var round [][2]string
		for i := range n / 2 {
			if a, b := seats[i], seats[n-1-i]; a != "" && b != "" {
				round = append(round, [2]string{a, b})
			}
		}
		all = append(all, round)
		seats = append([]string{seats[0], seats[n-1]}, seats[1:n-1]...)
	}
	return all
}
