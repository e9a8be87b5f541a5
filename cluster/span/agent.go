package span

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/local"
	"lockstep/engine/link"
)

// AgentConfig is what a node offers to runs.
type AgentConfig struct {
	Name  string       // the node's; "" takes shares for any
	Fleet *local.Fleet // starts the processes
	// Limits are the node's own. A run may ask for less.
	Limits inventory.Limits

	// Where ranks listen for those of other nodes, during the set-up of a run
	// only. A zero Bind is the local address of the connection that the share
	// came by, and loopback where that has none.
	Bind      netip.Addr
	Ports     link.Ports
	Advertise string // the IP address that ranks of other nodes dial; "" for Bind
}

// Agent carries out shares of runs, one at a time. It is safe for concurrent
// use.
type Agent struct {
	cfg  AgentConfig
	free chan struct{} // holds a token while no share is carried out
}

// NewAgent returns an agent.
func NewAgent(cfg AgentConfig) (*Agent, error) {
	switch l := cfg.Limits; {
	case cfg.Fleet == nil:
		return nil, errors.New("make agent: nothing starts its processes")
	case l.Ranks < 0 || l.Bytes < 0 || l.Seconds < 0:
		return nil, fmt.Errorf("make agent: limits of %d ranks, %d bytes, %d seconds; accepted: 0 for none, or more", l.Ranks, l.Bytes, l.Seconds)
	}
	if err := cfg.Ports.Check(); err != nil {
		return nil, fmt.Errorf("make agent: %w", err)
	}
	if _, err := netip.ParseAddr(cfg.Advertise); cfg.Advertise != "" && err != nil {
		return nil, fmt.Errorf("make agent: %q as the host that ranks of other nodes dial; accepted: an IP address", cfg.Advertise)
	}
	a := &Agent{cfg: cfg, free: make(chan struct{}, 1)}
	a.free <- struct{}{}
	return a, nil
}

// Serve carries out one share for the console at the other end of conn, and
// returns when everything of it is freed: nil when the console said that the
// run is over or the share was refused, else why it ended. It closes conn. When
// ctx ends it ends the share.
func (a *Agent) Serve(ctx context.Context, conn net.Conn) error {
	at := a.bind(conn)
	session, err := server(conn)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	defer session.Close()
	opening, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	stream, err := session.AcceptStreamWithContext(opening)
	if err != nil {
		return fmt.Errorf("wait for a share: %w", err)
	}
	c := newControl(stream)
	s := &serving{agent: a, bind: at, session: session, control: c}
	ctx, s.stop = context.WithCancelCause(ctx)
	defer s.stop(nil)
	s.beside.Go(func() { c.write(s.news, func(err error) { s.stop(consoleGone(reason(err))) }) })
	err = s.serve(ctx)
	c.finish()
	s.beside.Wait() // everything said is written
	_ = session.Close()
	s.reading.Wait()
	return err
}

// bind is where ranks listen.
func (a *Agent) bind(conn net.Conn) netip.Addr {
	if a.cfg.Bind.IsValid() {
		return a.cfg.Bind
	}
	if tcp, ok := conn.LocalAddr().(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr()
	}
	return netip.Addr{}
}

// take waits for the share before to be freed.
func (a *Agent) take(ctx context.Context) error {
	patience := time.NewTimer(freeing)
	defer patience.Stop()
	select {
	case <-a.free:
		return nil
	case <-patience.C:
		return inventory.NewReason(inventory.NodeBusy, "another run has ranks here; one at a time")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (a *Agent) release() { a.free <- struct{}{} }

// Why a share ended: the causes of its context's end.
var (
	errAsked   = errors.New("the console said that the run is over")
	errStopped = inventory.NewReason(inventory.NodeStops, "the agent stops")
)

// consoleGone words it. What was the matter with the console is no cause that
// the node has: it is not carried on.
func consoleGone(why error) error { return fmt.Errorf("the console was lost: %v", why) }
