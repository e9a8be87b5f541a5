package link

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// blackhole returns an address whose system answers no call: its queue is full.
func blackhole(t *testing.T) string {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), unix.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	address := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(name.(*unix.SockaddrInet4).Port)).String()
	for range 10 {
		conn, err := net.DialTimeout("tcp4", address, 200*time.Millisecond)
		if err != nil {
			return address
		}
		t.Cleanup(func() { conn.Close() })
	}
	t.Skip("a full queue answers calls on this system")
	return ""
}

func TestSilentAddressIsNamed(t *testing.T) {
	listeners, addresses := listenAll(t, 3, func(c *Config) { c.Patience = 2 * time.Second })
	addresses[1] = blackhole(t)
	begun := time.Now()
	_, err := listeners[0].Connect(t.Context(), addresses)
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) {
		t.Fatal(err)
	}
	if e := unreachable.Edges[0]; len(unreachable.Edges) != 1 || e.Src != 0 || e.Dst != 1 || e.Address != addresses[1] {
		t.Errorf("%+v", unreachable.Edges)
	}
	if want := "rank 0 on 127.0.0.1 cannot reach rank 1 at " + addresses[1] + ": no answer within 1 s"; !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
	if took := time.Since(begun); took > 6*time.Second {
		t.Errorf("took %v", took)
	}
}
