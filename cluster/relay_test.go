package cluster_test

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"lockstep/cluster/agent"
	"lockstep/cluster/wire"
)

// relay is a wire between agents and a console that can be cut in a way that
// neither end notices: bytes do not come through any more.
type relay struct {
	address string

	mu     sync.Mutex
	target string
	open   chan struct{} // closed while bytes come through
}

func relayTo(t *testing.T, target string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{address: listener.Addr().String(), target: target, open: make(chan struct{})}
	close(r.open)
	var pumps sync.WaitGroup
	var conns sync.Map
	pumps.Go(func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", r.where())
			if err != nil {
				in.Close()
				continue
			}
			conns.Store(in, nil)
			conns.Store(out, nil)
			for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
				pumps.Go(func() {
					defer way[0].Close()
					defer way[1].Close()
					b := make([]byte, 4096)
					for {
						n, err := way[0].Read(b)
						<-r.gate()
						if n > 0 {
							if _, err := way[1].Write(b[:n]); err != nil {
								return
							}
						}
						if err != nil {
							return
						}
					}
				})
			}
		}
	})
	t.Cleanup(func() {
		listener.Close()
		r.let()
		conns.Range(func(conn, _ any) bool { return conn.(net.Conn).Close() == nil || true })
		pumps.Wait()
	})
	return r
}

// aim leads connections that come from now on elsewhere.
func (r *relay) aim(target string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.target = target
}

func (r *relay) where() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.target
}

func (r *relay) gate() chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open
}

func (r *relay) hold() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = make(chan struct{})
}

func (r *relay) let() {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.open:
	default:
		close(r.open)
	}
}

// eventually asks until the answer holds.
func eventually[T any](t *testing.T, what string, ask func() (T, bool)) T {
	t.Helper()
	for late := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		answer, holds := ask()
		if holds {
			return answer
		}
		if time.Now().After(late) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func serialOnDisk(t *testing.T, state string) string {
	t.Helper()
	c, err := wire.ReadCertificate(state + "/node.crt")
	if err != nil {
		t.Fatal(err)
	}
	return hexSerial(c)
}

// openAgent opens an agent only to see whether it can be.
func openAgent(cfg agent.Config) (io.Closer, error) {
	cfg.Admitted = func() {}
	return agent.Open(cfg)
}
