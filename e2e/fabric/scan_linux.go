package fabric

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// scanners is how many ports are knocked at at once.
const scanners = 64

// OpenPorts knocks at every TCP port of a host as a program on another would,
// and returns those that take the connection, in order. Nothing is sent.
func (f *Fabric) OpenPorts(ctx context.Context, from, to int) ([]int, error) {
	var (
		next  atomic.Int64
		mu    sync.Mutex
		open  []int
		errs  []error
		group sync.WaitGroup
	)
	for range scanners {
		group.Go(func() {
			err := f.enter(from)
			for err == nil && ctx.Err() == nil {
				port := int(next.Add(1))
				if port > 65535 {
					return
				}
				var taken bool
				if taken, err = knock(to, port); taken {
					mu.Lock()
					open = append(open, port)
					mu.Unlock()
				}
			}
			if err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	slices.Sort(open)
	return open, errors.Join(append(errs, ctx.Err())...)
}

// enter moves the calling goroutine to a host. A namespace is a thread's: the
// thread is not given back, and ends with the goroutine.
func (f *Fabric) enter(host int) error {
	runtime.LockOSThread()
	space, err := os.Open("/var/run/netns/" + f.namespace(host))
	if err == nil {
		err = errors.Join(unix.Setns(int(space.Fd()), unix.CLONE_NEWNET), space.Close())
	}
	if err != nil {
		return fmt.Errorf("go to host %d: %w", host, err)
	}
	return nil
}

// knock connects to a port and leaves at once. A port that does not answer
// within a second is closed.
func knock(host, port int) (taken bool, err error) {
	for {
		s, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return false, fmt.Errorf("knock at port %d of host %d: %w", port, host, err)
		}
		err = errors.Join(
			unix.SetsockoptTimeval(s, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &unix.Timeval{Sec: 1}),
			unix.SetsockoptLinger(s, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1}), // leaves no trace of itself
		)
		if err == nil {
			err = unix.Connect(s, &unix.SockaddrInet4{Port: port, Addr: address(host)})
		}
		unix.Close(s)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ECONNREFUSED), errors.Is(err, unix.EINPROGRESS), errors.Is(err, unix.ETIMEDOUT), errors.Is(err, unix.EAGAIN):
			return false, nil
		default:
			return false, fmt.Errorf("knock at port %d of host %d: %w", port, host, err)
		}
	}
}
