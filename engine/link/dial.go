package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// dialsAtOnce is how many connections a rank dials at a time.
	dialsAtOnce = 64
	// again is the pause before a peer is dialled again.
	again = 10 * time.Millisecond
)

// answerWithin is how long a peer's system may take to answer a call.
func (cfg *Config) answerWithin() time.Duration { return cfg.Patience / 2 }

// refusedFor is how long a peer's system may refuse calls before that is final:
// all ranks listen before anybody dials, but a full queue may look the same.
func (cfg *Config) refusedFor() time.Duration { return cfg.Patience / 10 }

// together is how long the first edge that cannot be reached waits for others,
// so that one error names them all.
func (cfg *Config) together() time.Duration { return cfg.Patience / 40 }

// errElsewhere ends the dialling when another edge cannot be reached.
var errElsewhere = errors.New("another edge cannot be built")

// dialAll builds the edges that this rank dials.
func (l *Listener) dialAll(ctx context.Context, g *gathering, addresses []string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var dials errgroup.Group
	dials.SetLimit(dialsAtOnce)
	var mu sync.Mutex // owns failed
	var failed UnreachableError
	for _, e := range g.out {
		dials.Go(func() error {
			err := l.dial(ctx, g, e, addresses[e.dst])
			cause := context.Cause(ctx)
			if err == nil || errors.Is(err, cause) && !errors.Is(cause, context.DeadlineExceeded) {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if len(failed.Edges) == 0 {
				time.AfterFunc(l.cfg.together(), func() { cancel(errElsewhere) })
			}
			failed.add(UnreachableEdge{Src: e.src, Dst: e.dst, From: l.cfg.Advertise, Address: addresses[e.dst], Err: err})
			return err
		})
	}
	err := dials.Wait()
	if len(failed.Edges) > 0 {
		return &failed
	}
	return err
}

// dial builds one edge to a peer. One that answers may still be busy, and is
// asked again until ctx ends; one that can't be called, for a while.
func (l *Listener) dial(ctx context.Context, g *gathering, e edge, address string) error {
	begun := time.Now()
	var last, refused error // what the last try came to; the same if it was not even a connection
	for {
		conn, err := l.call(ctx, address)
		final := err != nil && time.Since(begun) >= l.cfg.refusedFor()
		called := err
		if err == nil {
			err = l.join(ctx, g, e, conn)
			final = errors.Is(err, errProof)
		}
		// A try that was cut short explains nothing: the one before it does.
		switch cause := context.Cause(ctx); {
		case err == nil:
			return nil
		case errors.Is(cause, errElsewhere) && refused != nil:
			return refused
		case errors.Is(cause, context.DeadlineExceeded) && last != nil:
			return last
		case cause != nil:
			return cause
		case final:
			return err
		}
		last, refused = err, called
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

// call opens a connection.
func (l *Listener) call(ctx context.Context, address string) (*net.TCPConn, error) {
	within := l.cfg.answerWithin()
	end, bounded := ctx.Deadline()
	short := bounded && time.Until(end) < within
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(limited, "tcp", address)
	switch {
	case err == nil:
		return conn.(*net.TCPConn), nil
	case short && isTimeout(err):
		<-ctx.Done() // now: a dialler looks at its own clock
		return nil, context.Cause(ctx)
	}
	return nil, refusal(err, within)
}

// join makes an edge of a connection, or closes it.
func (l *Listener) join(ctx context.Context, g *gathering, e edge, conn *net.TCPConn) error {
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	// Longer than the acceptor's, which decides.
	err := conn.SetDeadline(time.Now().Add(3 * proveWithin))
	var session *session
	if err == nil {
		session, err = introduce(conn, l.cfg.Key, l.run, e, l.cfg.sealing(e.dst))
	}
	if err == nil && !g.add(e, joint{conn, session}) {
		err = net.ErrClosed
	}
	if err != nil {
		_ = conn.Close() // what has failed counts
		return fmt.Errorf("it answers, but not as a rank of this run: %w", err)
	}
	return nil
}
