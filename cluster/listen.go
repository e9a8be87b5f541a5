package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"lockstep/cluster/wire"
)

const (
	// answerTime bounds the writing of an answer.
	answerTime = 4 * time.Second
	// lingerTime is how long a refused end may take to read why: closing while
	// bytes of it are unread would destroy the answer on its way.
	lingerTime = time.Second
)

// Serve lets nodes in through listener and keeps up with the journal until ctx
// ends. It closes the listener and returns when every connection has ended;
// the error is nil if ctx ended it.
func (r *Registry) Serve(ctx context.Context, listener net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var serving sync.WaitGroup
	defer serving.Wait()
	defer cancel()
	serving.Go(func() { r.keepUp(ctx) })
	serving.Go(func() { r.probeWhenAsked(ctx) })
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	for delay := time.Duration(0); ; {
		conn, err := listener.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("accept agents: %w", err)
		case err != nil:
			// Out of descriptors, say, which passes.
			delay = min(max(2*delay, 5*time.Millisecond), time.Second)
			r.cfg.Log.ErrorContext(ctx, "accept agent; trying again", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(delay):
			}
			continue
		}
		delay = 0
		serving.Go(func() { r.handle(ctx, conn) })
	}
}

// handle serves one connection from its first byte to its last.
func (r *Registry) handle(ctx context.Context, raw net.Conn) {
	defer raw.Close() // whatever is under way is over by then
	stop := context.AfterFunc(ctx, func() { _ = raw.SetDeadline(time.Now()) })
	defer stop()
	r.strangers.enter(raw)
	defer r.strangers.leave(raw)
	p := &patient{Conn: raw, until: time.Now().Add(strangerTime)}
	conn := tls.Server(p, r.tls)
	greeting, err := greet(ctx, conn, p.until)
	if err != nil {
		r.cfg.Log.DebugContext(ctx, "somebody came to the agent listener and was no agent", "from", raw.RemoteAddr().String(), "error", err)
		return
	}
	if refusal := greeting.CheckProtocol(); refusal != nil {
		r.refuse(ctx, conn, Event{What: Refused, From: raw.RemoteAddr().String()}, refusal)
		return
	}
	if greeting.Join != nil {
		certificate, event, err := r.admit(ctx, *greeting.Join, conn)
		if err != nil {
			r.refuse(ctx, conn, event, asRefusal(err))
			return
		}
		r.record(ctx, event)
		_ = raw.SetWriteDeadline(time.Now().Add(answerTime))
		if err := wire.WriteAnswer(conn, wire.Answer{Build: r.cfg.Build, Certificate: certificate}); err != nil {
			r.cfg.Log.WarnContext(ctx, "hand a node its certificate; it may ask again with the same token", "node", event.Node, "error", err)
			return
		}
		r.cfg.Log.InfoContext(ctx, "node admitted", "node", event.Node, "from", event.From, "token", event.By)
		linger(conn)
		return
	}
	name, hello, event, err := r.recognise(ctx, conn)
	if err != nil {
		r.refuse(ctx, conn, event, asRefusal(err))
		return
	}
	r.strangers.leave(raw)
	stop()
	r.attend(ctx, conn, p, name, hello, greeting.Build)
}

// greet carries out the handshake and reads the first frame.
func greet(ctx context.Context, conn *tls.Conn, until time.Time) (wire.Greeting, error) {
	if err := conn.SetWriteDeadline(until); err != nil {
		return wire.Greeting{}, err
	}
	if err := conn.HandshakeContext(ctx); err != nil {
		return wire.Greeting{}, fmt.Errorf("shake hands: %w", err)
	}
	return wire.ReadGreeting(conn)
}

// refuse says why, and remembers it.
func (r *Registry) refuse(ctx context.Context, conn *tls.Conn, event Event, why *wire.Refusal) {
	event.Refused, event.Why = why.Message, cmp.Or(why.Case, string(why.Code))
	// What will be tried again in a moment, and what a stranger repeats, would
	// fill the log.
	if from := addressOf(conn); why.Final() && r.noted.allowed(from, r.cfg.Now()) {
		r.noted.fail(from)
		r.record(ctx, event)
		r.cfg.Log.WarnContext(ctx, "agent refused", "node", event.Node, "from", event.From, "reason", why.Message)
	}
	_ = conn.SetWriteDeadline(time.Now().Add(answerTime))
	if wire.WriteAnswer(conn, wire.Answer{Build: r.cfg.Build, Refusal: why}) == nil {
		linger(conn)
	}
}

// linger waits until the other end has read its answer and closes.
func linger(conn *tls.Conn) {
	_ = conn.CloseWrite()
	_ = conn.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, conn, 256<<10)
}

// asRefusal finds the refusal in err; anything else is the console's own
// trouble, which is nobody's business.
func asRefusal(err error) *wire.Refusal {
	var refusal *wire.Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	return wire.Refuse(wire.Unavailable, "the console cannot do that now; its log says why")
}
