//go:build !linux

package fabric

import (
	"context"
	"net"
)

// DialContext dials as a program on a host would.
func (f *Fabric) DialContext(host int) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) { return nil, ErrNotHere }
}
