package cluster_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// TestRevokedNodeNeedNotListen cuts a node off whose agent takes no notice.
func TestRevokedNodeNeedNotListen(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	c.waitFor(t, "gpu-a", inventory.Offline)

	conn := dial(t, s, c, certificateIn(t, n.config.State))
	if err := errors.Join(
		wire.WriteGreeting(conn, wire.Greeting{Protocol: wire.Protocol}),
		wire.WriteHello(conn, wire.Hello{Name: "gpu-a"}),
	); err != nil {
		t.Fatal(err)
	}
	if _, err := wire.ReadAnswer(conn); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	session, err := wire.Agent(conn)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() {
		served <- session.Serve(context.Background(), slog.New(slog.DiscardHandler), func(string) (wire.Handler, error) {
			return func(ctx context.Context, conn net.Conn) error { // beats, and reads nothing
				for ctx.Err() == nil {
					if err := wire.WriteBeat(conn, wire.AgentBeat{}); err != nil {
						return err
					}
					select {
					case <-ctx.Done():
					case <-time.After(beat):
					}
				}
				return nil
			}, nil
		})
	}()
	c.waitFor(t, "gpu-a", inventory.Ready)
	began := time.Now()
	if err := c.Revoke(t.Context(), "gpu-a"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-served:
	case <-time.After(patience):
		t.Fatal("the node is still there")
	}
	if took := time.Since(began); took > 6*time.Second { // 2 s, threefold
		t.Errorf("it took %v to cut the node off", took)
	}
}
