package cluster_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/cluster"
	"lockstep/cluster/agent"
	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

func TestNodeJoinsAndIsReached(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	cfg := s.agentConfig(t, c, "gpu-a")
	cfg.Token, cfg.Limits = s.token("once"), inventory.Limits{Ranks: 8}
	n := start(t, cfg)
	n.waitAdmitted(t)
	m := c.waitFor(t, "gpu-a", inventory.Ready)
	if m.Node.Host != "gpu-a" || m.Limits.Ranks != 8 || m.Build != "test" || m.Doubt != "" || m.Address == "" || m.Admission.Serial == "" {
		t.Errorf("node = %+v", m)
	}
	conn, err := c.Dial(t.Context(), "gpu-a", "echo")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "to and fro"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 10)
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "to and fro" {
		t.Errorf("echo = %q, %v", got, err)
	}
	var declined *wire.RefusedError
	if _, err := c.Dial(t.Context(), "gpu-a", "shell"); !errors.As(err, &declined) || !strings.Contains(err.Error(), `"shell"`) {
		t.Errorf("stream of an unknown kind: %v", err)
	}
	var unknown *cluster.NodeError
	if _, err := c.Dial(t.Context(), "gpu-z", "run"); !errors.As(err, &unknown) || !errors.Is(err, inventory.ErrNoNode) {
		t.Errorf("stream to an unknown node: %v", err)
	}
	events := s.events.list()
	if len(events) != 1 || events[0].What != cluster.Joined || events[0].Node != "gpu-a" || events[0].By != "token once" || events[0].Refused != "" {
		t.Errorf("events = %+v", events)
	}
}

func TestManyNodesJoinAtOnce(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	const many = 24
	nodes := make([]*node, many)
	for i := range nodes {
		cfg := s.agentConfig(t, c, fmt.Sprintf("n%02d", i))
		cfg.Token, cfg.Log = s.token(cfg.Name), slog.New(slog.DiscardHandler)
		nodes[i] = start(t, cfg)
	}
	for _, n := range nodes {
		n.waitAdmitted(t)
	}
	c.waitUntil(t, "all are ready", func() bool {
		ready := 0
		for _, m := range c.List() {
			if m.Standing == inventory.Ready {
				ready++
			}
		}
		return ready == many
	})
}

func TestTokenCountsOnce(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	cfg := s.agentConfig(t, c, "gpu-a")
	cfg.Token = s.token("once")
	start(t, cfg).waitAdmitted(t)
	again := s.agentConfig(t, c, "gpu-b")
	again.Token = cfg.Token
	if err := start(t, again).waitEnd(t); err == nil || !strings.Contains(err.Error(), "unknown, used, expired or revoked") {
		t.Errorf("second node with the token: %v", err)
	}
	if len(c.List()) != 1 {
		t.Errorf("nodes = %+v", c.List())
	}
}

func TestCertificateReplacesTheToken(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	c.waitFor(t, "gpu-a", inventory.Offline)
	cfg := n.config
	start(t, cfg).waitAdmitted(t) // with the token, which is used up by now
	c.waitFor(t, "gpu-a", inventory.Ready)
}

func TestNamesAreOneNodesEach(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")

	second := s.agentConfig(t, c, "gpu-a") // another machine, hence another key
	second.Token = s.token("second")
	if err := start(t, second).waitEnd(t); err == nil || !strings.Contains(err.Error(), "choose another --name") {
		t.Fatalf("second node of the name, while the first is connected: %v", err)
	}
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	c.waitFor(t, "gpu-a", inventory.Offline)
	if err := start(t, second).waitEnd(t); err == nil || !strings.Contains(err.Error(), "console node forget gpu-a") {
		t.Fatalf("second node of the name, while the first is away: %v", err)
	}
	if err := c.Forget(t.Context(), "gpu-a"); err != nil {
		t.Fatal(err)
	}
	// The refusals did not use the token up.
	start(t, second).waitAdmitted(t)
	// What the first one has lets it in no more.
	first := n.config
	first.Token = wire.Token{}
	if err := start(t, first).waitEnd(t); err == nil || !strings.Contains(err.Error(), "not known here any more") {
		t.Errorf("the first node: %v", err)
	}
}

// The second try that a token is good for ends with the token.
func TestRevokedTokenHasNoSecondTry(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	s.join(t, c, "gpu-a")
	refused := s.agentConfig(t, c, "gpu-a") // a name that is taken, which used the token up
	refused.Token = s.token("once")
	if err := start(t, refused).waitEnd(t); err == nil || !strings.Contains(err.Error(), "choose another --name") {
		t.Fatalf("a second node of the name: %v", err)
	}
	lost := s.agentConfig(t, c, "gpu-b") // whose certificate was lost on its way
	lost.Token = s.token("lost")
	join(t, s, c, lost)
	refused.Name = "gpu-c"
	for _, cfg := range []agent.Config{refused, lost} {
		s.tokens.revoke(cfg.Token.Secret)
		if err := start(t, cfg).waitEnd(t); err == nil || !strings.Contains(err.Error(), "expired or revoked") {
			t.Errorf("agent of %s with a token that was revoked: %v", cfg.Name, err)
		}
	}
}

func TestLostCertificateIsHandedOutAgain(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	cfg := s.agentConfig(t, c, "gpu-a")
	cfg.Token = s.token("once")
	// The node dies between using the token and keeping its certificate.
	join(t, s, c, cfg)
	start(t, cfg).waitAdmitted(t)
	c.waitFor(t, "gpu-a", inventory.Ready)
	// Once it has connected the token is of no use any more.
	stranger := s.agentConfig(t, c, "gpu-a")
	stranger.Token = cfg.Token
	if err := start(t, stranger).waitEnd(t); err == nil || !strings.Contains(err.Error(), "unknown, used") {
		t.Errorf("the token, once more: %v", err)
	}
}

func TestAgentBelievesOneConsoleOnly(t *testing.T) {
	s, other := newSite(t), newSite(t)
	c := other.serve(t)
	cfg := s.agentConfig(t, c, "gpu-a")
	cfg.Token = s.token("for another console")
	if err := start(t, cfg).waitEnd(t); !errors.Is(err, wire.ErrImpostor) {
		t.Fatalf("agent with the token of another console: %v", err)
	}
	if events := other.events.list(); len(events) != 0 {
		t.Errorf("the other console has been told something: %+v", events)
	}
}

func TestAgentMovesToAnotherConsole(t *testing.T) {
	s, other := newSite(t), newSite(t)
	n := s.join(t, s.serve(t), "gpu-a")
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	c := other.serve(t)
	cfg := n.config
	cfg.Console, cfg.Token = c.address, other.token("move")
	start(t, cfg).waitAdmitted(t)
	c.waitFor(t, "gpu-a", inventory.Ready)
}

func TestStateFolderIsOneAgents(t *testing.T) {
	s := newSite(t)
	n := s.join(t, s.serve(t), "gpu-a")
	cfg := n.config
	if _, err := openAgent(cfg); err == nil || !strings.Contains(err.Error(), "another agent uses it") {
		t.Errorf("second agent on the folder: %v", err)
	}
	cfg.State = filepath.Join(t.TempDir(), "other")
	cfg.Token = wire.Token{}
	if err := start(t, cfg).waitEnd(t); err == nil || !strings.Contains(err.Error(), "console token create --kind join") {
		t.Errorf("agent without certificate and token: %v", err)
	}
}
