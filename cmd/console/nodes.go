package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lockstep/cluster"
	"lockstep/cluster/inventory"
	"lockstep/cluster/span"
	"lockstep/cluster/wire"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/store"
	"lockstep/web/account"
	"lockstep/web/auth"
)

// agentsFile says in the data folder where agents find the console that serves
// it, for those who make join tokens.
const agentsFile = "serving-agents"

// nodes is a console's cluster while it serves: the registry and the listener
// of its agents.
type nodes struct {
	*cluster.Registry
	authority *cluster.Authority
	listener  net.Listener
	served    chan error // what Serve has returned; nil before start
	end       context.CancelFunc
}

// nodes returns what makes a cluster of the agents that join; nil if that was
// not asked for.
func (c serveCommand) nodes(dir string, term terminal) (func(context.Context, *store.Store) (*nodes, error), error) {
	if c.AgentListen == "" {
		return nil, nil
	}
	if _, _, err := net.SplitHostPort(c.AgentListen); err != nil {
		return nil, usage("agent-listen", fmt.Errorf("%q is no address; accepted is HOST:PORT, such as 0.0.0.0:8444", c.AgentListen))
	}
	return func(ctx context.Context, db *store.Store) (*nodes, error) {
		listener, err := listen(ctx, "agent-listen", c.AgentListen)
		if err != nil {
			return nil, err
		}
		n, err := openNodes(ctx, dir, db, listener, slog.New(slog.NewTextHandler(term.err, nil)))
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		return n, nil
	}, nil
}

// openNodes makes the cluster of a data folder; agents come in by listener once
// it is started.
func openNodes(ctx context.Context, dir string, db *store.Store, listener net.Listener, log *slog.Logger) (*nodes, error) {
	authority, err := cluster.OpenAuthority(dir)
	if err != nil {
		return nil, err
	}
	registry, err := cluster.NewRegistry(ctx, cluster.Config{
		Authority: authority, Journal: db.Nodes(), Tokens: db.Tokens(), Audit: nodeAudit{db.Audit(), log},
		Build: buildVersion(), Log: log, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	return &nodes{Registry: registry, authority: authority, listener: listener}, nil
}

// start lets agents in until stop, and says in the data folder dir, which this
// process has claimed, where they find it. withdraw takes that back. Without
// nodes it sees to it that nobody looks for them here.
func (n *nodes) start(dir string, log *slog.Logger) (withdraw func() error, err error) {
	published := filepath.Join(dir, agentsFile)
	withdraw = func() error {
		if err := os.Remove(published); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("withdraw the address for agents: %w", err)
		}
		return nil
	}
	if n == nil {
		return withdraw, withdraw() // a console that was killed may have left it
	}
	address := advertised(n.listener.Addr())
	if err := os.WriteFile(published, []byte(address+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("publish the address for agents: %w", err)
	}
	log.Info("agents join here: console token create --kind join, then console agent --join ADDRESS --token-file FILE on each machine", "address", address)
	var ctx context.Context
	ctx, n.end = context.WithCancel(context.Background()) // runs need their nodes until the engine has ended
	n.served = make(chan error, 1)
	go func() {
		var beside sync.WaitGroup
		beside.Go(func() { newProber(n, log).run(ctx) })
		err := n.Serve(ctx, n.listener)
		beside.Wait()
		n.served <- err
	}()
	return withdraw, nil
}

// carrying is a fleet whose nodes say which run they carry out.
type carrying struct {
	*span.Fleet
	nodes *nodes
}

// Execute runs sched on the nodes that spec names. A probe that is under way
// is waited for: they would measure each other.
func (c carrying) Execute(ctx context.Context, id string, spec trace.Spec, sched *schedule.Schedule, log *trace.Log) trace.Report {
	defer c.nodes.Carry(id, spec.Nodes)()
	if len(spec.Nodes) > 0 {
		c.nodes.quiet(ctx)
	}
	return c.Fleet.Execute(ctx, id, spec, sched, log)
}

// probeTime is more than a probe of all pairs takes.
const probeTime = 30 * time.Second

// quiet returns when no probe is under way.
func (n *nodes) quiet(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	for {
		changed := n.Changed()
		if _, under := n.Probing(); !under {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// stop ends every connection and returns when all is over. Without start it
// only closes the listener.
func (n *nodes) stop() error {
	if n.served == nil {
		return n.listener.Close()
	}
	n.end()
	return <-n.served
}

// Invite makes a join token for one machine.
func (i inviter) Invite(ctx context.Context) (inventory.Invitation, error) {
	who, _ := auth.From(ctx)
	text, token, err := account.NewToken(account.TokenRequest{Kind: account.JoinToken, By: who.String()}, time.Now())
	if err != nil {
		return inventory.Invitation{}, err
	}
	if err := i.tokens.Add(ctx, token); err != nil {
		return inventory.Invitation{}, err
	}
	return inventory.Invitation{
		Address: i.address, Token: wire.Token{Secret: text, Pin: i.pin}.String(), Expires: token.Expires,
	}, nil
}

// inviter makes what a machine needs to join; it is a web.NodeInviter.
type inviter struct {
	tokens  store.Tokens
	pin     wire.Pin
	address string
}

func (n *nodes) inviter(db *store.Store) inviter {
	return inviter{db.Tokens(), n.authority.Pin(), advertised(n.listener.Addr())}
}

// agentsAt returns where agents find the console that serves the data folder,
// empty if none does, or lets none in.
func agentsAt(dir string) (string, error) {
	address, err := servedAt(dir)
	if err != nil || address == "" {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, agentsFile))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// advertised is how other machines reach a listener: one on all addresses is
// reached by that of the way out of this machine.
func advertised(at net.Addr) string {
	bound, err := netip.ParseAddrPort(at.String())
	if err != nil || !bound.Addr().IsUnspecified() {
		return at.String()
	}
	host := "127.0.0.1"
	// Choosing a route for a datagram sends nothing.
	for _, far := range []string{"192.0.2.1:9", "[2001:db8::1]:9"} {
		if way, err := net.Dial("udp", far); err == nil {
			host, _, _ = net.SplitHostPort(way.LocalAddr().String())
			way.Close()
			break
		}
	}
	_, port, _ := net.SplitHostPort(at.String())
	return net.JoinHostPort(host, port)
}

// nodeAudit keeps in the audit log which nodes came, and which were turned
// away.
type nodeAudit struct {
	kept store.Audit
	log  *slog.Logger
}

// Record keeps one event.
func (a nodeAudit) Record(ctx context.Context, e cluster.Event) {
	host, _, err := net.SplitHostPort(e.From)
	if err != nil {
		host = e.From
	}
	entry := account.AuditEntry{At: time.Now(), Who: e.By, From: host, Action: account.JoinNode, Target: e.Node, Outcome: account.Allowed, Detail: e.Refused}
	if e.By != "" {
		entry.Via = account.ByToken
	}
	if e.Refused != "" {
		entry.Outcome, entry.Said = account.Refused, map[string]string{"why": e.Why}
	}
	if err := a.kept.Append(context.WithoutCancel(ctx), entry); err != nil {
		a.log.ErrorContext(ctx, "keep an audit entry", "action", entry.Action, "target", entry.Target, "error", err)
	}
}
