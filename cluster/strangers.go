package cluster

import (
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

const (
	// strangerPatience is how long whoever has not shown a certificate or token
	// may be silent, and strangerTime how long it may take in all.
	strangerPatience = time.Second
	strangerTime     = 10 * time.Second
	// maxStrangers is how many may be there at once. One more sends the oldest
	// away: a node takes a few milliseconds, whoever is still there after that
	// is slow or idle.
	maxStrangers = 64
)

// strangers are connections of whom nothing is known yet.
type strangers struct {
	mu    sync.Mutex
	conns []net.Conn // oldest first
}

func (s *strangers) enter(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) == maxStrangers {
		_ = s.conns[0].Close() // its goroutine notices and leaves
		s.conns = slices.Delete(s.conns, 0, 1)
	}
	s.conns = append(s.conns, conn)
}

func (s *strangers) leave(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = slices.DeleteFunc(s.conns, func(c net.Conn) bool { return c == conn })
}

// patient is a connection whose reads do not wait for long, until it is
// trusted. One goroutine uses it until then.
type patient struct {
	net.Conn
	until   time.Time
	trusted bool
}

func (p *patient) Read(b []byte) (int, error) {
	if !p.trusted {
		at := time.Now().Add(strangerPatience)
		if at.After(p.until) {
			at = p.until
		}
		if err := p.SetReadDeadline(at); err != nil {
			return 0, err
		}
	}
	return p.Conn.Read(b)
}

// trust lifts the bounds, before anyone else uses the connection.
func (p *patient) trust() error {
	p.trusted = true
	return p.SetDeadline(time.Time{})
}

const (
	// maxFailures is how many times in failureWindow a token that lets nobody in
	// may come from one address, and how many refusals of it are recorded.
	// Secrets cannot be guessed at any rate; this spares the store and the log.
	maxFailures   = 10
	failureWindow = time.Minute
	// maxFailing is how many addresses are remembered at most.
	maxFailing = 4096
)

// attempts counts what failed in the last minute by address.
type attempts struct {
	mu     sync.Mutex
	failed map[netip.Addr]int
	since  time.Time
}

// allowed reports whether an address may try.
func (a *attempts) allowed(from netip.Addr, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failed == nil || now.Sub(a.since) >= failureWindow || now.Before(a.since) {
		a.failed, a.since = map[netip.Addr]int{}, now
	}
	if a.failed[from] >= maxFailures {
		return false
	}
	// Where so many different addresses fail, a flood is under way: those that
	// are not remembered wait too.
	_, known := a.failed[from]
	return known || len(a.failed) < maxFailing
}

func (a *attempts) fail(from netip.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failed[from]++
}

// addressOf returns the address of a connection's other end without its port;
// an IPv6 network of the usual size counts as one.
func addressOf(conn net.Conn) netip.Addr {
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return netip.Addr{}
	}
	addr := at.Addr().Unmap().WithZone("")
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.Addr()
		}
	}
	return addr
}
