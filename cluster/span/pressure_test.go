//go:build linux

package span

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/local"
)

// A rank whose news nobody reads holds up neither the other ranks nor the
// control stream.
func TestAnUnreadRankHoldsUpItselfOnly(t *testing.T) {
	home, err := local.New(local.Config{Env: []string{"LOCKSTEP_TEST_ROLE=babbles"}})
	if err != nil {
		t.Fatal(err)
	}
	agent, err := NewAgent(AgentConfig{Fleet: home, Limits: inventory.Limits{}})
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	defer beside.Wait()
	defer cancel()
	beside.Go(func() { _ = agent.Serve(ctx, theirs) }) // ended from without
	far, err := reach(ctx, ours, "b", good(t))
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	first := launch(t, far, 2)
	second := launch(t, far, 3)
	_ = first // is not read
	const much = 4 << 20
	if n, err := io.CopyN(io.Discard, second, much); err != nil {
		t.Fatalf("rank 3 is held up after %d bytes: %v", n, err)
	}
	if silent := far.Silent(time.Now()); silent > 2*time.Second {
		t.Errorf("silent for %v", silent)
	}
	first.Kill()
	if how := first.Wait(); how != "signal: killed" {
		t.Errorf("rank 2 ended with %q", how)
	}
	select {
	case <-far.lost:
		t.Errorf("lost: %v", far.why)
	default:
	}
}

func launch(t *testing.T, f *far, rank int) *process {
	t.Helper()
	p, err := f.Launch(rank)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*process)
}

// A console that opens a rank that is not the node's own ends its share.
func TestAStrangeRankIsNotStarted(t *testing.T) {
	ours, theirs := net.Pipe()
	var beside sync.WaitGroup
	defer beside.Wait()
	served := make(chan error, 1)
	agent := newAgent(t, inventory.Limits{})
	beside.Go(func() { served <- agent.Serve(t.Context(), theirs) })
	far, err := reach(t.Context(), ours, "b", good(t))
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	stream, err := far.session.OpenStream()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = stream.Write(binary.BigEndian.AppendUint16(nil, 0)) // the answer may come first: the end
	if err := <-served; err == nil || err.Error() != "the console opens rank 0, which is not to be started here" {
		t.Errorf("%v", err)
	}
	<-far.lost
	if far.why.Error() != "it left the run: the console opens rank 0, which is not to be started here" {
		t.Errorf("%v", far.why)
	}
}
