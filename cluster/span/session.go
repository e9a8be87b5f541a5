package span

import (
	"fmt"
	"net"
	"time"

	"github.com/hashicorp/yamux"

	"lockstep/cluster/wire"
	"lockstep/engine/trace"
)

// multiplex is how both ends share a connection between streams. The beats of
// the control stream tell more than keep-alives of its own would.
func multiplex() *yamux.Config {
	c := yamux.DefaultConfig()
	c.AcceptBacklog = trace.MaxRanks + 1
	c.EnableKeepAlive = false
	c.ConnectionWriteTimeout = silence
	c.StreamOpenTimeout = 0 // it never waits: there is room for all
	c.StreamCloseTimeout = silence
	c.LogOutput, c.Logger = nil, quiet{}
	return c
}

// quiet drops what yamux logs: what goes wrong comes back as errors.
type quiet struct{}

func (quiet) Print(...any)          {}
func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// severed is a connection whose Close also ends reads and writes that wait,
// which closing a stream of a larger connection does not do.
type severed struct{ net.Conn }

func (s severed) Close() error {
	_ = s.SetDeadline(time.Unix(1, 0))
	return s.Conn.Close()
}

// client is the console's end of a connection, server the agent's.
func client(conn net.Conn) (*yamux.Session, error) {
	s, err := yamux.Client(wire.Pingless(severed{conn}), multiplex())
	if err != nil {
		return nil, fmt.Errorf("share the connection: %w", err)
	}
	return s, nil
}

func server(conn net.Conn) (*yamux.Session, error) {
	s, err := yamux.Server(wire.Pingless(severed{conn}), multiplex())
	if err != nil {
		return nil, fmt.Errorf("share the connection: %w", err)
	}
	return s, nil
}
