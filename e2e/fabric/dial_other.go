//go:build !linux

package fabric

import (
	"context"
	"net"
)

// OpenPorts knocks at every TCP port of a host as a program on another would.
func (*Fabric) OpenPorts(context.Context, int, int) ([]int, error) { return nil, ErrNotHere }

// Capture keeps what crosses a host's link.
type Capture struct{}

// Capture begins to.
func (*Fabric) Capture(int) (*Capture, error) { return nil, ErrNotHere }

// End ends it and returns every packet.
func (*Capture) End() ([][]byte, error) { return nil, ErrNotHere }

// DialContext dials as a program on a host would.
func (f *Fabric) DialContext(host int) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) { return nil, ErrNotHere }
}
