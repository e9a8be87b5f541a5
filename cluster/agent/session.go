package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"lockstep/cluster/wire"
)

// session is one connection to the console.
type session struct {
	agent *Agent
	end   context.CancelCauseFunc // ends it, and says why
	heard func()                  // called when the control stream stands

	controlled atomic.Bool
	draining   atomic.Bool
}

// pick finds the handler of a stream.
func (s *session) pick(kind string) (wire.Handler, error) {
	switch {
	case kind == wire.ControlKind:
		if s.controlled.Swap(true) {
			return nil, errors.New("there is a control stream already")
		}
		return s.control, nil
	case kind == wire.RunKind && s.draining.Load():
		return nil, fmt.Errorf("node %s is draining", s.agent.cfg.Name)
	}
	if handle, ok := s.agent.cfg.Handlers[kind]; ok {
		return handle, nil
	}
	return nil, fmt.Errorf("node %s does not know streams of kind %q; install the same version on both", s.agent.cfg.Name, kind)
}

// control holds the control stream, and ends the session when it ends.
func (s *session) control(serving context.Context, conn net.Conn) error {
	s.heard()
	asking := make(chan []byte, 1) // holds the certificate request that is due, nil for none
	asking <- nil
	group, ctx := errgroup.WithContext(serving)
	group.Go(func() error { return s.listen(ctx, conn, asking) })
	group.Go(func() error {
		defer conn.SetReadDeadline(time.Now()) // ends the listening
		return s.speak(ctx, conn, asking)
	})
	if err := group.Wait(); serving.Err() == nil { // the stream is what has ended the session
		s.end(err)
	}
	return nil // Serve says why the session ended
}

// speak says every beat that the node is here, and what it asks for.
func (s *session) speak(ctx context.Context, conn net.Conn, asking chan []byte) error {
	ticker := time.NewTicker(s.agent.cfg.Beat)
	defer ticker.Stop()
	for {
		request := <-asking
		asking <- request
		if err := wire.WriteBeat(conn, wire.AgentBeat{Renew: request}); err != nil {
			return &awayError{fmt.Errorf("tell the console that the node is here: %w", err)}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

// listen hears how things stand, and sees to the certificate: this goroutine
// owns the state folder while the session lasts.
func (s *session) listen(ctx context.Context, conn net.Conn, asking chan []byte) error {
	a := s.agent
	for {
		if err := conn.SetReadDeadline(time.Now().Add(a.cfg.Silence)); err != nil {
			return &awayError{err}
		}
		var beat wire.ConsoleBeat
		if err := wire.ReadBeat(conn, &beat); err != nil {
			var late net.Error
			if errors.As(err, &late) && late.Timeout() && ctx.Err() == nil {
				err = fmt.Errorf("it has been silent for %v", a.cfg.Silence)
			}
			return &awayError{fmt.Errorf("listen to the console: %w", err)}
		}
		if beat.Leave != nil {
			if beat.Leave.Final() {
				return beat.Leave
			}
			return &awayError{beat.Leave}
		}
		if !a.known {
			a.known = true
			a.cfg.Admitted()
		}
		if draining := beat.Draining; s.draining.Swap(draining) != draining {
			a.cfg.Log.InfoContext(ctx, "the console has changed what it asks of this node", "draining", draining)
		}
		request := <-asking
		request, err := a.renew(ctx, request, beat.Certificate)
		asking <- request
		if err != nil {
			a.cfg.Log.ErrorContext(ctx, "renew the certificate; asking again", "error", err)
		}
	}
}

// renew returns the certificate request to ask with from now on, nil for none.
// What the console sends counts if it was asked for.
func (a *Agent) renew(ctx context.Context, request, certificate []byte) ([]byte, error) {
	if request != nil && certificate != nil && !bytes.Equal(certificate, a.state.certificate.Raw) {
		if err := a.state.keep(certificate, a.state.authority); err != nil {
			return request, err
		}
		a.cfg.Log.InfoContext(ctx, "certificate renewed", "expires", a.state.certificate.NotAfter)
	}
	if a.cfg.Now().Before(a.state.halfLife()) {
		return nil, nil
	}
	if request != nil {
		return request, nil
	}
	return a.state.request(a.cfg.Name)
}
