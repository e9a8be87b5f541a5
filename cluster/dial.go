package cluster

import (
	"context"
	"fmt"
	"net"
	"sync"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// Dial opens a stream of that kind to a node. ctx bounds the opening only; the
// stream ends with the node's connection. A node that is not there, or that
// takes no runs while a run is asked of it, yields a *NodeError; one that
// declines a *wire.RefusedError.
func (r *Registry) Dial(ctx context.Context, node, kind string) (net.Conn, error) {
	here, err := r.reserve(node, kind)
	if err != nil {
		return nil, err
	}
	conn, err := here.session.Open(ctx, kind)
	if err != nil {
		r.release(here, kind)
		select {
		case <-here.session.Done(): // just now: its member does not know yet
			return nil, r.offline(node)
		default:
			return nil, fmt.Errorf("node %s: %w", node, err)
		}
	}
	return &stream{Conn: conn, closed: sync.OnceFunc(func() { r.release(here, kind) })}, nil
}

// reserve counts a stream to a node that may have it.
func (r *Registry) reserve(node, kind string) (*presence, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[node]
	if m == nil {
		return nil, &NodeError{Node: node}
	}
	standing := m.standing()
	if standing == inventory.Ready || standing == inventory.Draining && kind != wire.RunKind {
		if kind == wire.RunKind {
			m.presence.runs++
		}
		return m.presence, nil
	}
	return nil, &NodeError{Node: node, Standing: standing, Seen: m.Seen}
}

// offline is the error about a node whose connection has ended.
func (r *Registry) offline(node string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	gone := &NodeError{Node: node, Standing: inventory.Offline}
	if m := r.members[node]; m != nil {
		gone.Seen = m.Seen
	}
	return gone
}

// Carry notes that nodes carry out a run, until done is called.
func (r *Registry) Carry(run string, nodes []string) (done func()) {
	mark := func(id string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, name := range nodes {
			if id == "" && r.carried[name] == run {
				delete(r.carried, name)
			} else if id != "" {
				r.carried[name] = id
			}
		}
		r.touch()
	}
	if len(nodes) == 0 {
		return func() {}
	}
	mark(run)
	return func() { mark("") }
}

func (r *Registry) release(here *presence, kind string) {
	if kind != wire.RunKind {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	here.runs--
}

// stream is a connection that is counted while it is open.
type stream struct {
	net.Conn
	closed func()
}

func (s *stream) Close() error {
	defer s.closed()
	return s.Conn.Close()
}
