package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// Roster keeps nodes.
type Roster interface {
	Enrolments(ctx context.Context) ([]inventory.Enrolment, error)
	Admit(ctx context.Context, e inventory.Enrolment) error
	Note(ctx context.Context, e inventory.Enrolment) error
}

// Decisions keeps what people ask of nodes, in any process.
type Decisions interface {
	Amend(ctx context.Context, name string, change inventory.Change) error
	Decisions(ctx context.Context) ([]inventory.Decision, error)
}

// Certificates keeps what was issued to nodes. Where there is no such
// certificate or node, the error is inventory.ErrNoNode.
type Certificates interface {
	Certify(ctx context.Context, name string, a inventory.Admission, now time.Time) error
	Certificate(ctx context.Context, serial string) (name string, a inventory.Admission, err error)
}

// Probes keeps what was found between nodes.
type Probes interface {
	Links(ctx context.Context) ([]inventory.Link, error)
	SaveLinks(ctx context.Context, links []inventory.Link) error
}

// Journal is what survives a restart of the console.
type Journal interface {
	Roster
	Decisions
	Certificates
	Probes
}

// Tokens uses join tokens up: of all callers of Redeem with one secret exactly
// one gets nil. Redeemed is for one that was used up before, and not revoked
// since. Both return what the token is called; the error of a secret that lets
// nobody in is account.ErrTokenRefused.
type Tokens interface {
	Redeem(ctx context.Context, kind, secret string, now time.Time) (name string, err error)
	Redeemed(ctx context.Context, secret string) (name string, err error)
}

// Config is what a Registry rests on.
type Config struct {
	Authority *Authority
	Journal   Journal
	Tokens    Tokens
	Audit     Audit  // nil for none
	Build     string // version of this program
	Log       *slog.Logger
	Now       func() time.Time // of certificates and tokens

	// How often both ends of a connection speak and after how long without a
	// word the other is given up; 0 for those of the protocol.
	Beat, Silence time.Duration
	// How long the parts of a measurement between two nodes take: small messages,
	// and bytes each way; 0 for what Probe says.
	Pings, Transfer time.Duration
}

// Registry is the nodes that a console knows. It is safe for concurrent use.
// One process at a time may Serve for a Journal.
type Registry struct {
	cfg       Config
	tls       *tls.Config
	strangers strangers
	attempts  attempts      // to join with tokens that let nobody in
	noted     attempts      // refusals that were recorded
	joining   sync.Mutex    // held while one node joins
	asked     chan struct{} // holds one while a probe is asked for and has not begun

	mu       sync.Mutex // owns what follows
	members  map[string]*member
	changed  chan struct{} // closed when something changes, and replaced
	links    []inventory.Link
	redeemed map[inventory.Fingerprint]time.Time // secrets used up whose nodes have not joined yet
	carried  map[string]string                   // the run that a node carries out, by its name
	probing  *inventory.Probing                  // nil for none
}

// member is a node as it stands; the registry's lock owns it.
type member struct {
	inventory.Enrolment
	presence *presence // nil while it is offline
}

// NewRegistry returns the nodes that the journal knows, all of them offline.
func NewRegistry(ctx context.Context, cfg Config) (*Registry, error) {
	switch {
	case cfg.Authority == nil, cfg.Journal == nil, cfg.Tokens == nil, cfg.Log == nil, cfg.Now == nil:
		return nil, errors.New("make registry: authority, journal, tokens, log and clock are needed")
	case cfg.Beat < 0 || cfg.Silence < 0 || cfg.Pings < 0 || cfg.Transfer < 0:
		return nil, fmt.Errorf("make registry: beat %v, silence %v, pings for %v, transfers for %v; accepted: 0 or more", cfg.Beat, cfg.Silence, cfg.Pings, cfg.Transfer)
	}
	cfg.Beat, cfg.Silence = cmp.Or(cfg.Beat, wire.BeatInterval), cmp.Or(cfg.Silence, wire.Silence)
	r := &Registry{
		cfg:      cfg,
		tls:      wire.ServerTLS((&identity{authority: cfg.Authority, now: cfg.Now}).certificate),
		asked:    make(chan struct{}, 1),
		members:  map[string]*member{},
		changed:  make(chan struct{}),
		carried:  map[string]string{},
		redeemed: map[inventory.Fingerprint]time.Time{},
	}
	kept, err := cfg.Journal.Enrolments(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range kept {
		r.members[e.Name] = &member{Enrolment: e}
	}
	links, err := cfg.Journal.Links(ctx)
	if err != nil {
		return nil, err
	}
	r.links = links
	return r, nil
}

// List returns the nodes by name, as they stand.
func (r *Registry) List() []inventory.Member {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]inventory.Member, 0, len(r.members))
	for _, m := range r.members {
		one := m.public(r.cfg.Build)
		one.Run = r.carried[m.Name]
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b inventory.Member) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Changed returns a channel that is closed at the next change of what List,
// Links and Probing say, other than of when nodes were last heard.
func (r *Registry) Changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

// touch tells those who wait for a change; the lock is held.
func (r *Registry) touch() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// standing says what may be asked of the node; the lock is held.
func (m *member) standing() inventory.Standing {
	switch {
	case m.Revoked:
		return inventory.Revoked
	case m.presence == nil || m.presence.session == nil: // or its welcome is under way
		return inventory.Offline
	case m.Draining:
		return inventory.Draining
	}
	return inventory.Ready
}

func (m *member) public(build string) inventory.Member {
	out := inventory.Member{
		Name: m.Name, Standing: m.standing(), Build: m.Build, Joined: m.Joined, Seen: m.Seen,
		Limits: m.Limits, Admission: m.Admission, Node: m.Node,
	}
	if out.Seen.IsZero() {
		out.Seen = m.Joined
	}
	if p := m.presence; p != nil {
		out.Address, out.Seen = p.address, p.heard
	}
	if m.Build != "" && m.Build != build {
		out.Doubt = fmt.Sprintf("its program is %s, the console's is %s", m.Build, build)
	}
	return out
}

// identity is the certificate that the agent listener shows, made anew at half
// of its life.
type identity struct {
	authority *Authority
	now       func() time.Time

	mu      sync.Mutex // owns what follows
	current *tls.Certificate
	renew   time.Time
}

func (i *identity) certificate() (*tls.Certificate, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.now()
	if i.current == nil || now.After(i.renew) {
		chain, key, err := i.authority.serverCertificate(now)
		if err != nil {
			return nil, fmt.Errorf("certify the agent listener: %w", err)
		}
		i.current, i.renew = &tls.Certificate{Certificate: chain, PrivateKey: key}, now.Add(serverLifetime/2)
	}
	return i.current, nil
}
