//go:build linux

package span_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/span"
	"lockstep/engine/trace"
)

func TestLimitsOfANodeAreItsOwn(t *testing.T) {
	for _, c := range []struct {
		limits inventory.Limits
		spec   trace.Spec
		want   string
		values trace.Values
	}{
		{inventory.Limits{Ranks: 1}, trace.Spec{Ranks: 4, Size: 4096, Nodes: ab}, "node b: 2 ranks, and no more than 1 are accepted here (--max-ranks)",
			trace.Values{"why": "over-ranks", "asked": "2", "most": "1"}},
		{inventory.Limits{Bytes: mib}, trace.Spec{Ranks: 4, Size: mib, Nodes: ab}, "and no more than 1 MiB are accepted here (--max-bytes)",
			trace.Values{"why": "over-bytes", "asked": "4 MiB", "most": "1 MiB"}},
	} {
		k := newCluster(t, "a")
		k.add("b", "worker", span.AgentConfig{Limits: c.limits})
		f := k.begin(c.spec).end(2 * time.Second).Failure
		if f == nil || f.Kind != trace.StartFailed || f.Culprit.Node != "b" || !strings.Contains(f.Message, c.want) {
			t.Fatalf("%+v; want %s", f, c.want)
		}
		if !maps.Equal(f.Values, c.values) {
			t.Errorf("%v; want %v", f.Values, c.values)
		}
		k.mu.Lock()
		k.members[1].Limits = inventory.Limits{}
		k.mu.Unlock()
	}
}

func TestANodeEndsARunThatTakesTooLong(t *testing.T) {
	c := newCluster(t, "a")
	c.add("b", "worker", span.AgentConfig{Limits: inventory.Limits{Seconds: 1}})
	f := c.begin(endless).end(3 * time.Second).Failure
	blamed(t, f, trace.NodeLimit, -1, "b")
	if f.DetectedAfter != 0 || f.Values["why"] != "over-seconds" || f.Values["most"] != "1 s" ||
		!strings.HasPrefix(f.Message, "node b ended the run: it left the run: no run may take longer than 1 s here (--max-seconds)") {
		t.Errorf("%+v", f)
	}
}

func TestACancelledRunOnNodesIsNoFailure(t *testing.T) {
	a := newCluster(t, ab...).begin(endless)
	a.iteration(3)
	a.cancel()
	if report := a.end(time.Second); report.Failure != nil || report.Verified {
		t.Fatalf("%+v", report)
	}
	a.freed(t, time.Second)
	for _, node := range ab {
		if err := <-a.served[node]; err != nil {
			t.Errorf("%s says %v", node, err)
		}
	}
}

func TestANodeThatIsNotThereIsALostAgent(t *testing.T) {
	c := newCluster(t, "a")
	f := c.begin(trace.Spec{Ranks: 2, Size: 4096, Nodes: ab}).end(2 * time.Second).Failure
	if f == nil || f.Kind != trace.AgentLost || f.Culprit.Node != "b" || f.Values["why"] != "offline" || f.Message != "node b was lost: node b is offline" {
		t.Fatalf("%+v", f)
	}
}

// An agent that accepts connections and never says a word.
func TestAMuteAgentIsALostAgent(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds by design")
	}
	c := newCluster(t, "a", "b")
	c.listen = func() (ours, theirs net.Conn) {
		here, there := net.Pipe()
		c.beside.Go(func() { _, _ = io.Copy(io.Discard, there) })
		mute, _ := net.Pipe()
		return here, mute
	}
	c.stop() // the agents serve nothing
	f := c.begin(trace.Spec{Ranks: 2, Size: 4096, Nodes: ab}).end(6 * time.Second).Failure
	if f == nil || f.Kind != trace.AgentLost || f.Culprit.Node == "" || !strings.Contains(f.Message, "it has been silent for 4s") {
		t.Fatalf("%+v", f)
	}
}

func TestSignalsThatCannotBe(t *testing.T) {
	c := newCluster(t, ab...)
	if err := c.fleet().Signal(context.Background(), "r1", 0, trace.Kill); !errors.Is(err, trace.ErrNotRunning) {
		t.Errorf("%v", err)
	}
}
