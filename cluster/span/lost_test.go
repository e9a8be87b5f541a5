//go:build linux

package span_test

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine/trace"
)

func TestACutConnectionIsALostAgent(t *testing.T) {
	a := newCluster(t, ab...).begin(endless)
	a.iteration(25)
	begun := time.Now()
	a.cut("b")
	f := a.end(2 * time.Second).Failure
	blamed(t, f, trace.AgentLost, -1, "b")
	if took := time.Since(begun); took > allowance*time.Second {
		t.Errorf("took %v", took)
	}
	if !strings.HasPrefix(f.Message, "node b was lost: its connection ended") {
		t.Errorf("%s", f.Message)
	}
	a.freed(t, time.Second)
	if err := <-a.served["b"]; err == nil || !strings.Contains(err.Error(), "console was lost") {
		t.Errorf("the agent says %v", err)
	}
}

func TestAnAgentThatStopsIsALostAgent(t *testing.T) {
	c := newCluster(t, ab...)
	a := c.begin(endless)
	a.iteration(25)
	c.stop()
	f := a.end(2 * time.Second).Failure
	if f == nil || f.Kind != trace.AgentLost || !strings.Contains(f.Message, "it left the run: the agent stops") {
		t.Fatalf("%+v", f)
	}
	for begun := time.Now(); children(t) > 0; time.Sleep(2 * time.Millisecond) {
		if time.Since(begun) > allowance*time.Second {
			t.Fatal("processes are left")
		}
	}
}

// A connection that stands and says nothing: both ends give up.
func TestASilentAgentIsALostAgent(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds by design")
	}
	c := newCluster(t, ab...)
	dial, cables := c.listen, make(chan *cable, 2)
	c.listen = func() (ours, theirs net.Conn) {
		ours, theirs = dial()
		k := newCable(&c.beside, ours)
		cables <- k
		return k.end, theirs
	}
	a := c.begin(endless)
	a.iteration(25)
	var mine *cable
	for range 2 { // of b, which was dialled by its agent's end
		if k := <-cables; k.leadsTo(c, "b") {
			mine = k
		}
	}
	begun := time.Now()
	mine.mute()
	f := a.end(5 * time.Second).Failure
	blamed(t, f, trace.AgentLost, -1, "b")
	if took := time.Since(begun); took > allowance*5*time.Second || f.DetectedAfter < 3.5 {
		t.Errorf("took %v, %v s without a word", took, f.DetectedAfter)
	}
	a.listen = dial
	a.freed(t, 2*time.Second)
}

// cable is a connection through which nothing comes any more once it is mute,
// though it stands.
type cable struct {
	end, far, inner net.Conn
	muted           chan struct{}
	once            sync.Once
}

// newCable puts a cable before inner; end is its other end.
func newCable(beside *sync.WaitGroup, inner net.Conn) *cable {
	k := &cable{inner: inner, muted: make(chan struct{})}
	k.end, k.far = net.Pipe()
	lay := func(to, from net.Conn) {
		buf := make([]byte, 64<<10)
		for {
			n, err := from.Read(buf)
			select {
			case <-k.muted:
				if err == nil {
					continue // swallowed
				}
			default:
			}
			if err != nil {
				_ = to.Close()
				return
			}
			if _, err := to.Write(buf[:n]); err != nil {
				_ = from.Close()
				return
			}
		}
	}
	beside.Go(func() { lay(k.inner, k.far) })
	beside.Go(func() { lay(k.far, k.inner) })
	return k
}

func (k *cable) mute() { k.once.Do(func() { close(k.muted) }) }

func (k *cable) leadsTo(c *cluster, node string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conns[node][0].LocalAddr().String() == k.inner.RemoteAddr().String()
}
