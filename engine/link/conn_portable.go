package link

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// portable is the transport of systems without a raw one: two goroutines for
// each connection, one for each direction, move what the rank's thread asks
// them to.
type portable struct {
	cut   atomic.Bool
	ended chan struct{} // closed by interrupt or close, whichever comes first
	news  chan struct{} // holds one if a goroutine has got on
	hands sync.WaitGroup

	mu     sync.Mutex // owns conns and closed
	conns  []net.Conn
	closed bool

	// The rest is the rank's thread's.
	pace  pace
	timer *time.Timer
}

func newPortable() *portable {
	p := &portable{ended: make(chan struct{}), news: make(chan struct{}, 1), timer: time.NewTimer(time.Hour)}
	p.timer.Stop()
	return p
}

// adopt starts the connection's goroutines; close waits for them.
func (p *portable) adopt(conn *net.TCPConn) (sending, receiving way, err error) {
	p.mu.Lock()
	p.conns = append(p.conns, conn)
	p.mu.Unlock()
	out := &porter{portable: p, asked: make(chan struct{}, 1)}
	in := &porter{portable: p, asked: make(chan struct{}, 1)}
	p.hands.Go(func() { out.serve(func() error { return out.write(conn) }) })
	p.hands.Go(func() { in.serve(func() error { return in.read(conn) }) })
	return out, in, nil
}

func (p *portable) interrupt() { _ = p.end(true) } // the failure that led here is what counts

func (p *portable) close() error {
	err := p.end(false)
	p.hands.Wait()
	return err
}

// end closes the connections, at once or after what was sent.
func (p *portable) end(reset bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	p.cut.Store(true)
	close(p.ended)
	var errs []error
	for _, conn := range p.conns {
		if c, ok := conn.(interface{ SetLinger(seconds int) error }); ok && reset {
			_ = c.SetLinger(0) // else the peers hear of it a little later
		}
		errs = append(errs, conn.Close())
	}
	return errors.Join(errs...)
}

// porter is one direction of a connection. The rank's thread leaves a request,
// one goroutine carries it out.
type porter struct {
	portable *portable
	asked    chan struct{} // holds one if a request waits
	moved    atomic.Int64  // bytes passed that the rank's thread has not heard of
	failed   atomic.Pointer[error]

	// Whoever has the request owns these: the rank's thread until it asks, then
	// the goroutine until the last byte is counted in moved.
	head, body []byte
	parts      [2][]byte // kept here so that writing allocates nothing
	buffers    net.Buffers

	left int // bytes of the request, the rank's thread's; 0 if there is none
}

func (c *porter) move(head, body []byte) (int, error) {
	if c.portable.cut.Load() {
		return 0, net.ErrClosed
	}
	if c.left == 0 {
		c.head, c.body, c.left = head, body, len(head)+len(body)
		c.asked <- struct{}{}
	}
	failed := c.failed.Load() // before moved: what came before the failure counts
	n := int(c.moved.Swap(0))
	switch {
	case n == 0 && failed != nil:
		return 0, *failed
	case n == 0:
		return 0, nil
	}
	c.portable.pace.moved = true
	c.left -= n
	return n, nil
}

// serve works until the transport ends or the connection fails.
func (c *porter) serve(work func() error) {
	for {
		select {
		case <-c.portable.ended:
			return
		case <-c.asked:
		}
		if err := work(); err != nil {
			failure := broken(err, c.portable.cut.Load()) // its own variable: err stays off the heap
			c.failed.Store(&failure)
			c.portable.announce()
			return
		}
	}
}

func (c *porter) write(conn net.Conn) error {
	whole := len(c.head) + len(c.body)
	c.parts[0], c.parts[1] = c.head, c.body
	c.buffers = c.parts[:]
	if _, err := c.buffers.WriteTo(conn); err != nil {
		return err
	}
	c.pass(whole)
	return nil
}

func (c *porter) read(conn net.Conn) error {
	head, body := c.head, c.body
	for part := range 2 {
		p := head
		if part == 1 {
			p = body
		}
		for len(p) > 0 {
			n, err := conn.Read(p)
			p = p[n:]
			c.pass(n)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// pass counts bytes. With the last of a request it ceases to be ours.
func (c *porter) pass(n int) {
	if n > 0 {
		c.moved.Add(int64(n))
		c.portable.announce()
	}
}

// announce wakes the rank's thread, should it sleep.
func (p *portable) announce() {
	select {
	case p.news <- struct{}{}:
	default:
	}
}
