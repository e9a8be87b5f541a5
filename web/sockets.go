package web

import (
	"context"
	"errors"
	"sync"
)

// errStopping is why a socket is closed while the console stops.
var errStopping = errors.New("console is stopping")

// sockets are the WebSockets of a server. The HTTP server forgets them once
// they are open, so it neither ends them nor waits for them.
type sockets struct {
	stopping context.Context
	stop     func()
	open     sync.WaitGroup
}

func newSockets() *sockets {
	stopping, stop := context.WithCancelCause(context.Background())
	return &sockets{stopping: stopping, stop: func() { stop(errStopping) }}
}

type socketsKey struct{}

// base is the context of the server's connections.
func (s *sockets) base(ctx context.Context) context.Context {
	return context.WithValue(ctx, socketsKey{}, s)
}

// end ends all sockets and returns when they are closed.
func (s *sockets) end() {
	s.stop()
	s.open.Wait()
}

// openSocket enters a WebSocket that begins with the request of ctx; left says
// that it is closed.
func openSocket(ctx context.Context) (left func()) {
	s, ok := ctx.Value(socketsKey{}).(*sockets)
	if !ok { // served by something else than Serve
		return func() {}
	}
	s.open.Add(1)
	return s.open.Done
}

// whileServing returns a context that ends with ctx, and for errStopping when
// the server stops.
func whileServing(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s, ok := ctx.Value(socketsKey{}).(*sockets)
	if !ok {
		return ctx, func() { cancel(nil) }
	}
	unbind := context.AfterFunc(s.stopping, func() { cancel(errStopping) })
	return ctx, func() {
		unbind()
		cancel(nil)
	}
}
