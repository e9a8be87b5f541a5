package conduct

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/worker"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// node is a host elsewhere, without processes; it was last heard at a time.
type node struct {
	Host
	name  string
	heard time.Time
}

func (n *node) Name() string                       { return n.name }
func (n *node) Silent(now time.Time) time.Duration { return max(0, now.Sub(n.heard)) }

// onNodes is a run of four ranks, 0 and 1 on a, 2 and 3 on b, in the middle of
// it.
func onNodes(t *testing.T) (r *Conductor, a, b *node) {
	t.Helper()
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 4096, Nodes: []string{"a", "b"}}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	a, b = &node{name: "a", heard: epoch}, &node{name: "b", heard: epoch}
	return conducted(t, spec, a, b), a, b
}

// elapse lets time pass up to a moment after the epoch; the nodes named are
// silent, with their ranks, and no byte moves between them and the others.
func (r *Conductor) elapse(until time.Duration, moving bool, silent ...*node) {
	for now := r.tickAt.Add(tickEvery); now.Sub(epoch) <= until && !r.ended; now = now.Add(tickEvery) {
		for _, m := range r.members {
			if n := m.host.(*node); !slices.Contains(silent, n) {
				n.heard, m.seen = now, now
			}
		}
		if moving {
			r.movedAt = now
		}
		r.watch(now)
	}
}

// A node that is cut off is silent, and so are its ranks, and nothing moves any
// more: none of that is anybody's fault before it is known to be lost.
func TestALostNodeIsNobodyElsesFault(t *testing.T) {
	r, _, b := onNodes(t)
	r.elapse(3900*time.Millisecond, false, b)
	if r.ended {
		t.Fatalf("%+v", r.failure)
	}
	r.hear(t.Context(), word{host: b, lost: errors.New("it has been silent for 4s"), at: epoch.Add(4 * time.Second)})
	f := r.failure
	if f == nil || f.Kind != trace.AgentLost || f.Culprit.Node != "b" || f.Culprit.Rank != nil || f.DetectedAfter != 4 {
		t.Fatalf("%+v", f)
	}
	if f.Message != "node b was lost: it has been silent for 4s, in round 1" || f.Step < 0 {
		t.Errorf("%s, step %d", f.Message, f.Step)
	}
}

// fleeting is a node that is lost while its processes are started.
type fleeting struct{ *node }

func (fleeting) Launch(int) (Process, error) {
	return nil, &LostError{inventory.NewReason(inventory.Ended, "its connection ended")}
}
func (fleeting) Lost(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

func TestANodeThatIsLostAtTheStart(t *testing.T) {
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2, Size: 4096, Nodes: []string{"a"}}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	r := conducted(t, spec, fleeting{&node{name: "a", heard: time.Now()}})
	r.members = nil
	f := r.Execute(t.Context()).Failure
	if f == nil || f.Kind != trace.AgentLost || f.Culprit.Node != "a" || f.Culprit.Rank != nil || f.Step != -1 || f.Message != "node a was lost: its connection ended" ||
		f.Values["why"] != string(inventory.Ended) {
		t.Fatalf("%+v", f)
	}
}

// A node's own limit on the time of a run is no loss of the node.
func TestANodeThatEndsTheRunByItsLimit(t *testing.T) {
	r, _, b := onNodes(t)
	r.elapse(time.Second, true)
	limit := inventory.NewReason(inventory.OverSeconds, "no run may take longer than 30 s here", "most", "30 s")
	r.hear(t.Context(), word{host: b, lost: limit, at: epoch.Add(time.Second)})
	f := r.failure
	if f == nil || f.Kind != trace.NodeLimit || f.Culprit.Node != "b" || f.DetectedAfter != 0 || f.Values["most"] != "30 s" ||
		f.Message != "node b ended the run: no run may take longer than 30 s here, in round 1" {
		t.Fatalf("%+v", f)
	}
}

// A node that is heard again has to explain nothing.
func TestANodeThatComesBackIsForgiven(t *testing.T) {
	r, _, b := onNodes(t)
	r.elapse(3500*time.Millisecond, true, b)
	r.elapse(8*time.Second, true)
	if r.ended {
		t.Fatalf("%+v", r.failure)
	}
	r.elapse(10*time.Second, false)
	if r.ended {
		t.Fatalf("too early: %+v", r.failure)
	}
	r.elapse(11100*time.Millisecond, false)
	if r.failure == nil || r.failure.Kind != trace.LinkStalled {
		t.Errorf("a standstill: %+v", r.failure)
	}
}

// After a pause of the network a node's own sign of life may come long before
// those of its ranks; of their processes nothing else is known.
func TestRanksOfANodeThatComesBackAreGivenTime(t *testing.T) {
	for _, pause := range []time.Duration{1500 * time.Millisecond, 2500 * time.Millisecond, 3900 * time.Millisecond} {
		r, _, b := onNodes(t)
		r.elapse(pause, false, b)
		back := epoch.Add(pause)
		for now := r.tickAt.Add(tickEvery); now.Sub(back) <= 1900*time.Millisecond && !r.ended; now = now.Add(tickEvery) {
			b.heard = now // it speaks, and its ranks do not
			for _, m := range r.members[:2] {
				m.host.(*node).heard, m.seen = now, now
			}
			r.watch(now)
		}
		if r.ended {
			t.Fatalf("after %v: %+v", pause, r.failure)
		}
		r.elapse(pause+3*time.Second, true)
		if r.ended {
			t.Fatalf("after %v, once all are heard: %+v", pause, r.failure)
		}
	}
}

// A rank that does not come back with its node is frozen all the same.
func TestARankThatStaysSilentIsFrozen(t *testing.T) {
	r, _, b := onNodes(t)
	r.elapse(2500*time.Millisecond, false, b)
	for now := r.tickAt.Add(tickEvery); now.Sub(epoch) <= 5*time.Second && !r.ended; now = now.Add(tickEvery) {
		r.movedAt = now
		for _, m := range r.members[:3] {
			m.host.(*node).heard, m.seen = now, now
		}
		r.watch(now)
	}
	f := r.failure
	if f == nil || f.Kind != trace.ProcessFrozen || *f.Culprit.Rank != 3 || f.DetectedAfter > 5 {
		t.Fatalf("%+v", f)
	}
}

func TestAFrozenRankOfANodeThatSpeaks(t *testing.T) {
	r, _, b := onNodes(t)
	for now := r.tickAt.Add(tickEvery); now.Sub(epoch) <= 3*time.Second && !r.ended; now = now.Add(tickEvery) {
		for i, m := range r.members {
			m.host.(*node).heard, r.movedAt = now, now
			if i != 3 {
				m.seen = now
			}
		}
		r.watch(now)
	}
	f := r.failure
	if f == nil || f.Kind != trace.ProcessFrozen || *f.Culprit.Rank != 3 || f.Culprit.Node != b.name || !strings.HasPrefix(f.Message, "rank 3's process on b is alive but") {
		t.Fatalf("%+v", f)
	}
}

// When a node goes, the links to it break, and we may hear of that first.
func TestComplaintsWaitForEveryNode(t *testing.T) {
	broken := worker.Fault{Kind: worker.FaultLink, Step: 0, Round: 1, Peer: 2, Message: "connection reset"}
	r, _, b := onNodes(t)
	r.hear(t.Context(), word{rank: 0, at: epoch, message: broken})
	r.elapse(3900*time.Millisecond, false, b)
	if r.ended {
		t.Fatalf("does not wait: %+v", r.failure)
	}
	r.hear(t.Context(), word{host: b, lost: errors.New("its connection ended"), at: epoch.Add(3900 * time.Millisecond)})
	if r.failure == nil || r.failure.Kind != trace.AgentLost {
		t.Fatalf("%+v", r.failure)
	}

	r, _, _ = onNodes(t)
	r.hear(t.Context(), word{rank: 0, at: epoch, message: broken})
	r.elapse(time.Second, false)
	if f := r.failure; f == nil || f.Kind != trace.LinkStalled || !strings.HasPrefix(f.Message, "rank 0 on a lost a connection") {
		t.Fatalf("all nodes are heard: %+v", f)
	}
}

func TestPairsThatCannotReachEachOtherAreNamed(t *testing.T) {
	r, _, _ := onNodes(t)
	for i, f := range []worker.Fault{
		{Kind: worker.FaultStart, Step: -1, Peer: -1, Message: "edges 0->1 do not stand"},
		{Kind: worker.FaultStart, Step: -1, Peer: 2, Message: "connection refused"},
	} {
		r.hear(t.Context(), word{rank: i, at: epoch, message: f})
	}
	r.elapse(time.Second, false)
	f := r.failure
	if f == nil || f.Kind != trace.Unreachable || f.Culprit.Link != "1->2" || f.Message != "no connection between rank 1 on a and rank 2 on b: connection refused" {
		t.Fatalf("%+v", f)
	}
}
