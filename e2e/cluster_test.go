package e2e

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/e2e/fabric"
)

// paced keeps a run of four ranks under way for some twenty seconds.
var paced = []string{"--size", "16MB", "--pace", "1MB/s"}

// The ports that nodes of these tests give to runs, and how long a revoked node
// may stay: its goal of 2 s, and what a loaded machine may add.
const (
	firstDataPort, lastDataPort = 41000, 41099
	dataPorts                   = "41000-41099"
	revokedWithin               = 2*time.Second + 2*time.Second
)

// begun starts a paced run and returns a channel with how it ends; by then its
// first bytes have moved.
func (s *site) begun(nodes string, ranks int) <-chan outcome {
	s.t.Helper()
	ended := make(chan outcome, 1)
	go func() {
		o, err := s.try(append(ringOn(nodes, ranks), paced...)...)
		if err != nil {
			s.t.Log(err)
		}
		ended <- o
	}()
	s.until(patience, "the run moves its first bytes", s.moving)
	return ended
}

// TestClusterOfHosts joins hosts over TLS and runs on them, cuts one off, kills
// an agent and a rank, revokes a node, restarts the console, and after each
// finds everything cleaned up and the next run fine.
func TestClusterOfHosts(t *testing.T) {
	t.Parallel()
	s := newSite(t, fabric.Config{Hosts: 5, Mbits: 1000})
	for host, name := range []string{"", "n1", "n2", "n3", "n4"} {
		if name != "" {
			s.join(host, name, "--data-ports", dataPorts)
		}
	}
	const all = "n1,n2,n3,n4"
	fine := func(what string, more ...string) {
		t.Helper()
		o := s.run(append(ringOn(all, 4, "--size", "1MiB"), more...)...)
		if o.Outcome != "done" || !o.Verified || o.Nodes != 4 || o.Link != "tcp" {
			t.Fatalf("%s: %+v, failure %+v", what, o, o.Failure)
		}
	}
	fine("the first run")
	fine("in the clear", "--encryption", "off")

	// What a run has started on a node is gone when it has ended.
	clean := func(what string, names ...string) {
		t.Helper()
		for _, name := range names {
			s.until(10*time.Second, what+": no process is left on "+name, func() bool {
				return len(children(t, s.agents[name].process.Process.Pid)) == 0
			})
		}
	}
	clean("after the first runs", "n1", "n2", "n3", "n4")

	t.Log("a rank is killed")
	ended := s.begun(all, 4)
	victims := children(t, s.agents["n3"].process.Process.Pid)
	if err := kill(victims[0]); err != nil {
		t.Fatal(err)
	}
	o := <-ended
	if o.Outcome != "failed" || o.Failure == nil || o.Failure.Kind != "process-died" || o.Failure.Culprit.Rank == nil || *o.Failure.Culprit.Rank != 2 || o.Failure.Culprit.Node != "n3" {
		t.Errorf("a killed rank: %+v, failure %+v", o, o.Failure)
	}
	clean("after a killed rank", "n1", "n2", "n3", "n4")
	fine("after a killed rank")

	t.Log("a host is cut off")
	ended = s.begun(all, 4)
	at := time.Now()
	if err := s.fabric.Cut(2); err != nil {
		t.Fatal(err)
	}
	o = <-ended
	if o.Outcome != "failed" || o.Failure == nil || o.Failure.Kind != "agent-lost" || o.Failure.Culprit.Node != "n2" {
		t.Errorf("a host cut off: %+v, failure %+v", o, o.Failure)
	}
	if took := time.Since(at); took > 15*time.Second { // 5 s, and a loaded machine
		t.Errorf("a host cut off is found after %v", took)
	}
	clean("after a cut", "n1", "n3", "n4", "n2")
	s.until(patience, "the console misses the host", func() bool { return s.standing("n2") == "offline" })
	if err := s.fabric.Mend(2); err != nil {
		t.Fatal(err)
	}
	s.until(patience, "the host comes back", func() bool { return s.standing("n2") == "ready" })
	fine("after a cut")

	t.Log("an agent is killed")
	ended = s.begun(all, 4)
	victims = children(t, s.agents["n4"].process.Process.Pid)
	s.agents["n4"].kill()
	o = <-ended
	if o.Outcome != "failed" || o.Failure == nil || o.Failure.Kind != "agent-lost" || o.Failure.Culprit.Node != "n4" {
		t.Errorf("an agent killed: %+v, failure %+v", o, o.Failure)
	}
	s.until(10*time.Second, "the ranks of a killed agent end", func() bool { return !slices.ContainsFunc(victims, alive) })
	clean("after a killed agent", "n1", "n2", "n3")
	s.attach(4, "n4", s.joins["n4"], "--data-ports", dataPorts) // the token is used up; its certificate counts
	s.until(patience, "the agent comes back", func() bool { return s.standing("n4") == "ready" })
	fine("after a killed agent")

	t.Log("a node is revoked during a run")
	ended = s.begun(all, 4)
	if _, status := s.do("node", "revoke", "n1", "--data", "data"); status != 0 {
		t.Fatalf("revoke: exit status %d", status)
	}
	at = time.Now()
	s.until(revokedWithin, "a revoked node is cut", func() bool { return s.standing("n1") == "revoked" })
	select {
	case o = <-ended:
	case <-time.After(revokedWithin - time.Since(at)):
		t.Fatalf("a run on a revoked node goes on after %v", revokedWithin)
	}
	t.Logf("a revoked node and its run are cut after %v", time.Since(at))
	if o.Outcome != "failed" || o.Failure == nil || o.Failure.Culprit.Node != "n1" {
		t.Errorf("a run on a revoked node: %+v, failure %+v", o, o.Failure)
	}
	clean("after a revoked node", "n2", "n3", "n4")
	refused := append([]string{"run", "--console", s.address, "--token-file", s.token}, ringOn(all, 4, "--size", "1MiB")...)
	if _, status := s.do(refused...); status != 2 {
		t.Errorf("a run on a revoked node: exit status %d", status)
	}
	s.agents["n1"].kill()
	if err := os.RemoveAll(filepath.Join(s.dir, "state-n1")); err != nil {
		t.Fatal(err)
	}
	s.join(1, "n1", "--data-ports", dataPorts)
	fine("after a revoked node has joined anew")

	t.Log("the console is restarted")
	ended = s.begun(all, 4)
	s.console.kill()
	<-ended // however the client puts it: its console is gone
	clean("after the console's end", "n1", "n2", "n3", "n4")
	s.serve()
	s.until(patience, "all nodes come back to a new console", func() bool {
		return s.standing("n1") == "ready" && s.standing("n2") == "ready" && s.standing("n3") == "ready" && s.standing("n4") == "ready"
	})
	fine("after the console's restart")

	t.Log("strangers knock")
	for host := range 5 {
		s.closed("at rest", host, 0)
	}
	s.strangers()
	ended = s.begun(all, 4)
	for host := range 5 {
		s.closed("during a run", host, lastDataPort)
	}
	select {
	case o = <-ended:
		t.Error("the run was over before all ports had been knocked at")
	default:
		o = <-ended
	}
	if o.Outcome != "done" || !o.Verified {
		t.Errorf("a run that strangers knock at: %+v, failure %+v", o, o.Failure)
	}
	fine("after strangers")
}

// closed knocks at every port of a host, from another: the console has the one
// that agents dial, and a node none but, up to last, those that a run was given.
func (s *site) closed(when string, host, last int) {
	s.t.Helper()
	open, err := s.fabric.OpenPorts(s.t.Context(), (host+1)%5, host)
	if err != nil {
		s.t.Fatal(err)
	}
	if host == 0 {
		if len(open) != 1 || strconv.Itoa(open[0]) != agentPort {
			s.t.Errorf("%s: ports %v of the console are open; want %s, which agents dial", when, open, agentPort)
		}
		return
	}
	for _, port := range open {
		if port < firstDataPort || port > last {
			s.t.Errorf("%s: port %d of host %d is open; want none but those of --data-ports during a run", when, port, host)
		}
	}
}

// strangers speak nonsense to the port that agents dial, and learn nothing.
func (s *site) strangers() {
	s.t.Helper()
	address := net.JoinHostPort(fabric.Addr(0), agentPort)
	for _, words := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01\x00\x05hello", strings.Repeat("A", 4096)} {
		conn, err := s.fabric.DialContext(4)(s.t.Context(), "tcp", address)
		if err != nil {
			s.t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(3 * time.Second))
		_, _ = conn.Write([]byte(words))
		answer := make([]byte, 4096)
		n, _ := conn.Read(answer)
		if said := strings.ToLower(string(answer[:n])); strings.Contains(said, "lockstep") || strings.Contains(said, "n1") {
			s.t.Errorf("%s tells a stranger %q", address, answer[:n])
		}
		conn.Close()
	}
}
