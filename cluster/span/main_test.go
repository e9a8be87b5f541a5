//go:build linux

package span_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/cluster/inventory"
	"lockstep/cluster/local"
	"lockstep/cluster/span"
	"lockstep/cluster/worker"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// The test binary is its own rank process: started with a role in its
// environment it plays that, else it runs the tests.
const role = "LOCKSTEP_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "worker":
		if err := worker.ServeProcess(context.Background(), worker.Config{Build: "test"}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "sticks": // a rank whose first reduction never ends
		_ = worker.ServeProcess(context.Background(), worker.Config{Reduce: func(_, _, _ []byte) { select {} }})
		os.Exit(0)
	case "babbles": // no worker at all: it says more than anybody reads
		line := bytes.Repeat([]byte("blah "), 1000)
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				os.Exit(0)
			}
		}
	}
	// The runtime's poller opens two descriptors with the first file that it
	// watches; those are no run's.
	if r, w, err := os.Pipe(); err == nil {
		r.Close()
		w.Close()
	}
	goleak.VerifyTestMain(m)
}

const mib = unit.MiB

// cluster is nodes that are agents in this process: what a console dials is a
// connection of this machine.
type cluster struct {
	t      testing.TB
	listen func() (ours, theirs net.Conn)
	ctx    context.Context // the agents'

	stop   context.CancelFunc
	beside sync.WaitGroup // the agents

	mu      sync.Mutex // owns what follows
	members []inventory.Member
	agents  map[string]*span.Agent
	conns   map[string][]net.Conn // the agents' ends
	served  map[string]chan error
}

// newCluster returns nodes with those names, without limits.
func newCluster(t testing.TB, names ...string) *cluster {
	t.Helper()
	c := &cluster{t: t, listen: loopback(t), agents: map[string]*span.Agent{}, conns: map[string][]net.Conn{}, served: map[string]chan error{}}
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(t.Context()))
	for _, name := range names {
		c.add(name, "worker", span.AgentConfig{})
	}
	t.Cleanup(func() {
		c.stop()
		c.beside.Wait()
	})
	return c
}

// add adds a node whose ranks play a role.
func (c *cluster) add(name, as string, cfg span.AgentConfig) {
	c.t.Helper()
	f, err := local.New(local.Config{Env: []string{role + "=" + as, "GORACE=atexit_sleep_ms=0"}})
	if err != nil {
		c.t.Fatal(err)
	}
	cfg.Name, cfg.Fleet = name, f
	agent, err := span.NewAgent(cfg)
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.agents[name] = agent
	c.served[name] = make(chan error, 16)
	c.members = append(c.members, inventory.Member{Name: name, Standing: inventory.Ready, Limits: cfg.Limits})
}

func (c *cluster) List() []inventory.Member {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.members
}

func (c *cluster) Dial(_ context.Context, node, kind string) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	agent := c.agents[node]
	if agent == nil || kind != span.Kind {
		return nil, inventory.NewReason(inventory.NodeOffline, fmt.Sprintf("node %s is offline", node))
	}
	ours, theirs := c.listen()
	c.conns[node] = append(c.conns[node], theirs)
	served := c.served[node]
	c.beside.Go(func() { served <- agent.Serve(c.ctx, theirs) })
	return ours, nil
}

// cut closes the connection to a node, as its end or its network would.
func (c *cluster) cut(node string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conns[node][len(c.conns[node])-1].Close()
}

// loopback makes connections over TCP.
func loopback(t testing.TB) func() (ours, theirs net.Conn) {
	return func() (ours, theirs net.Conn) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Error(err)
			return net.Pipe()
		}
		defer l.Close()
		ours, err = net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Error(err)
			return net.Pipe()
		}
		if theirs, err = l.Accept(); err != nil {
			t.Error(err)
		}
		return ours, theirs
	}
}

// fleet returns the console's end.
func (c *cluster) fleet() *span.Fleet {
	c.t.Helper()
	home, err := local.New(local.Config{Env: []string{role + "=worker", "GORACE=atexit_sleep_ms=0"}})
	if err != nil {
		c.t.Fatal(err)
	}
	f, err := span.NewFleet(home, c)
	if err != nil {
		c.t.Fatal(err)
	}
	return f
}

// ask returns a resolved run, an all-reduce by a ring where nothing else is
// asked for, and its schedule.
func ask(t testing.TB, s trace.Spec) (trace.Spec, *schedule.Schedule) {
	t.Helper()
	if s.Collective == "" && s.Imported == nil {
		s.Collective = schedule.AllReduce
	}
	if s.Algorithm == "" && s.Imported == nil {
		s.Algorithm = "ring"
	}
	s, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	sched, err := s.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	s.Slices = s.SlicesFor(sched)
	return s, sched
}

// complete runs spec and requires that it is done and verified.
func (c *cluster) complete(spec trace.Spec) trace.Report {
	c.t.Helper()
	spec, sched := ask(c.t, spec)
	log := trace.NewLog()
	report := c.fleet().Execute(c.t.Context(), "r1", spec, sched, log)
	if report.Failure != nil {
		c.t.Fatalf("failed: %+v", *report.Failure)
	}
	if !report.Verified || len(report.Iterations) != spec.Iterations {
		c.t.Fatalf("verified %v, %d iterations of %d", report.Verified, len(report.Iterations), spec.Iterations)
	}
	return report
}

// attempt is a run under way, to be tampered with.
type attempt struct {
	*cluster
	spec   trace.Spec
	fleet  *span.Fleet
	log    *trace.Log
	cancel context.CancelFunc
	report chan trace.Report
	before int // descriptors
}

// begin starts a run.
func (c *cluster) begin(spec trace.Spec) *attempt {
	c.t.Helper()
	spec, sched := ask(c.t, spec)
	ctx, cancel := context.WithCancel(c.t.Context())
	a := &attempt{cluster: c, spec: spec, fleet: c.fleet(), log: trace.NewLog(), cancel: cancel, report: make(chan trace.Report, 1), before: descriptors(c.t)}
	var beside sync.WaitGroup
	beside.Go(func() { a.report <- a.fleet.Execute(ctx, "r1", spec, sched, a.log) })
	c.t.Cleanup(func() {
		cancel()
		beside.Wait()
	})
	return a
}

// iteration waits until every rank has begun an iteration.
func (a *attempt) iteration(i int) {
	a.t.Helper()
	deadline := time.After(30 * time.Second)
	for since := a.log.Since(0); a.log.Iteration(a.spec.Ranks) < i; since = a.log.Since(since.Seq) {
		select {
		case <-since.Changed:
		case report := <-a.report:
			a.t.Fatalf("over too early: %+v", report.Failure)
		case <-deadline:
			a.t.Fatal("waited in vain for an iteration")
		}
	}
}

// end waits for the report.
func (a *attempt) end(within time.Duration) trace.Report {
	a.t.Helper()
	select {
	case report := <-a.report:
		return report
	case <-time.After(allowance * within):
		a.t.Fatalf("no report within %v", allowance*within)
	}
	panic("not reached")
}

// allowance is how much slower than promised a loaded machine may be.
const allowance = 3
