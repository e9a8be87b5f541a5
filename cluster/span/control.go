package span

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/yamux"

	"lockstep/cluster/inventory"
)

const (
	beatEvery = 500 * time.Millisecond
	// silence is how long one end hears nothing before it gives the other up.
	silence = 4 * time.Second
	// tardy is how late this program itself may be before its watch counts for
	// nothing.
	tardy = 200 * time.Millisecond
	// waiting is how many frames may wait to be written: there are never more
	// than a few for each rank.
	waiting = 512
)

// errQueue says that the other end does not take what is sent.
var errQueue = errors.New("it takes no more messages")

// control is one end of a control stream. Any goroutine sends, one writes, one
// reads.
type control struct {
	conn net.Conn
	in   *bufio.Reader // the reading goroutine's

	mu     sync.Mutex  // owns closed, and that nobody sends behind it
	queue  chan []byte // from those who send to the one who writes
	closed bool
}

func newControl(conn net.Conn) *control {
	return &control{conn: conn, in: bufio.NewReader(conn), queue: make(chan []byte, waiting)}
}

// send queues a frame and never waits.
func (c *control) send(k kind, v any) error {
	frame, err := newFrame(k, v)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	select {
	case c.queue <- frame:
		return nil
	default:
		return errQueue
	}
}

// finish lets write return when everything sent so far is written.
func (c *control) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.queue)
	}
}

// write writes what is sent, and a beat now and then, until finish. If that is
// no longer possible it calls broken, once, and drops the rest.
func (c *control) write(news func() beat, broken func(error)) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	whole := true
	put := func(frame []byte, err error) {
		if err == nil && whole {
			_ = c.conn.SetWriteDeadline(time.Now().Add(within(len(frame))))
			_, err = c.conn.Write(frame)
		}
		if err != nil && whole {
			whole = false
			broken(err)
		}
	}
	for {
		select {
		case frame, more := <-c.queue:
			if !more {
				return
			}
			put(frame, nil)
		case <-tick.C:
			put(newFrame(kindBeat, news()))
		}
	}
}

// within returns how long a frame may take: a MiB a second, beyond what any
// may take.
func within(length int) time.Duration {
	return silence + time.Duration(length>>20)*time.Second
}

// read reads a frame of at most so many bytes, which must begin to come before
// the other end counts as silent.
func (c *control) read(most int) (kind, []byte, error) {
	if err := c.await(); err != nil {
		return 0, nil, reason(err)
	}
	_ = c.conn.SetReadDeadline(time.Now().Add(within(most)))
	k, body, err := readFrame(c.in)
	return k, body, reason(err)
}

// await waits for the first byte of a frame. Who has not been run in time
// himself, on a loaded machine, looks again before he calls the other silent.
func (c *control) await() error {
	for forgiven := false; ; forgiven = true {
		begun := time.Now()
		_ = c.conn.SetReadDeadline(begun.Add(silence))
		_, err := c.in.Peek(1)
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() && !forgiven && time.Since(begun) > silence+tardy {
			continue
		}
		return err
	}
}

// reason words the end of a connection for people.
func reason(err error) error {
	var timeout net.Error
	var foreign *foreignError
	switch {
	case err == nil, errors.As(err, &foreign):
		return err
	case errors.Is(err, yamux.ErrConnectionWriteTimeout), errors.As(err, &timeout) && timeout.Timeout():
		return inventory.NewReason(inventory.Silent, fmt.Sprintf("it has been silent for %v", silence), "after", silence.String())
	}
	return inventory.NewReason(inventory.Ended, "its connection ended")
}
