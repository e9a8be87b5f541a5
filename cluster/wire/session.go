package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/yamux"
)

const (
	// streamPatience is how long the first frames of a stream may take.
	streamPatience = 4 * time.Second
	// maxStreams is how many streams an agent carries at once.
	maxStreams = 64
	// maxKind bounds the name of a kind.
	maxKind = 64
	// window is how much of a stream may be under way, unread by its reader: a
	// stream that nobody reads holds up itself only.
	window = 1 << 20
)

// Session is a connection between console and agent that carries streams. The
// console opens them, the agent serves them. It is safe for concurrent use.
type Session struct {
	mux *yamux.Session
}

// Console makes the console's end of a connection a session; it takes the
// connection over.
func Console(conn net.Conn) (*Session, error) {
	mux, err := yamux.Server(Pingless(hasty(conn)), streams(1)) // an agent opens none
	if err != nil {
		return nil, fmt.Errorf("begin session: %w", err)
	}
	return &Session{mux}, nil
}

// Agent does the same with the agent's end.
func Agent(conn net.Conn) (*Session, error) {
	mux, err := yamux.Client(Pingless(hasty(conn)), streams(maxStreams))
	if err != nil {
		return nil, fmt.Errorf("begin session: %w", err)
	}
	return &Session{mux}, nil
}

// hasty makes a TLS connection close at once. By itself it first says so to the
// other end, for up to five seconds, which one that reads nothing would gain;
// both ends of a session have better ways to say goodbye.
func hasty(conn net.Conn) net.Conn {
	if secured, ok := conn.(*tls.Conn); ok {
		return hastyConn{secured}
	}
	return conn
}

type hastyConn struct{ *tls.Conn }

func (c hastyConn) Close() error { return c.NetConn().Close() }

func streams(backlog int) *yamux.Config {
	c := yamux.DefaultConfig()
	c.AcceptBacklog = backlog
	c.EnableKeepAlive = false // the beats on the control stream tell more
	c.ConnectionWriteTimeout = Silence
	c.StreamOpenTimeout = 2 * Silence
	c.StreamCloseTimeout = 2 * Silence
	c.MaxStreamWindowSize = window
	// What goes wrong comes back as errors; what it logs besides names no node.
	c.LogOutput, c.Logger = nil, discard{}
	return c
}

type discard struct{}

func (discard) Print(...any)          {}
func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}

// header is the first frame of a stream, by its opener; verdict is the answer.
type header struct {
	Kind string `json:"kind"`
}

type verdict struct {
	Refused string `json:"refused,omitempty"`
}

// RefusedError says that an agent does not accept a stream.
type RefusedError struct {
	Kind   string
	Reason string
}

func (e *RefusedError) Error() string { return fmt.Sprintf("open %s stream: %s", e.Kind, e.Reason) }

// Open opens a stream of that kind. ctx bounds the opening only; an agent that
// does not accept it yields a *RefusedError.
func (s *Session) Open(ctx context.Context, kind string) (_ net.Conn, err error) {
	stream, err := s.mux.OpenStream()
	if err != nil {
		return nil, fmt.Errorf("open %s stream: %w", kind, err)
	}
	defer func() {
		if err != nil {
			_ = stream.Close() // the reason is known
		}
	}()
	_ = stream.SetDeadline(time.Now().Add(streamPatience)) // never fails on a stream
	stop := context.AfterFunc(ctx, func() { _ = stream.SetDeadline(time.Now()) })
	var answer verdict
	if err = WriteFrame(stream, header{kind}, headerLimit); err == nil {
		err = ReadFrame(stream, &answer, headerLimit)
	}
	if !stop() {
		return nil, fmt.Errorf("open %s stream: %w", kind, context.Cause(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("open %s stream: %w", kind, err)
	}
	if answer.Refused != "" {
		return nil, &RefusedError{kind, answer.Refused}
	}
	_ = stream.SetDeadline(time.Time{})
	return stream, nil
}

// Handler serves a stream. Its context ends with the session; the stream is
// closed when it returns.
type Handler func(ctx context.Context, conn net.Conn) error

// Serve accepts streams until the session ends or ctx does, which ends the
// session, and returns when every handler has. pick finds the handler for a
// kind, or refuses with an error that the opener gets as it is.
func (s *Session) Serve(ctx context.Context, log *slog.Logger, pick func(kind string) (Handler, error)) error {
	serving, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(serving, func() { _ = s.Close() })
	defer stop()
	var handlers sync.WaitGroup
	err := s.accept(func(stream net.Conn, leave func()) {
		handlers.Go(func() {
			defer leave()
			defer stream.Close() // whatever it says, the stream is over
			if kind, err := serveStream(serving, stream, pick); err != nil && serving.Err() == nil {
				log.WarnContext(serving, "a stream of the console ended with an error", "kind", kind, "error", err)
			}
		})
	})
	cancel()
	handlers.Wait()
	_ = s.Close()
	// A handler may have ended ctx with a better reason than the end of the
	// connection that followed.
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, yamux.ErrSessionShutdown):
		return io.EOF
	}
	return err
}

// accept calls begin for every stream until the session ends.
func (s *Session) accept(begin func(stream net.Conn, leave func())) error {
	places := make(chan struct{}, maxStreams)
	for {
		stream, err := s.mux.AcceptStream()
		if err != nil {
			return err
		}
		select {
		case places <- struct{}{}:
			begin(stream, func() { <-places })
		default: // a console of ours opens a handful
			_ = stream.Close()
		}
	}
}

func serveStream(ctx context.Context, stream net.Conn, pick func(string) (Handler, error)) (kind string, err error) {
	_ = stream.SetDeadline(time.Now().Add(streamPatience))
	var h header
	if err := ReadFrame(stream, &h, headerLimit); err != nil {
		return "", fmt.Errorf("read what kind it is: %w", err)
	}
	if len(h.Kind) > maxKind {
		return "", fmt.Errorf("read what kind it is: %w: a name of %d bytes", ErrFrame, len(h.Kind))
	}
	handle, err := pick(h.Kind)
	var answer verdict
	if err != nil {
		answer.Refused = err.Error()
	}
	if err := WriteFrame(stream, answer, headerLimit); err != nil || answer.Refused != "" {
		return h.Kind, err
	}
	_ = stream.SetDeadline(time.Time{})
	return h.Kind, handle(ctx, stream)
}

// Close ends the session and all its streams.
func (s *Session) Close() error { return s.mux.Close() }

// Done is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return s.mux.CloseChan() }
