package web

//lint:file-ignore SA1019 nhooyr.io/websocket lives on under another path and is kept as it is on purpose: see docs/decisions/0006-websocket.md

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"nhooyr.io/websocket"

	"lockstep/engine/trace"
	"lockstep/web/account"
	"lockstep/web/auth"
)

// sendTime is how long a watcher may take for one message before it is given
// up: its connection then holds more than the system buffers, and it can come
// back at any time with its place.
const sendTime = 10 * time.Second

// closeTime is how long a watcher that has got the last message may take to
// close.
const closeTime = time.Second

// runEvents follows a run over a WebSocket.
func (s *server) runEvents(w http.ResponseWriter, r *http.Request) error {
	id, since, err := s.watched(r)
	if err != nil {
		return err
	}
	if !upgrades(r) {
		w.Header().Set("Upgrade", "websocket")
		w.Header().Set("Connection", "Upgrade")
		return errUpgrade
	}
	// A WebSocket is opened by a GET, but what it says is for the console's own
	// pages, so it is held to the rule for changes.
	if err := s.origins.Check(asChange(r)); err != nil {
		return fmt.Errorf("%w: %w", errCrossOrigin, err)
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != ownOrigin(r) {
		return fmt.Errorf("%w: it comes from %q", errCrossOrigin, origin)
	}
	left := openSocket(r.Context())
	defer left()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // the origin has been checked above
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return nil // Accept has answered
	}
	defer func() { _ = conn.CloseNow() }() // after Close it has nothing to say
	ctx, release := whileServing(conn.CloseRead(r.Context()))
	defer release()
	ctx, leave := s.gate.While(ctx)
	defer leave()
	one := s.feeds.join(id)
	defer s.feeds.leave(one)
	switch err := one.follow(ctx, since, socket{conn}); {
	case err == nil:
		// The watcher has read the end and closes. We come first only if it
		// does not: the library would answer its close with a second one of
		// ours, which browsers report as an error.
		select {
		case <-ctx.Done():
		case <-time.After(closeTime):
			_ = conn.Close(websocket.StatusNormalClosure, "the run has ended")
		}
	case errors.Is(err, auth.ErrOver):
		_ = conn.Close(websocket.StatusPolicyViolation, auth.ErrOver.Error())
	case errors.Is(err, errStopping):
		_ = conn.Close(websocket.StatusGoingAway, "the console is stopping")
	case ctx.Err() == nil && !errors.Is(err, errSlow):
		s.Log.ErrorContext(ctx, "follow run", "run", id, "error", err)
		_ = conn.Close(websocket.StatusInternalError, "the run cannot be read")
	}
	return nil
}

// watched reads which run is asked for, by whom and from where on.
func (s *server) watched(r *http.Request) (id string, since int, err error) {
	if err := may(r, account.Viewer); err != nil {
		return "", 0, err
	}
	if since, err = sinceIn(r); err != nil {
		return "", 0, err
	}
	if s.feeds == nil {
		return "", 0, trace.ErrNoRun
	}
	run, err := s.feeds.saved.Find(r.Context(), runIn(r))
	return run.ID, since, err
}

func upgrades(r *http.Request) bool {
	return r.ProtoMajor == 1 && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

func asChange(r *http.Request) *http.Request {
	change := *r
	change.Method = http.MethodPost
	return &change
}

// socket is the line to a watcher's WebSocket.
type socket struct{ conn *websocket.Conn }

var errSlow = errors.New("watcher does not take its messages")

func (s socket) send(ctx context.Context, message []byte) error {
	ctx, cancel := begun(ctx)
	defer cancel()
	if err := s.conn.Write(ctx, websocket.MessageText, message); err != nil {
		return errors.Join(errSlow, err)
	}
	return nil
}

func (s socket) ping(ctx context.Context) error {
	ctx, cancel := begun(ctx)
	defer cancel()
	if err := s.conn.Ping(ctx); err != nil {
		return errors.Join(errSlow, err)
	}
	return nil
}

// begun returns the context of one message on its way. It outlives ctx by up
// to closeTime: the library drops the connection when a context ends under a
// write, and a watcher who has the message already would then not hear why the
// console leaves.
func begun(ctx context.Context) (context.Context, context.CancelFunc) {
	message, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), sendTime, errSlow)
	unbind := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(closeTime):
			cancel()
		case <-message.Done():
		}
	})
	return message, func() {
		unbind()
		cancel()
	}
}
