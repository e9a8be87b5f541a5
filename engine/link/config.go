package link

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Config is a rank's place in a run.
type Config struct {
	Run      string
	Key      Key
	Rank     int
	Ranks    int
	To, From []int         // the ranks that the schedule has edges to and from
	Meter    *atomic.Int64 // counts bytes of payload as they move
	Patience time.Duration // for the set-up; 0 for 10 s

	// Bind is the address to listen on, and Ports are those to choose from. The
	// zero values are loopback and any port.
	Bind  netip.Addr
	Ports Ports
	// Advertise is the host, a name or an address, that peers dial where it is
	// not Bind. It is needed where Bind is unspecified.
	Advertise string

	// Sealed tells, by rank, which peers' edges are encrypted and authenticated
	// frame by frame; nil for none. Both ends of an edge must say the same.
	Sealed []bool

	// Shared lets both directions between two ranks travel on one connection.
	// It must be the same on all ranks.
	Shared bool
	// Buffer is the size in bytes of each socket's two buffers on the data
	// lane; 0 leaves it to the system. A short one keeps a sender from running
	// far ahead of its receiver where a person watches.
	Buffer int
	// Crowded says that there are more ranks than processors: a rank that
	// waits gives its own away at once.
	Crowded bool
	// Portable chooses the transport that every system has.
	Portable bool

	suite suite // that edges are sealed with; 0 for the fastest
}

// Ports are those from First to Last; the zero value is any port.
type Ports struct {
	First int `json:"first,omitempty"`
	Last  int `json:"last,omitempty"`
}

func (p Ports) String() string {
	if p == (Ports{}) {
		return "any port"
	}
	return fmt.Sprintf("ports %d-%d", p.First, p.Last)
}

// Check returns an error if there are no such ports.
func (p Ports) Check() error {
	if p != (Ports{}) && (p.First < 1 || p.Last < p.First || p.Last > 65535) {
		return fmt.Errorf("%v; accepted: two of 1-65535, the first not above the last", p)
	}
	return nil
}

// check refuses what cannot be, and fills in what is left open.
func (cfg *Config) check() error {
	if cfg.Rank < 0 || cfg.Rank >= cfg.Ranks || cfg.Meter == nil {
		return errors.New("no such rank, or no meter")
	}
	for _, peer := range slices.Concat(cfg.To, cfg.From) {
		if peer < 0 || peer >= cfg.Ranks || peer == cfg.Rank {
			return fmt.Errorf("an edge with rank %d", peer)
		}
	}
	if cfg.Buffer < 0 {
		return fmt.Errorf("socket buffers of %d bytes; accepted: 0 for automatic, or a size", cfg.Buffer)
	}
	if n := len(cfg.Sealed); n != 0 && n != cfg.Ranks {
		return fmt.Errorf("%d ranks of which it is said whether their edges are sealed; accepted: none, or all", n)
	}
	if err := cfg.Ports.Check(); err != nil {
		return err
	}
	if cfg.Bind = cfg.Bind.Unmap(); !cfg.Bind.IsValid() {
		cfg.Bind = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	if cfg.Advertise == "" {
		if cfg.Bind.IsUnspecified() {
			return fmt.Errorf("on %v, which nobody can dial: the address that peers dial must be given too", cfg.Bind)
		}
		cfg.Advertise = cfg.Bind.String()
	}
	if _, err := netip.ParseAddr(cfg.Advertise); err != nil && strings.ContainsAny(cfg.Advertise, ":/[] ") {
		return fmt.Errorf("%q as the host that peers dial; accepted: a name or an address, without a port", cfg.Advertise)
	}
	if cfg.Patience == 0 {
		cfg.Patience = patience
	}
	if cfg.suite == plain {
		cfg.suite = fastest()
	}
	return nil
}

// sealing returns how an edge to a peer is sealed.
func (cfg *Config) sealing(peer int) suite {
	if len(cfg.Sealed) > 0 && cfg.Sealed[peer] {
		return cfg.suite
	}
	return plain
}

// open listens on one of the ports. Ranks of a host begin at different ones, so
// that each finds its own soon.
func (cfg *Config) open() (*net.TCPListener, error) {
	network := "tcp" // both families, where it is every address
	if cfg.Bind.Is4() {
		network = "tcp4"
	}
	count := cfg.Ports.Last - cfg.Ports.First + 1
	var err error
	for i := range count {
		at := cfg.Ports.First
		if count > 1 {
			at += (cfg.Rank + i) % count
		}
		var tcp *net.TCPListener
		if tcp, err = net.ListenTCP(network, net.TCPAddrFromAddrPort(netip.AddrPortFrom(cfg.Bind, uint16(at)))); err == nil {
			return tcp, nil
		}
	}
	if count > 1 {
		return nil, fmt.Errorf("none of the %d %v of %v is free: %w", count, cfg.Ports, cfg.Bind, err)
	}
	return nil, err
}
