package web

import (
	"net"
	"net/netip"
	"sync"
)

// Connections that may be open at once. A class of sixty opens some hundreds
// from one address, and a thousand watchers a thousand; each costs some tens
// of kilobytes.
const (
	maxConnections           = 8192
	maxConnectionsPerAddress = 2048
)

// bounded is a listener that closes at once what would be a connection too
// many, rather than let it wait: somebody who opens many and says nothing takes
// nobody else's place for longer than the server's patience with headers.
// Connections of the machine itself count among all, but have no bound of
// their own.
type bounded struct {
	net.Listener
	most, perAddress int

	mu   sync.Mutex
	open int
	from map[string]int // open connections by address; none is 0
}

func newBounded(l net.Listener, most, perAddress int) *bounded {
	return &bounded{Listener: l, most: most, perAddress: perAddress, from: map[string]int{}}
}

// Accept returns the next connection within the bounds.
func (b *bounded) Accept() (net.Conn, error) {
	for {
		conn, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := ""
		if at, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil && !at.Addr().Unmap().IsLoopback() {
			address = neighbourhood(at.Addr().Unmap().WithZone("").String())
		}
		if b.enter(address) {
			return &counted{Conn: conn, left: func() { b.leave(address) }}, nil
		}
		_ = conn.Close() // nothing was said on it
	}
}

func (b *bounded) enter(address string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open >= b.most || address != "" && b.from[address] >= b.perAddress {
		return false
	}
	b.open++
	if address != "" {
		b.from[address]++
	}
	return true
}

func (b *bounded) leave(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	if address == "" {
		return
	}
	if b.from[address]--; b.from[address] == 0 {
		delete(b.from, address)
	}
}

// counted is a connection that counts until it is closed.
type counted struct {
	net.Conn
	once sync.Once
	left func()
}

// Close closes the connection; closing it again is an error of the connection
// and counts once.
func (c *counted) Close() error {
	c.once.Do(c.left)
	return c.Conn.Close()
}
