package cluster_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/web/account"
)

// journal is a twin of store.Nodes in memory. It outlives the consoles of a
// test, as a data folder does.
type journal struct {
	mu           sync.Mutex
	nodes        map[string]inventory.Enrolment
	certificates map[string]issued
	links        map[[2]string]inventory.Link
}

type issued struct {
	inventory.Admission
	node string
}

func newJournal() *journal {
	return &journal{nodes: map[string]inventory.Enrolment{}, certificates: map[string]issued{}, links: map[[2]string]inventory.Link{}}
}

func (j *journal) Enrolments(context.Context) ([]inventory.Enrolment, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.SortedFunc(maps.Values(j.nodes), func(a, b inventory.Enrolment) int { return cmp.Compare(a.Name, b.Name) }), nil
}

func (j *journal) Decisions(ctx context.Context) ([]inventory.Decision, error) {
	all, err := j.Enrolments(ctx)
	var stands []inventory.Decision
	for _, e := range all {
		stands = append(stands, inventory.Decision{Name: e.Name, Draining: e.Draining, Revoked: e.Revoked, Admission: e.Admission})
	}
	return stands, err
}

func (j *journal) Admit(_ context.Context, e inventory.Enrolment) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.revoke(e.Name)
	j.nodes[e.Name] = e
	j.certificates[e.Admission.Serial] = issued{e.Admission, e.Name}
	return nil
}

func (j *journal) revoke(name string) {
	for serial, c := range j.certificates {
		if c.node == name {
			c.Revoked = true
			j.certificates[serial] = c
		}
	}
}

func (j *journal) Note(_ context.Context, e inventory.Enrolment) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if old, ok := j.nodes[e.Name]; ok {
		old.Seen, old.Build, old.Limits, old.Node = e.Seen, e.Build, e.Limits, e.Node
		j.nodes[e.Name] = old
	}
	return nil
}

func (j *journal) Amend(_ context.Context, name string, change inventory.Change) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e, ok := j.nodes[name]
	if !ok {
		return fmt.Errorf("%s node %q: %w", change, name, inventory.ErrNoNode)
	}
	switch change {
	case inventory.Drain, inventory.Resume:
		e.Draining = change == inventory.Drain
	case inventory.Revoke:
		e.Revoked = true
		j.revoke(name)
	case inventory.Forget:
		delete(j.nodes, name)
		maps.DeleteFunc(j.certificates, func(_ string, c issued) bool { return c.node == name })
		maps.DeleteFunc(j.links, func(pair [2]string, _ inventory.Link) bool { return pair[0] == name || pair[1] == name })
		return nil
	}
	j.nodes[name] = e
	return nil
}

func (j *journal) Certify(_ context.Context, name string, a inventory.Admission, _ time.Time) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e, ok := j.nodes[name]
	if !ok || e.Revoked {
		return inventory.ErrNoNode
	}
	e.Admission = a
	j.nodes[name] = e
	j.certificates[a.Serial] = issued{a, name}
	return nil
}

func (j *journal) Certificate(_ context.Context, serial string) (string, inventory.Admission, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c, ok := j.certificates[serial]
	if !ok {
		return "", inventory.Admission{}, inventory.ErrNoNode
	}
	return c.node, c.Admission, nil
}

func (j *journal) Links(context.Context) ([]inventory.Link, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Collect(maps.Values(j.links)), nil
}

func (j *journal) SaveLinks(_ context.Context, links []inventory.Link) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, l := range links {
		j.links[[2]string{l.From, l.To}] = l
	}
	return nil
}

// tokens is a twin of store.Tokens: every secret in it counts once.
type tokens struct {
	mu   sync.Mutex
	live map[string]string // secret to name
	used map[string]string // likewise
}

func (t *tokens) add(secret string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live[secret] = "token " + secret
	return secret
}

func (t *tokens) Redeem(_ context.Context, kind, secret string, _ time.Time) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name, ok := t.live[secret]
	if !ok || kind != "join" {
		return "", account.ErrTokenRefused
	}
	delete(t.live, secret)
	t.used[secret] = name
	return name, nil
}

func (t *tokens) Redeemed(_ context.Context, secret string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if name, ok := t.used[secret]; ok {
		return name, nil
	}
	return "", account.ErrTokenRefused
}

// revoke makes a secret, used or not, let nobody in.
func (t *tokens) revoke(secret string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.live, secret)
	delete(t.used, secret)
}
