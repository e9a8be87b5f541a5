package wire

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"
)

const patience = 30 * time.Second

// pair connects a console and an agent that picks handlers.
func pair(t *testing.T, pick func(kind string) (Handler, error)) (console *Session, served <-chan error, end context.CancelCauseFunc) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	far, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	near, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if console, err = Console(near); err != nil {
		t.Fatal(err)
	}
	agent, err := Agent(far)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancelCause(context.Background())
	done := make(chan error, 1)
	go func() { done <- agent.Serve(ctx, slog.New(slog.DiscardHandler), pick) }()
	t.Cleanup(func() {
		console.Close()
		end(nil)
	})
	return console, done, end
}

func echo(_ context.Context, conn net.Conn) error {
	_, err := io.Copy(conn, conn)
	return err
}

func TestStreamsAreOfAKind(t *testing.T) {
	console, served, _ := pair(t, func(kind string) (Handler, error) {
		if kind != "echo" {
			return nil, errors.New("never heard of " + kind)
		}
		return echo, nil
	})
	conn, err := console.Open(t.Context(), "echo")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "hello"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 5)
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "hello" {
		t.Errorf("echo: %q, %v", got, err)
	}
	conn.Close()
	var declined *RefusedError
	if _, err := console.Open(t.Context(), "song"); !errors.As(err, &declined) || declined.Reason != "never heard of song" {
		t.Errorf("unknown kind: %v", err)
	}
	if _, err := console.Open(t.Context(), strings.Repeat("x", 100)); err == nil {
		t.Error("a kind of a hundred letters is opened")
	}
	console.Close()
	if err := <-served; err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("the end of the connection is told as %v", err)
	}
	if _, err := console.Open(t.Context(), "echo"); err == nil {
		t.Error("a stream of a session that has ended is opened")
	}
}

func TestServeEndsHandlers(t *testing.T) {
	began := make(chan struct{})
	ended := make(chan error, 1)
	console, served, end := pair(t, func(string) (Handler, error) {
		return func(ctx context.Context, conn net.Conn) error {
			close(began)
			_, err := conn.Read(make([]byte, 1)) // ends with the session
			<-ctx.Done()
			ended <- err
			return err
		}, nil
	})
	if _, err := console.Open(t.Context(), "wait"); err != nil {
		t.Fatal(err)
	}
	<-began
	why := errors.New("enough")
	end(why)
	select {
	case err := <-served:
		if !errors.Is(err, why) {
			t.Errorf("Serve = %v, want why it was ended", err)
		}
	case <-time.After(patience):
		t.Fatal("Serve does not end")
	}
	if err := <-ended; err == nil {
		t.Error("a stream goes on after its session")
	}
}

func TestOpenGivesUpWithItsContext(t *testing.T) {
	picked := make(chan struct{})
	release := make(chan struct{})
	console, _, _ := pair(t, func(string) (Handler, error) {
		close(picked)
		<-release
		return echo, nil
	})
	defer close(release)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("changed my mind")
	go func() {
		<-picked
		cancel(why)
	}()
	if _, err := console.Open(ctx, "slow"); !errors.Is(err, why) {
		t.Errorf("Open = %v, want its context's cause", err)
	}
}

func TestOneStreamHoldsUpItselfOnly(t *testing.T) {
	held := make(chan struct{})
	console, _, _ := pair(t, func(kind string) (Handler, error) {
		if kind == "deaf" {
			return func(ctx context.Context, _ net.Conn) error {
				select {
				case <-held:
				case <-ctx.Done():
				}
				return nil
			}, nil
		}
		return echo, nil
	})
	deaf, err := console.Open(t.Context(), "deaf")
	if err != nil {
		t.Fatal(err)
	}
	if err := deaf.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	stuck := make(chan struct{})
	go func() { // far more than anybody keeps for it
		defer close(stuck)
		_, _ = deaf.Write(make([]byte, 64<<20))
	}()
	conn, err := console.Open(t.Context(), "echo")
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if _, err := io.WriteString(conn, "x"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	close(held)
	console.Close()
	<-stuck
}
