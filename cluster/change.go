package cluster

import (
	"context"
	"fmt"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// reloadInterval is how soon a console notices what another process has asked
// of its nodes: a revoked one has to be gone within two seconds, its run with it,
// and the run's end takes most of a second by itself.
const reloadInterval = 500 * time.Millisecond

// Drain lets a node finish its runs and gives it no others, or lets them come
// again. For this and the other changes the error is inventory.ErrNoNode where
// there is no such node.
func (r *Registry) Drain(ctx context.Context, name string, on bool) error {
	if on {
		return r.amend(ctx, name, inventory.Drain)
	}
	return r.amend(ctx, name, inventory.Resume)
}

// Revoke cuts a node off: its connection, with the runs on it, and every
// certificate that it has.
func (r *Registry) Revoke(ctx context.Context, name string) error {
	return r.amend(ctx, name, inventory.Revoke)
}

// Forget takes a node off the list, with its certificates and what was probed
// of it. Any machine may join under its name. The error is
// inventory.ErrNodeInUse while it is connected and not revoked.
func (r *Registry) Forget(ctx context.Context, name string) error {
	r.mu.Lock()
	m := r.members[name]
	used := m != nil && m.presence != nil && !m.Revoked
	r.mu.Unlock()
	if used {
		return fmt.Errorf("forget node %s: %w", name, inventory.ErrNodeInUse)
	}
	return r.amend(ctx, name, inventory.Forget)
}

// amend keeps the change and carries it out.
func (r *Registry) amend(ctx context.Context, name string, change inventory.Change) error {
	if err := r.cfg.Journal.Amend(ctx, name, change); err != nil {
		return err
	}
	return r.Reload(ctx)
}

// Reload carries out what the journal says now, also what another process has
// written there.
func (r *Registry) Reload(ctx context.Context) error {
	r.joining.Lock()
	defer r.joining.Unlock()
	return r.reload(ctx)
}

// reload does it. joining is held: a node that joins meanwhile would be taken
// for a forgotten one. This process alone admits nodes, so there are none to
// be found.
func (r *Registry) reload(ctx context.Context) error {
	stands, err := r.cfg.Journal.Decisions(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := make(map[string]bool, len(stands))
	changed := false
	for _, d := range stands {
		known[d.Name] = true
		m := r.members[d.Name]
		if m == nil {
			continue
		}
		changed = changed || m.Draining != d.Draining || m.Revoked != d.Revoked
		m.Draining, m.Revoked, m.Admission = d.Draining, d.Revoked, d.Admission
		if m.Revoked {
			m.cut(revokedRefusal(m.Name))
		}
	}
	for name, m := range r.members {
		if !known[name] {
			m.cut(unknownRefusal(name))
			delete(r.members, name)
			r.links = without(r.links, name)
			changed = true
		}
	}
	if changed {
		r.touch()
	}
	return nil
}

// expire cuts nodes whose newest certificate has run out: they could not
// renew it, for whatever reason.
func (r *Registry) expire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.members {
		if now := r.cfg.Now(); !m.Admission.Expires.IsZero() && !now.Before(m.Admission.Expires) {
			m.cut(expiredRefusal(m.Name, m.Admission.Expires))
		}
	}
}

// cut ends the node's connection; the registry's lock is held.
func (m *member) cut(why *wire.Refusal) {
	if m.presence != nil {
		m.presence.cut(why)
	}
}

const joinAnew = "to let it in again, make a token (console token create --kind join) and start its agent with --token-file"

func revokedRefusal(name string) *wire.Refusal {
	return wire.Refuse(wire.NoAdmission, "node %s was revoked here; %s", name, joinAnew).In(wire.CaseRevoked)
}

func unknownRefusal(name string) *wire.Refusal {
	return wire.Refuse(wire.NoAdmission, "node %s is not known here any more; %s", name, joinAnew).In(wire.CaseUnknown)
}

func expiredRefusal(name string, at time.Time) *wire.Refusal {
	return wire.Refuse(wire.NoAdmission, "the certificate of node %s has expired (%s); %s", name, at.UTC().Format(time.RFC3339), joinAnew).In(wire.CaseExpired)
}

// keepUp follows the journal and the clock until ctx ends.
func (r *Registry) keepUp(ctx context.Context) {
	ticker := time.NewTicker(reloadInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := r.Reload(ctx); err != nil && ctx.Err() == nil {
			r.cfg.Log.ErrorContext(ctx, "look for changes of nodes; trying again", "error", err)
		}
		r.expire()
	}
}

// NodeError says why a node cannot be asked for something. What is the matter
// is an *inventory.Reason behind it.
type NodeError struct {
	Node     string
	Standing inventory.Standing // empty for a node that is not known
	Seen     time.Time          // when it was last heard
}

func (e *NodeError) Error() string {
	switch e.Standing {
	case inventory.Offline:
		return fmt.Sprintf("node %s is offline, last heard %s", e.Node, e.Seen.UTC().Format(time.RFC3339))
	case inventory.Draining:
		return fmt.Sprintf("node %s is draining and takes no runs; console node resume %s ends that", e.Node, e.Node)
	case inventory.Revoked:
		return fmt.Sprintf("node %s was revoked; it must join anew", e.Node)
	}
	return fmt.Sprintf("node %q is not known here; console node list names those that are", e.Node)
}

// Unwrap lets errors.Is find inventory.ErrNoNode, and errors.As the reason.
func (e *NodeError) Unwrap() []error {
	switch e.Standing {
	case inventory.Offline:
		return []error{inventory.NewReason(inventory.NodeOffline, e.Error(), "seen", e.Seen.UTC().Format(time.RFC3339))}
	case inventory.Draining:
		return []error{inventory.NewReason(inventory.NodeDraining, e.Error())}
	case inventory.Revoked:
		return []error{inventory.NewReason(inventory.NodeRevoked, e.Error())}
	}
	return []error{inventory.ErrNoNode, inventory.NewReason(inventory.NodeUnknown, e.Error())}
}
