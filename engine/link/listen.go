package link

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
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

// Listener is a rank that waits for its peers' addresses.
type Listener struct {
	cfg Config
	run [sha256.Size]byte
	tcp *net.TCPListener
}

// Listen opens a port. Close the listener or call Connect.
func Listen(cfg Config) (*Listener, error) {
	err := cfg.check()
	var tcp *net.TCPListener
	if err == nil {
		tcp, err = cfg.open()
	}
	if err != nil {
		return nil, fmt.Errorf("listen as rank %d of %d: %w", cfg.Rank, cfg.Ranks, err)
	}
	return &Listener{cfg: cfg, run: sha256.Sum256([]byte(cfg.Run)), tcp: tcp}, nil
}

// Addr returns the address that peers dial.
func (l *Listener) Addr() string {
	return net.JoinHostPort(l.cfg.Advertise, strconv.Itoa(l.tcp.Addr().(*net.TCPAddr).Port))
}

// Close stops listening.
func (l *Listener) Close() error { return l.tcp.Close() }

// Connect builds every edge of the rank, given the addresses of all ranks, and
// stops listening. The error names the edges that do not stand; where it was
// this rank that could not reach others, it is an *UnreachableError.
func (l *Listener) Connect(ctx context.Context, addresses []string) (rank.Link, error) {
	defer l.Close()
	if len(addresses) != l.cfg.Ranks {
		return nil, fmt.Errorf("connect rank %d: %d addresses of %d ranks", l.cfg.Rank, len(addresses), l.cfg.Ranks)
	}
	late := fmt.Errorf("not within %s: %w", seconds(l.cfg.Patience), context.DeadlineExceeded)
	ctx, cancel := context.WithTimeoutCause(ctx, l.cfg.Patience, late)
	defer cancel()
	g := newGathering(l.cfg.edges())
	var dialled error
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return l.accept(ctx, g) })
	group.Go(func() error {
		dialled = l.dialAll(ctx, g, addresses)
		return dialled
	})
	err := group.Wait()
	var link *TCP
	if err == nil {
		if link, err = newTCP(&l.cfg, g.conns); err != nil {
			return nil, fmt.Errorf("connect rank %d: %w", l.cfg.Rank, err)
		}
		return link, nil
	}
	if unreachable := (*UnreachableError)(nil); errors.As(dialled, &unreachable) {
		err = unreachable // says more than that nobody has called
	}
	missing := g.missing()
	g.closeAll()
	names := make([]string, len(missing))
	for i, e := range missing {
		names[i] = e.String()
	}
	return nil, fmt.Errorf("connect rank %d: edges %s do not stand: %w", l.cfg.Rank, strings.Join(names, ", "), err)
}

// accept takes callers until every expected edge stands. A caller that proves
// nothing holds up nobody: each has its own goroutine and one second.
func (l *Listener) accept(ctx context.Context, g *gathering) error {
	if g.allIn() {
		return nil
	}
	stop := context.AfterFunc(ctx, func() { l.tcp.Close() })
	defer stop()
	callers := callers{limit: strangers + g.expected}
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
		callers.add(conn)
		handshakes.Go(func() {
			e, session, err := l.greet(g, &callers, conn)
			// Out of the lists before the caller is told that the edge stands:
			// nobody may cut it to make room after that.
			if !callers.remove(conn) || err != nil || welcome(conn) != nil || !g.add(e, joint{conn, session}) {
				conn.Close()
			}
			if g.allIn() {
				l.tcp.Close()
			}
		})
	}
}

// greet takes one caller through the handshake.
func (l *Listener) greet(g *gathering, callers *callers, conn *net.TCPConn) (edge, *session, error) {
	if err := conn.SetDeadline(time.Now().Add(proveWithin)); err != nil {
		return edge{}, nil, err
	}
	return receive(conn, l.cfg.Key, l.run, func(h *hello) bool {
		return g.wants(h.edge) && (h.suite != plain) == (l.cfg.sealing(h.edge.src) != plain) && callers.acquaint(conn)
	})
}

// welcome tells a caller that its edge stands.
func welcome(conn *net.TCPConn) error {
	_, err := conn.Write([]byte{standing})
	return err
}
