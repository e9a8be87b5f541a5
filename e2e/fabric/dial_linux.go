package fabric

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
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
			// A namespace is a thread's. The thread is not given back: it ends
			// with the goroutine.
			runtime.LockOSThread()
			space, err := os.Open("/var/run/netns/" + f.namespace(host))
			if err == nil {
				err = unix.Setns(int(space.Fd()), unix.CLONE_NEWNET)
				space.Close()
			}
			if err != nil {
				answer <- dialled{err: fmt.Errorf("go to host %d: %w", host, err)}
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
