package fabric

import (
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// mostCaptured is how much a Capture keeps, in bytes.
const mostCaptured = 64 << 20

// Capture keeps what crosses a host's link, both ways, until it is ended.
type Capture struct {
	ending  atomic.Bool
	ended   chan struct{}
	packets [][]byte
	err     error
}

// Capture begins to keep what crosses the link of a host. The caller ends it.
func (f *Fabric) Capture(host int) (*Capture, error) {
	c := &Capture{ended: make(chan struct{})}
	ready := make(chan error, 1)
	go func() {
		defer close(c.ended)
		s, err := f.listen(host)
		ready <- err
		if err == nil {
			c.err = errors.Join(c.read(s), unix.Close(s))
		}
	}()
	if err := <-ready; err != nil {
		return nil, fmt.Errorf("capture on host %d: %w", host, err)
	}
	return c, nil
}

// listen opens a socket that sees every packet of a host, and lets a read wait
// for a tenth of a second at most.
func (f *Fabric) listen(host int) (int, error) {
	if err := f.enter(host); err != nil {
		return 0, err
	}
	const all = unix.ETH_P_ALL<<8&0xff00 | unix.ETH_P_ALL>>8 // in the network's order
	s, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, all)
	if err != nil {
		return 0, err
	}
	err = errors.Join(
		unix.SetsockoptTimeval(s, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 100_000}),
		unix.SetsockoptInt(s, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, mostCaptured),
	)
	if err != nil {
		return 0, errors.Join(err, unix.Close(s))
	}
	return s, nil
}

// read keeps packets until the end is asked for and none is left.
func (c *Capture) read(s int) error {
	buffer, kept := make([]byte, 1<<17), 0
	for {
		n, _, err := unix.Recvfrom(s, buffer, 0)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			if c.ending.Load() {
				return nil
			}
		case err != nil:
			return err
		case kept+n > mostCaptured:
			if c.ending.Load() {
				return nil
			}
		default:
			c.packets = append(c.packets, append([]byte(nil), buffer[:n]...))
			kept += n
		}
	}
}

// End ends the capture and returns every packet, with its headers, in order.
func (c *Capture) End() ([][]byte, error) {
	c.ending.Store(true)
	<-c.ended
	return c.packets, c.err
}
