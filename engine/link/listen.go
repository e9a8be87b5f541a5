package link

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"lockstep/engine/rank"
)

const (
	// patience is how long all edges of a rank may take to stand.
	patience = 10 * time.Second
	// proveWithin is how long a caller may take to prove the key.
	proveWithin = time.Second
	// strangers is how many callers beyond the expected ones may be in the
	// handshake; the one that has been longest makes room for the next.
	strangers = 64
)

// Config is a rank's place in a run.
type Config struct {
	Run      string
	Key      Key
	Rank     int
	Ranks    int
	To, From []int         // the ranks that the schedule has edges to and from
	Meter    *atomic.Int64 // counts bytes of payload as they move
	Patience time.Duration // for the set-up; 0 for 10 s

	// Shared lets both directions between two ranks travel on one connection.
	// It must be the same on all ranks.
	Shared bool
	// Buffer is the size in bytes of each socket's two buffers on the data
	// lane; 0 leaves it to the system. A short one keeps a sender from running
	// far ahead of its receiver where a person watches.
	Buffer int
	// Crowded says that there are more ranks than processors: a rank that
	// waits gives its own away at once.
	Crowded bool
	// Portable chooses the transport that every system has.
	Portable bool
}

// Listener is a rank that waits for its peers' addresses.
type Listener struct {
	cfg Config
	run [sha256.Size]byte
	tcp *net.TCPListener
}

// Listen opens a loopback port. Close the listener or call Connect.
func Listen(cfg Config) (*Listener, error) {
	if cfg.Rank < 0 || cfg.Rank >= cfg.Ranks || cfg.Meter == nil {
		return nil, fmt.Errorf("listen as rank %d of %d: no such rank, or no meter", cfg.Rank, cfg.Ranks)
	}
	for _, peer := range slices.Concat(cfg.To, cfg.From) {
		if peer < 0 || peer >= cfg.Ranks || peer == cfg.Rank {
			return nil, fmt.Errorf("listen as rank %d of %d: an edge with rank %d", cfg.Rank, cfg.Ranks, peer)
		}
	}
	if cfg.Buffer < 0 {
		return nil, fmt.Errorf("listen as rank %d of %d: socket buffers of %d bytes; accepted: 0 for automatic, or a size", cfg.Rank, cfg.Ranks, cfg.Buffer)
	}
	if cfg.Patience == 0 {
		cfg.Patience = patience
	}
	tcp, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("listen as rank %d: %w", cfg.Rank, err)
	}
	return &Listener{cfg: cfg, run: sha256.Sum256([]byte(cfg.Run)), tcp: tcp}, nil
}

// Addr returns the address that peers dial.
func (l *Listener) Addr() string { return l.tcp.Addr().String() }

// Close stops listening.
func (l *Listener) Close() error { return l.tcp.Close() }

// Connect builds every edge of the rank, given the addresses of all ranks, and
// stops listening. The error of a set-up that took too long names the edges
// that are missing.
func (l *Listener) Connect(ctx context.Context, addresses []string) (rank.Link, error) {
	defer l.Close()
	if len(addresses) != l.cfg.Ranks {
		return nil, fmt.Errorf("connect rank %d: %d addresses of %d ranks", l.cfg.Rank, len(addresses), l.cfg.Ranks)
	}
	ctx, cancel := context.WithTimeout(ctx, l.cfg.Patience)
	defer cancel()
	out, in := l.cfg.edges()
	g := newGathering(out, in)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return l.accept(ctx, g) })
	group.Go(func() error {
		dials, ctx := errgroup.WithContext(ctx)
		dials.SetLimit(16)
		for _, e := range out {
			dials.Go(func() error { return l.dial(ctx, g, e, addresses[e.dst]) })
		}
		return dials.Wait()
	})
	if err := group.Wait(); err != nil {
		missing := g.missing()
		g.closeAll()
		names := make([]string, len(missing))
		for i, e := range missing {
			names[i] = e.String()
		}
		return nil, fmt.Errorf("connect rank %d: edges %s do not stand: %w", l.cfg.Rank, strings.Join(names, ", "), err)
	}
	link, err := newTCP(&l.cfg, g.conns)
	if err != nil {
		return nil, fmt.Errorf("connect rank %d: %w", l.cfg.Rank, err)
	}
	return link, nil
}

// dial builds one edge to a peer. A peer may still be busy: it is asked again
// until ctx ends.
func (l *Listener) dial(ctx context.Context, g *gathering, e edge, address string) error {
	for {
		err := l.dialOnce(ctx, g, e, address)
		if err == nil || errors.Is(err, errProof) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("dial %s: %w", address, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (l *Listener) dialOnce(ctx context.Context, g *gathering, e edge, address string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	// Longer than the acceptor's, which decides.
	if err := conn.SetDeadline(time.Now().Add(3 * proveWithin)); err != nil {
		return errors.Join(err, conn.Close())
	}
	if err := introduce(conn, l.cfg.Key, l.run, e); err != nil {
		return errors.Join(err, conn.Close())
	}
	if !g.add(e, conn.(*net.TCPConn)) {
		return errors.Join(net.ErrClosed, conn.Close())
	}
	return nil
}

// accept takes callers until every expected edge stands. A caller that proves
// nothing holds up nobody: each has its own goroutine and one second.
func (l *Listener) accept(ctx context.Context, g *gathering) error {
	if g.allIn() {
		return nil
	}
	stop := context.AfterFunc(ctx, func() { l.tcp.Close() })
	defer stop()
	var callers callers
	var handshakes sync.WaitGroup
	defer handshakes.Wait()
	defer callers.closeAll()
	for {
		conn, err := l.tcp.AcceptTCP()
		switch {
		case errors.Is(err, net.ErrClosed):
			if g.allIn() {
				return nil
			}
			return fmt.Errorf("wait for callers: %w", context.Cause(ctx))
		case err != nil: // out of descriptors, or the caller has gone
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Millisecond):
			}
			continue
		}
		callers.add(conn, strangers+g.expected)
		handshakes.Go(func() {
			e, err := l.greet(g, conn)
			// No longer a stranger, before the caller is told that the edge
			// stands: nobody may cut it to make room after that.
			if !callers.remove(conn) || err != nil || welcome(conn) != nil || !g.add(e, conn) {
				conn.Close()
			}
			if g.allIn() {
				l.tcp.Close()
			}
		})
	}
}

// greet takes one caller through the handshake.
func (l *Listener) greet(g *gathering, conn *net.TCPConn) (edge, error) {
	if err := conn.SetDeadline(time.Now().Add(proveWithin)); err != nil {
		return edge{}, err
	}
	return receive(conn, l.cfg.Key, l.run, g.wants)
}

// welcome tells a caller that its edge stands.
func welcome(conn *net.TCPConn) error {
	_, err := conn.Write([]byte{standing})
	return err
}
