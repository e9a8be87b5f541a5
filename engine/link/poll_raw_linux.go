package link

import (
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// A rank that waits asks again and again, then lets others have the processor,
// then sleeps. A turn costs system calls, some 0.5 us, so these are fewer than
// where a turn is a look at memory; and where other programs compete for the
// processors, who yields waits for their time slices, who sleeps is woken as
// soon as something arrives (16 MiB each way beside ten busy processes: 40 ms
// with 2,000 turns and 50 yields, 15 to 25 ms with these; alone no difference).
// Where it is our own ranks that share the processors, the one that another
// yields to is the one it waits for: sleeping at once made a ring of four
// ranks on two processors 15 % slower at 64 MiB.
const (
	callSpins     = 500
	callYields    = 4
	crowdedYields = 30
	// fewestSpins is how often a rank asks at least that had to sleep in its
	// last waits: over a network that is slower than the ranks it always has to,
	// and asking all the while would take a processor from others.
	fewestSpins = 8
)

func (r *raw) idle(turn int, most time.Duration) error {
	if r.cut.Load() {
		return net.ErrClosed
	}
	var err error
	vain := r.pace.vain(turn)
	if vain == 0 {
		r.expect()
	}
	switch {
	case vain < r.spin:
		r.ease()
	case vain < r.spin+r.yields:
		yield()
	default:
		r.slept = true
		err = r.sleep(nap(vain-r.spin-r.yields, most))
	}
	for _, s := range r.waiting {
		s.listed, s.blocked = false, false
	}
	r.waiting, r.large = r.waiting[:0], false
	return err
}

// expect sets how long the wait that begins is spent asking, by how the last
// one ended.
func (r *raw) expect() {
	if r.slept {
		r.spin = max(r.spin/2, min(fewestSpins, r.most))
	} else {
		r.spin = min(2*r.spin, r.most)
	}
	r.slept = false
}

// sleep returns when a way that a call has found empty or full since the last
// turn may have changed, or after a while. Go's scheduler knows that it blocks.
func (r *raw) sleep(while time.Duration) error {
	r.polled = append(r.polled[:0], unix.PollFd{Fd: int32(r.wake), Events: unix.POLLIN})
	for _, s := range r.waiting {
		switch {
		case !s.blocked: // it moved in a later call
		case s.sends:
			r.polled = append(r.polled, unix.PollFd{Fd: int32(s.fd), Events: unix.POLLOUT | unix.POLLRDHUP})
		default:
			r.polled = append(r.polled, unix.PollFd{Fd: int32(s.fd), Events: unix.POLLIN})
		}
	}
	timeout := unix.NsecToTimespec(int64(while))
	if _, err := unix.Ppoll(r.polled, &timeout, nil); err != nil && !errors.Is(err, unix.EINTR) {
		return fmt.Errorf("wait for peers: %w", err)
	}
	if r.cut.Load() {
		return net.ErrClosed
	}
	at := 1
	for _, s := range r.waiting {
		if !s.blocked {
			continue
		}
		// A receiver that closes its end of an edge has not read to the end, or
		// the sender would not be held up.
		if s.sends && r.polled[at].Revents&unix.POLLRDHUP != 0 {
			s.gone = true
		}
		at++
	}
	return nil
}
