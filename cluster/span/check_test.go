package span

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/local"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// newAgent returns the agent of node b.
func newAgent(t testing.TB, limits inventory.Limits) *Agent {
	t.Helper()
	f, err := local.New(local.Config{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAgent(AgentConfig{Name: "b", Fleet: f, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// good is a share that an agent takes.
func good(t testing.TB) share {
	t.Helper()
	spec, err := trace.Spec{
		Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 1 << 20, Nodes: []string{"a", "b"}, Slices: 2,
	}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	sched, err := spec.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	return share{Protocol: Protocol, ID: "7", Run: "7/x", Spec: spec, Node: 1, Hash: sched.Hash()}
}

// document returns the share's schedule as one that was imported.
func document(t testing.TB, s share) []byte {
	t.Helper()
	sched, err := s.Spec.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(sched)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAnAgentBelievesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		limits inventory.Limits
		change func(t *testing.T, s *share)
		want   string // "" for a share that is taken
	}{
		"good":                       {inventory.Limits{Ranks: 2, Bytes: 6 * unit.MiB, Seconds: 1}, func(*testing.T, *share) {}, ""},
		"good, and its own schedule": {inventory.Limits{}, func(t *testing.T, s *share) { s.Schedule = document(t, *s) }, ""},
		"another version": {inventory.Limits{}, func(_ *testing.T, s *share) { s.Protocol++ },
			"the console speaks protocol 2 of runs, this agent 1: install the same version on both"},
		"another node":    {inventory.Limits{}, func(_ *testing.T, s *share) { s.Node = 0 }, "this node is b, and was asked for the ranks of a"},
		"no node":         {inventory.Limits{}, func(_ *testing.T, s *share) { s.Node = 2 }, "this is none of them"},
		"before a node":   {inventory.Limits{}, func(_ *testing.T, s *share) { s.Node = -1 }, "this is none of them"},
		"no name":         {inventory.Limits{}, func(_ *testing.T, s *share) { s.Run = "" }, "no name"},
		"a very long one": {inventory.Limits{}, func(_ *testing.T, s *share) { s.Run = strings.Repeat("x", 1<<10) }, "too long"},
		"many ranks":      {inventory.Limits{}, func(_ *testing.T, s *share) { s.Spec.Ranks = 1 << 20 }, "accepted: 1 to 64"},
		"many bytes":      {inventory.Limits{}, func(_ *testing.T, s *share) { s.Spec.Size = 1 << 60 }, "accepted: 0 to 8 GiB"},
		"many chunks":     {inventory.Limits{}, func(_ *testing.T, s *share) { s.Spec.Chunks = 1 << 30 }, "accepted: 1 to 32768"},
		"unknown pair":    {inventory.Limits{}, func(_ *testing.T, s *share) { s.Spec.Algorithm = "teleport" }, "teleport"},
		"what switches do": {inventory.Limits{}, func(t *testing.T, s *share) {
			s.Spec.Algorithm = "in-network"
			sched, err := s.Spec.Schedule()
			if err != nil {
				t.Fatal(err)
			}
			s.Hash = sched.Hash()
		}, "refused"},
		"another schedule than the console's": {inventory.Limits{}, func(_ *testing.T, s *share) { s.Hash = strings.Repeat("0", 64) }, "is another schedule here"},
		"memory across nodes":                 {inventory.Limits{}, func(_ *testing.T, s *share) { s.Spec.Link = trace.Shm }, "share no memory"},
		"no schedule at all":                  {inventory.Limits{}, func(_ *testing.T, s *share) { s.Schedule = []byte(`{"version": 1}`) }, "the schedule was refused"},
		"a schedule that adds up wrong": {inventory.Limits{}, func(t *testing.T, s *share) {
			s.Schedule = []byte(strings.Replace(string(document(t, *s)), `"op":"reduce"`, `"op":"copy"`, 1))
		}, "the schedule was refused"},
		"a schedule of other ranks": {inventory.Limits{}, func(t *testing.T, s *share) {
			other := *s
			other.Spec.Ranks, other.Spec.PerNode = 6, 3
			s.Schedule = document(t, other)
		}, "but the schedule is for 6"},
		"more ranks than it wants": {inventory.Limits{Ranks: 1}, func(*testing.T, *share) {}, "2 ranks, and no more than 1 are accepted here (--max-ranks)"},
		"more bytes than it wants": {inventory.Limits{Bytes: unit.MiB}, func(*testing.T, *share) {}, "no more than 1 MiB are accepted here (--max-bytes)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := good(t)
			c.change(t, &s)
			// As it comes over the wire.
			frame, err := newFrame(kindShare, s)
			if err != nil {
				t.Fatal(err)
			}
			ask, err := parse[share](kindShare, frame[headerSize:])
			if err != nil {
				t.Fatal(err)
			}
			plan, err := newAgent(t, c.limits).check(ask)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.want == "" && len(plan.Programs) != 4:
				t.Errorf("%d programs", len(plan.Programs))
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v; want %s", err, c.want)
			}
		})
	}
}

// A console of another version is told so, over the wire.
func TestVersionsThatDifferAreSaid(t *testing.T) {
	ours, theirs := net.Pipe()
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() {
		if err := newAgent(t, inventory.Limits{}).Serve(t.Context(), theirs); err != nil {
			t.Errorf("the agent says %v", err)
		}
	})
	s := good(t)
	s.Protocol = 99
	_, err := reach(t.Context(), ours, "b", s)
	if err == nil || err.Error() != "the console speaks protocol 99 of runs, this agent 1: install the same version on both" {
		t.Error(err)
	}
}

// Whatever a console says out of turn ends the share, and nothing is left.
func TestConsolesThatMisspeakEndTheirShare(t *testing.T) {
	for name, say := range map[string]func(c *control) error{
		"no share":   func(c *control) error { return c.send(kindBeat, beat{}) },
		"two shares": func(c *control) error { return errors.Join(c.send(kindShare, good(t)), c.send(kindShare, good(t))) },
		"another's":  func(c *control) error { return errors.Join(c.send(kindShare, good(t)), c.send(kindGone, gone{})) },
		"strange rank": func(c *control) error {
			return errors.Join(c.send(kindShare, good(t)), c.send(kindSignal, order{0, trace.Kill}))
		},
		"strange order": func(c *control) error {
			return errors.Join(c.send(kindShare, good(t)), c.send(kindSignal, order{2, "dance"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			agent, served := newAgent(t, inventory.Limits{}), make(chan error, 1)
			var beside sync.WaitGroup
			defer beside.Wait()
			beside.Go(func() { served <- agent.Serve(ctx, theirs) })
			session, err := client(ours)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			stream, err := session.OpenStream()
			if err != nil {
				t.Fatal(err)
			}
			c := newControl(stream)
			defer c.finish()
			beside.Go(func() { c.write(func() beat { return beat{} }, func(error) {}) })
			if err := say(c); err != nil {
				t.Fatal(err)
			}
			if err := <-served; err == nil || ctx.Err() != nil {
				t.Errorf("%v", err)
			}
		})
	}
}
