package cluster_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lockstep/cluster"
	"lockstep/cluster/agent"
	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// patience is how long a test waits for what takes milliseconds on an idle
// machine.
const patience = 30 * time.Second

// Beats of tests: quick, with more of them missed before anyone is given up.
const (
	beat    = 20 * time.Millisecond
	silence = 3 * time.Second
)

// clock is one that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// site is a console's data folder with what is in it, and its clock.
type site struct {
	dir       string
	authority *cluster.Authority
	journal   *journal
	tokens    *tokens
	clock     *clock
	events    events
}

func newSite(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	authority, err := cluster.OpenAuthority(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &site{
		dir: dir, authority: authority, journal: newJournal(),
		tokens: &tokens{live: map[string]string{}, used: map[string]string{}}, clock: &clock{now: time.Now()},
	}
}

// token makes a join token.
func (s *site) token(secret string) wire.Token {
	return wire.Token{Secret: s.tokens.add(secret), Pin: s.authority.Pin()}
}

// events remembers what the audit was told.
type events struct {
	mu  sync.Mutex
	all []cluster.Event
}

func (e *events) Record(_ context.Context, one cluster.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, one)
}

func (e *events) list() []cluster.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]cluster.Event(nil), e.all...)
}

// console is one that serves nodes.
type console struct {
	*cluster.Registry
	address string
	stop    func()
}

// serve starts a console on the site.
func (s *site) serve(t *testing.T) *console {
	t.Helper()
	registry, err := cluster.NewRegistry(t.Context(), cluster.Config{
		Authority: s.authority, Journal: s.journal, Tokens: s.tokens, Audit: &s.events, Build: "test",
		Log: slog.New(slog.NewTextHandler(testWriter{t}, nil)), Now: s.clock.Now, Beat: beat, Silence: silence,
		Pings: 5 * time.Millisecond, Transfer: 20 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- registry.Serve(ctx, listener) }()
	c := &console{Registry: registry, address: listener.Addr().String()}
	c.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-served; err != nil {
			t.Errorf("serve nodes: %v", err)
		}
	})
	t.Cleanup(c.stop)
	return c
}

// testWriter is a log that ends with its test.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Helper()
	w.t.Logf("%s", b)
	return len(b), nil
}

// node is a running agent.
type node struct {
	config   agent.Config
	admitted chan struct{} // holds one for every call of Admitted
	ended    chan error
	stop     func() error
}

// agentConfig is that of an agent with a state folder of its own.
func (s *site) agentConfig(t *testing.T, c *console, name string) agent.Config {
	t.Helper()
	return agent.Config{
		Console: c.address, Name: name, State: filepath.Join(t.TempDir(), name), Build: "test",
		Node: inventory.Node{Host: name}, Log: slog.New(slog.NewTextHandler(testWriter{t}, nil)), Now: s.clock.Now,
		Handlers: map[string]wire.Handler{
			"echo": func(_ context.Context, conn net.Conn) error {
				_, err := io.Copy(conn, conn)
				return err
			},
			"run": func(ctx context.Context, conn net.Conn) error {
				_, err := io.Copy(conn, conn)
				return err
			},
			wire.ProbeKind: agent.Probe{}.Serve,
		},
		Beat: beat, Silence: silence, Pause: 10 * time.Millisecond, MaxPause: 100 * time.Millisecond,
	}
}

// start runs an agent until the test ends, or it does.
func start(t *testing.T, cfg agent.Config) *node {
	t.Helper()
	n := &node{admitted: make(chan struct{}, 100), ended: make(chan error, 1)}
	cfg.Admitted = func() { n.admitted <- struct{}{} }
	n.config = cfg
	a, err := agent.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := a.Run(ctx)
		if closeErr := a.Close(); err == nil {
			err = closeErr
		}
		n.ended <- err
		close(n.ended)
	}()
	n.stop = sync.OnceValue(func() error {
		cancel()
		return <-n.ended
	})
	t.Cleanup(func() { _ = n.stop() })
	return n
}

// waitAdmitted waits until the agent says that it was let in.
func (n *node) waitAdmitted(t *testing.T) {
	t.Helper()
	select {
	case <-n.admitted:
	case err := <-n.ended:
		t.Fatalf("agent %s has ended: %v", n.config.Name, err)
	case <-time.After(patience):
		t.Fatalf("agent %s was not let in", n.config.Name)
	}
}

// waitEnd waits until the agent gives up, and returns why.
func (n *node) waitEnd(t *testing.T) error {
	t.Helper()
	select {
	case err := <-n.ended:
		return err
	case <-time.After(patience):
		t.Fatalf("agent %s does not end", n.config.Name)
		return nil
	}
}

// join starts an agent that joins with a token, and waits until it is in.
func (s *site) join(t *testing.T, c *console, name string) *node {
	t.Helper()
	cfg := s.agentConfig(t, c, name)
	cfg.Token = s.token("secret-of-" + name)
	n := start(t, cfg)
	n.waitAdmitted(t)
	return n
}

// waitFor waits until the node stands so.
func (c *console) waitFor(t *testing.T, name string, want inventory.Standing) inventory.Member {
	t.Helper()
	var m inventory.Member
	c.waitUntil(t, fmt.Sprintf("node %s is %s", name, want), func() bool {
		for _, m = range c.List() {
			if m.Name == name {
				return m.Standing == want
			}
		}
		return want == ""
	})
	return m
}

// waitUntil waits for a change after which the condition holds.
func (c *console) waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	late := time.After(patience)
	for {
		changed := c.Changed()
		if holds() {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("waited in vain until %s; nodes: %+v", what, c.List())
		}
	}
}
