package cluster_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"lockstep/cluster/agent"
	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// probe measures once.
func (c *console) probe(t *testing.T) {
	t.Helper()
	if err := c.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.waitUntil(t, "the probe is over", func() bool {
		_, under := c.Probing()
		return !under
	})
}

func TestProbeMeasuresAllPairs(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	if err := c.Probe(t.Context()); !errors.Is(err, inventory.ErrNoPair) {
		t.Errorf("probe without nodes: %v", err)
	}
	names := []string{"gpu-a", "gpu-b", "gpu-c"}
	for _, name := range names {
		s.join(t, c, name)
	}
	c.probe(t)
	links := c.Links()
	if len(links) != 6 {
		t.Fatalf("links = %+v, want six", links)
	}
	for _, l := range links {
		if l.Fault != "" || l.Latency <= 0 || l.Latency > 1 || l.Rate < 1e6 || l.Time.IsZero() {
			t.Errorf("link = %+v", l)
		}
	}
	worst, ok := c.Between(names...)
	for _, l := range links {
		if !ok || worst.Rate > l.Rate || worst.Latency < l.Latency {
			t.Errorf("worst of all = %+v, %v; but there is %+v", worst, ok, l)
		}
	}
	if _, ok := c.Between("gpu-a", "gpu-z"); ok {
		t.Error("there is a figure for a node that there is not")
	}
	// They are kept, and go with their node.
	c.stop()
	again := s.serve(t)
	if len(again.Links()) != 6 {
		t.Errorf("links after a restart: %+v", again.Links())
	}
	again.waitFor(t, "gpu-c", inventory.Offline)
	if err := again.Forget(t.Context(), "gpu-c"); err != nil {
		t.Fatal(err)
	}
	if len(again.Links()) != 2 {
		t.Errorf("links without gpu-c: %+v", again.Links())
	}
}

func TestProbeSaysWhoCannotBeReached(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	s.join(t, c, "gpu-a")
	cfg := s.agentConfig(t, c, "gpu-b")
	cfg.Token = s.token("b")
	delete(cfg.Handlers, wire.ProbeKind)
	start(t, cfg).waitAdmitted(t)
	c.probe(t)
	links := c.Links()
	if len(links) != 2 || links[0].Fault == "" || links[0].Rate != 0 || links[0].Cause != inventory.NotOffered || links[0].Values["node"] != "gpu-b" {
		t.Errorf("links = %+v", links)
	}
	if _, ok := c.Between("gpu-a", "gpu-b"); ok {
		t.Error("there is a figure for a way that there is not")
	}
}

// A node that says it listens at a name has nobody dial it.
func TestProbeRefusesNamesForAddresses(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	dialled := make(chan string, 1)
	for _, name := range []string{"gpu-a", "gpu-b"} { // whichever listens
		cfg := s.agentConfig(t, c, name)
		cfg.Token = s.token(name)
		cfg.Handlers = map[string]wire.Handler{wire.ProbeKind: func(_ context.Context, conn net.Conn) error {
			order, err := wire.ReadProbeOrder(conn)
			if err != nil {
				return err
			}
			if order.Dial != "" {
				dialled <- order.Dial
			}
			return wire.WriteProbeReport(conn, wire.ProbeReport{Listening: "console.example:22"})
		}}
		start(t, cfg).waitAdmitted(t)
		c.waitFor(t, name, inventory.Ready)
	}
	c.probe(t)
	links := c.Links()
	if len(links) != 2 || links[0].Cause != inventory.WrongAddress || !strings.Contains(links[0].Fault, `reached at "console.example:22"; accepted: an IP address`) {
		t.Errorf("links = %+v", links)
	}
	select {
	case at := <-dialled:
		t.Errorf("a node was told to dial %s", at)
	default:
	}
}

func TestProbeLeavesRunsAlone(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	s.join(t, c, "gpu-a")
	s.join(t, c, "gpu-b")
	run, err := c.Dial(t.Context(), "gpu-b", wire.RunKind)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Probe(t.Context()); !errors.Is(err, inventory.ErrNoPair) {
		t.Errorf("probe beside a run: %v", err)
	}
	run.Close()
	c.probe(t)
}

var _ wire.Handler = agent.Probe{}.Serve
