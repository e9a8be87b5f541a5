package web

//lint:file-ignore SA1019 see socket.go

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"lockstep/engine/trace"
)

func decode(text []byte) (m Message, err error) {
	err = json.Unmarshal(text, &m)
	return m, err
}

// open serves c and opens a WebSocket to a run. stop stops the server and
// waits for it.
func open(t *testing.T, c console, session func(*http.Request), listener net.Listener, target string) (conn *websocket.Conn, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, listener, nil, c.handler, slog.New(slog.DiscardHandler)) }()
	stop = func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	}
	request, err := http.NewRequest(http.MethodGet, "http://"+listener.Addr().String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	session(request)
	request.Header.Set("Origin", "http://"+listener.Addr().String())
	conn, _, err = websocket.Dial(t.Context(), "ws://"+listener.Addr().String()+target, &websocket.DialOptions{HTTPHeader: request.Header})
	if err != nil {
		stop()
		t.Fatal(err)
	}
	return conn, stop
}

// served makes a console that can be reached at a listener.
func served(t *testing.T, f *floor) (console, net.Listener) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := newConsole(t, f.config, func(c *Config) { c.Hosts = append(c.Hosts, listener.Addr().String()) })
	return c, listener
}

func read(t *testing.T, conn *websocket.Conn) Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_, text, err := conn.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return message(t, text)
}

func TestASocketFollowsARunToItsEnd(t *testing.T) {
	f := newFloor(t)
	c, listener := served(t, f)
	id := f.submit(t)
	log := <-f.log
	conn, stop := open(t, c, c.enter(t), listener, "/api/v1/runs/"+id+"/events")
	if m := read(t, conn); m.Type != Snapshot || m.Run.Outcome != trace.Running {
		t.Fatalf("first: %+v", m)
	}
	log.Add([]trace.Event{at(0, 0, 3, 0)})
	if m := read(t, conn); m.Type != Delta || len(m.Events) != 1 {
		t.Fatalf("second: %+v", m)
	}
	f.finish(t, id)
	if m := read(t, conn); m.Type != End || m.Run.Outcome != trace.Done {
		t.Fatalf("last: %+v", m)
	}
	_, _, err := conn.Read(t.Context())
	var closed websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != websocket.StatusNormalClosure {
		t.Errorf("after the end: %v", err)
	}
	stop()
}

func TestAServerThatStopsClosesItsSockets(t *testing.T) {
	f := newFloor(t)
	c, listener := served(t, f)
	id := f.submit(t)
	<-f.log
	conn, stop := open(t, c, c.enter(t), listener, "/api/v1/runs/"+id+"/events")
	read(t, conn)
	heard := make(chan error, 1)
	go func() {
		_, _, err := conn.Read(context.Background())
		heard <- err
	}()
	stop()
	var closed websocket.CloseError
	if err := <-heard; !errors.As(err, &closed) || closed.Code != websocket.StatusGoingAway {
		t.Errorf("closed: %v", err)
	}
}

func TestAWatcherWhoLeavesEndsTheFeed(t *testing.T) {
	f := newFloor(t)
	c, listener := served(t, f)
	id := f.submit(t)
	<-f.log
	conn, stop := open(t, c, c.enter(t), listener, "/api/v1/runs/"+id+"/events")
	read(t, conn)
	_ = conn.CloseNow()
	stop() // waits for the handler
}
