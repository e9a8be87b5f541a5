package web

import (
	"context"
	"slices"
	"sync"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/unit"
)

// nodesTwin is a cluster in memory: it knows what a registry does, and has no
// network.
type nodesTwin struct {
	mu      sync.Mutex // owns what follows
	members []inventory.Member
	links   []inventory.Link
	probing *inventory.Probing
	changed chan struct{}
	invited int
}

func newNodesTwin(members ...inventory.Member) *nodesTwin {
	return &nodesTwin{members: members, changed: make(chan struct{})}
}

func (n *nodesTwin) List() []inventory.Member {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.members)
}

func (n *nodesTwin) Links() []inventory.Link {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.links)
}

func (n *nodesTwin) Probing() (inventory.Probing, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.probing == nil {
		return inventory.Probing{}, false
	}
	return *n.probing, true
}

func (n *nodesTwin) Changed() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.changed
}

// change does something to the node of a name and tells those who wait.
func (n *nodesTwin) change(name string, do func(i int)) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := slices.IndexFunc(n.members, func(m inventory.Member) bool { return m.Name == name })
	if i < 0 {
		return inventory.ErrNoNode
	}
	do(i)
	close(n.changed)
	n.changed = make(chan struct{})
	return nil
}

func (n *nodesTwin) stand(name string, standing inventory.Standing) error {
	return n.change(name, func(i int) { n.members[i].Standing = standing })
}

func (n *nodesTwin) Drain(_ context.Context, name string, on bool) error {
	if on {
		return n.stand(name, inventory.Draining)
	}
	return n.stand(name, inventory.Ready)
}

func (n *nodesTwin) Revoke(_ context.Context, name string) error {
	return n.stand(name, inventory.Revoked)
}

func (n *nodesTwin) Forget(_ context.Context, name string) error {
	for _, m := range n.List() {
		if m.Name == name && (m.Standing == inventory.Ready || m.Standing == inventory.Draining) {
			return inventory.ErrNodeInUse
		}
	}
	return n.change(name, func(i int) { n.members = slices.Delete(n.members, i, i+1) })
}

func (n *nodesTwin) Probe(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.probing = &inventory.Probing{Done: 1, Of: 3}
	return nil
}

func (n *nodesTwin) Invite(context.Context) (inventory.Invitation, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.invited++
	return inventory.Invitation{Address: "192.0.2.7:7443", Token: "join_secret.pin", Expires: time.Now().Add(time.Hour)}, nil
}

func member(name string, standing inventory.Standing) inventory.Member {
	return inventory.Member{
		Name: name, Standing: standing, Address: "192.0.2.11:40000", Build: "test", Joined: time.Now(), Seen: time.Now(),
		Node: inventory.Node{Host: name, OS: "linux", Arch: "amd64", CPUs: 8, Memory: 32 * unit.GiB,
			NICs: []inventory.NIC{{Name: "eth0", Up: true, Rate: 12.5e9}}},
	}
}

// withNodes makes a console of a cluster.
func withNodes(n *nodesTwin) func(*Config) {
	return func(c *Config) { c.Nodes, c.Keeper, c.Inviter = n, n, n }
}
