package fabric

import (
	"context"
	"net"
)

// DialContext dials as a program on a host would. It fits net/http.
func (f *Fabric) DialContext(host int) func(ctx context.Context, network, address string) (net.Conn, error) {
	type dialled struct {
		conn net.Conn
		err  error
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		answer := make(chan dialled, 1)
		go func() {
			if err := f.enter(host); err != nil {
				answer <- dialled{err: err}
				return
			}
			// Without a deadline of both families, which would dial on
			// goroutines of its own, elsewhere.
			conn, err := (&net.Dialer{FallbackDelay: -1}).DialContext(ctx, network, address)
			answer <- dialled{conn, err}
		}()
		one := <-answer
		return one.conn, one.err
	}
}
