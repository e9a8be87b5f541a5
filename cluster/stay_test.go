package cluster_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"lockstep/cluster"
	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

func TestNodesComeBackToARestartedConsole(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	relay := relayTo(t, c.address) // an address that outlives the console
	c.address = relay.address
	a, b := s.join(t, c, "gpu-a"), s.join(t, c, "gpu-b")
	if err := c.Drain(t.Context(), "gpu-b", true); err != nil {
		t.Fatal(err)
	}
	c.stop()
	again := s.serve(t)
	relay.aim(again.address)
	if m := again.List(); len(m) != 2 || m[0].Standing == "" || m[0].Node.Host != "gpu-a" {
		t.Errorf("nodes of the new console: %+v", m)
	}
	again.waitFor(t, "gpu-a", inventory.Ready)
	again.waitFor(t, "gpu-b", inventory.Draining)
	for _, n := range []*node{a, b} {
		select {
		case <-n.admitted:
			t.Errorf("agent %s says a second time that it is in", n.config.Name)
		default:
		}
	}
}

func TestDrainingNodeTakesNoRuns(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	s.join(t, c, "gpu-a")
	run, err := c.Dial(t.Context(), "gpu-a", wire.RunKind)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if err := c.Drain(t.Context(), "gpu-a", true); err != nil {
		t.Fatal(err)
	}
	c.waitFor(t, "gpu-a", inventory.Draining)
	var refused *cluster.NodeError
	if _, err := c.Dial(t.Context(), "gpu-a", wire.RunKind); !errors.As(err, &refused) || refused.Standing != inventory.Draining {
		t.Errorf("run on a draining node: %v", err)
	}
	// The run under way goes on, and so does everything else.
	if _, err := io.WriteString(run, "x"); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadFull(run, make([]byte, 1)); err != nil {
		t.Error(err)
	}
	if conn, err := c.Dial(t.Context(), "gpu-a", "echo"); err != nil {
		t.Error(err)
	} else {
		conn.Close()
	}
	if err := c.Drain(t.Context(), "gpu-a", false); err != nil {
		t.Fatal(err)
	}
	c.waitFor(t, "gpu-a", inventory.Ready)
	if err := c.Drain(t.Context(), "gpu-z", true); !errors.Is(err, inventory.ErrNoNode) {
		t.Errorf("drain an unknown node: %v", err)
	}
}

func TestRevokedNodeIsCutAndStaysOut(t *testing.T) {
	for name, revoke := range map[string]func(*testing.T, *site, *console) error{
		"by this process": func(t *testing.T, _ *site, c *console) error { return c.Revoke(t.Context(), "gpu-a") },
		"by another process": func(t *testing.T, s *site, _ *console) error {
			return s.journal.Amend(t.Context(), "gpu-a", inventory.Revoke)
		},
		"forgotten elsewhere": func(t *testing.T, s *site, _ *console) error {
			return s.journal.Amend(t.Context(), "gpu-a", inventory.Forget)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			c := s.serve(t)
			n := s.join(t, c, "gpu-a")
			run, err := c.Dial(t.Context(), "gpu-a", wire.RunKind)
			if err != nil {
				t.Fatal(err)
			}
			defer run.Close()
			began := time.Now()
			if err := revoke(t, s, c); err != nil {
				t.Fatal(err)
			}
			err = n.waitEnd(t)
			if took := time.Since(began); took > 6*time.Second { // 2 s, threefold
				t.Errorf("it took %v to cut the node off", took)
			}
			if err == nil || !strings.Contains(err.Error(), "console token create --kind join") {
				t.Errorf("the agent has ended with %v", err)
			}
			if _, err := run.Read(make([]byte, 1)); err == nil {
				t.Error("its run goes on")
			}
			c.stop()
			again := s.serve(t)
			left := n.config
			left.Console = again.address
			left.Token = wire.Token{}
			if err := start(t, left).waitEnd(t); err == nil || !strings.Contains(err.Error(), "console token create --kind join") {
				t.Errorf("the agent after a restart of the console: %v", err)
			}
			// With a new token it may come again.
			left.Token = s.token("pardon")
			start(t, left).waitAdmitted(t)
			again.waitFor(t, "gpu-a", inventory.Ready)
		})
	}
}

func TestListSaysWhatNodesCarryOut(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	s.join(t, c, "gpu-a")
	s.join(t, c, "gpu-b")
	done := c.Carry("0007", []string{"gpu-b"})
	next := c.Carry("0008", []string{"gpu-b"}) // begins before the one before it is put away
	done()
	if m := c.List(); m[0].Run != "" || m[1].Run != "0008" {
		t.Errorf("runs = %q, %q", m[0].Run, m[1].Run)
	}
	next()
	if m := c.List(); m[1].Run != "" {
		t.Errorf("run = %q after all ended", m[1].Run)
	}
}

func TestForgetTakesNodesThatAreGone(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	if err := c.Forget(t.Context(), "gpu-a"); !errors.Is(err, inventory.ErrNodeInUse) {
		t.Errorf("forget a connected node: %v", err)
	}
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	c.waitFor(t, "gpu-a", inventory.Offline)
	if err := c.Forget(t.Context(), "gpu-a"); err != nil {
		t.Fatal(err)
	}
	c.waitFor(t, "gpu-a", "")
}

func TestCertificateIsRenewedAtHalfLife(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	first := c.waitFor(t, "gpu-a", inventory.Ready).Admission
	run, err := c.Dial(t.Context(), "gpu-a", wire.RunKind)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	s.clock.pass(13 * time.Hour)
	renewed := eventually(t, "another certificate", func() (inventory.Admission, bool) {
		a := c.List()[0].Admission
		return a, a.Serial != first.Serial
	})
	if want := first.Expires.Add(13 * time.Hour); renewed.Expires.Before(want.Add(-time.Minute)) {
		t.Errorf("it expires at %v, want about %v", renewed.Expires, want)
	}
	// The run under way was not touched.
	if _, err := io.WriteString(run, "x"); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadFull(run, make([]byte, 1)); err != nil {
		t.Error(err)
	}
	eventually(t, "the certificate on the node's disk", func() (struct{}, bool) {
		return struct{}{}, serialOnDisk(t, n.config.State) == renewed.Serial
	})
	// The new one is used at the next connection, when the old has expired.
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	s.clock.pass(12 * time.Hour)
	left := n.config
	left.Token = wire.Token{}
	start(t, left).waitAdmitted(t)
}

func TestExpiredCertificateLetsNobodyIn(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	s.clock.pass(25 * time.Hour)
	left := n.config
	left.Token = wire.Token{}
	if err := start(t, left).waitEnd(t); err == nil || !strings.Contains(err.Error(), "has expired") {
		t.Errorf("agent with an expired certificate: %v", err)
	}
	// An agent that does not look at the date is told by the console.
	_, err := ask(t, dial(t, s, c, certificateIn(t, left.State)), wire.Greeting{Protocol: wire.Protocol})
	if refused(err) != wire.NoAdmission || !strings.Contains(err.Error(), "has expired") {
		t.Errorf("expired certificate: %v", err)
	}
	left.Token = s.token("again")
	start(t, left).waitAdmitted(t)
}

func TestSilentNodeGoesOffline(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	relay := relayTo(t, c.address)
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	c.waitFor(t, "gpu-a", inventory.Offline)
	cfg := n.config
	cfg.Console = relay.address
	start(t, cfg).waitAdmitted(t)
	c.waitFor(t, "gpu-a", inventory.Ready)
	began := time.Now()
	relay.hold()
	c.waitFor(t, "gpu-a", inventory.Offline)
	if took := time.Since(began); took < silence/2 {
		t.Errorf("given up after %v; %v without a word are due", took, silence)
	}
	relay.let()
	c.waitFor(t, "gpu-a", inventory.Ready)
}
