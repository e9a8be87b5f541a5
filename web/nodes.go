package web

import (
	"context"

	"lockstep/cluster/inventory"
)

// Nodes is the cluster of a console as it stands.
type Nodes interface {
	// List returns the nodes by name.
	List() []inventory.Member
	// Links returns what the latest probe of each pair of nodes found.
	Links() []inventory.Link
	// Probing returns how far a probe is, and whether one is under way.
	Probing() (p inventory.Probing, under bool)
	// Changed returns a channel that is closed when one of the others would
	// answer something else. A heartbeat alone changes nothing.
	Changed() <-chan struct{}
}

// NodeKeeper does what an admin asks about a node. The error is
// inventory.ErrNoNode where there is none of that name.
type NodeKeeper interface {
	// Drain keeps further runs from a node, or lets them come again.
	Drain(ctx context.Context, name string, on bool) error
	// Revoke cuts a node off; it must join anew.
	Revoke(ctx context.Context, name string) error
	// Forget removes a node that is offline or revoked from the list.
	Forget(ctx context.Context, name string) error
	// Probe begins to measure the ways between all pairs of nodes. It returns
	// when that is under way; one that already is counts.
	Probe(ctx context.Context) error
}

// NodeInviter makes what a machine needs to join.
type NodeInviter interface {
	// Invite makes a join token that counts once.
	Invite(ctx context.Context) (inventory.Invitation, error)
}
