package link

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

func TestListenSaysWhatIsWrong(t *testing.T) {
	for text, change := range map[string]func(*Config){
		"ports 0-10":              func(c *Config) { c.Ports = Ports{0, 10} },
		"ports 10-9":              func(c *Config) { c.Ports = Ports{10, 9} },
		"ports 1-65536":           func(c *Config) { c.Ports = Ports{1, 65536} },
		"nobody can dial":         func(c *Config) { c.Bind = netip.IPv4Unspecified() },
		`"10.0.0.1:80" as the`:    func(c *Config) { c.Advertise = "10.0.0.1:80" },
		"said whether":            func(c *Config) { c.Sealed = []bool{true} },
		"cannot assign":           func(c *Config) { c.Bind = netip.MustParseAddr("192.0.2.1") },
		"as rank 1 of 2: an edge": func(c *Config) { c.To = []int{1} },
	} {
		cfg := Config{Run: "r1", Rank: 1, Ranks: 2, Meter: new(atomic.Int64)}
		change(&cfg)
		l, err := Listen(cfg)
		if err == nil {
			l.Close()
		}
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// freePorts returns two ports in a row that nobody uses.
func freePorts(t *testing.T) Ports {
	t.Helper()
	for range 50 {
		one, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		at := one.Addr().(*net.TCPAddr).Port
		two, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", at+1))
		one.Close()
		if err == nil {
			two.Close()
			return Ports{at, at + 1}
		}
	}
	t.Skip("no two free ports in a row")
	return Ports{}
}

func TestPortsAreKeptTo(t *testing.T) {
	ports := freePorts(t)
	open := func(r int) (*Listener, error) {
		return Listen(Config{Run: "r1", Rank: r, Ranks: 3, Ports: ports, Meter: new(atomic.Int64)})
	}
	taken := map[string]bool{}
	var listeners []*Listener
	for r := range 2 {
		l, err := open(r)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		taken[l.Addr()] = true
		listeners = append(listeners, l)
	}
	for _, port := range []int{ports.First, ports.Last} {
		if address := fmt.Sprintf("127.0.0.1:%d", port); !taken[address] {
			t.Errorf("%v, want %s too", taken, address)
		}
	}
	_, err := open(2)
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), fmt.Sprintf("none of the 2 %v of 127.0.0.1 is free", ports)) {
		t.Error(err)
	}
	listeners[1].Close() // free again with its run's set-up
	l, err := open(2)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// A port is taken during the set-up only: connections that came in by it stay
// when the next rank listens there.
func TestPortsAreFreeOnceTheLinkStands(t *testing.T) {
	ports := freePorts(t)
	for range 3 {
		listeners, addresses := listenAll(t, 2, func(c *Config) { c.Ports = ports })
		_, errs := connectAll(t, listeners, addresses) // closed when the test ends
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
}

// Ranks on all addresses of a host, found under one of its names.
func TestAdvertisedAddress(t *testing.T) {
	unspecified := []netip.Addr{netip.IPv4Unspecified(), netip.MustParseAddr("127.0.0.1"), netip.IPv6Unspecified()}
	advertised := []string{"localhost", "127.0.0.1", "127.0.0.1"}
	if l, err := net.Listen("tcp6", "[::]:0"); err != nil {
		unspecified, advertised = unspecified[:2], advertised[:2]
	} else {
		l.Close()
	}
	n := len(unspecified)
	listeners, addresses := listenAll(t, n, func(c *Config) {
		c.Bind, c.Advertise = unspecified[c.Rank], advertised[c.Rank]
	})
	for r, address := range addresses {
		if !strings.HasPrefix(address, advertised[r]+":") {
			t.Errorf("rank %d is at %s, want %s", r, address, advertised[r])
		}
	}
	_, errs := connectAll(t, listeners, addresses)
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}
