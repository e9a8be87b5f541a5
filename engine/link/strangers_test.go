package link

import (
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Strangers that connect and say nothing, or nonsense, neither keep the ranks
// apart nor stay.
func TestStrangersDoNotDisturb(t *testing.T) {
	listeners, addresses := listenAll(t, 3, nil)
	var strangers []net.Conn
	for i := range 300 {
		conn, err := net.Dial("tcp", addresses[i%3])
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			_, _ = conn.Write([]byte(strings.Repeat("GET / HTTP/1.1\r\n", 10)))
		}
		strangers = append(strangers, conn)
	}
	begun := time.Now()
	_, errs := connectAll(t, listeners, addresses)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for i, conn := range strangers {
		if err := conn.SetReadDeadline(begun.Add(3 * proveWithin)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
			t.Fatalf("stranger %d is still connected", i)
		}
	}
	if conn, err := net.Dial("tcp", addresses[0]); err == nil {
		conn.Close()
		t.Error("the listener is still open")
	}
}

// A stranger that stays silent is cut although the edges are not complete.
func TestSilentStrangerIsCut(t *testing.T) {
	listeners, addresses := listenAll(t, 2, func(c *Config) { c.Patience = 2500 * time.Millisecond })
	conn, err := net.Dial("tcp", addresses[0])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var wait sync.WaitGroup
	defer wait.Wait()
	wait.Go(func() { _, _ = listeners[0].Connect(t.Context(), addresses) })
	begun := time.Now()
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("read %v, want the end", err)
	}
	if took := time.Since(begun); took > 2*proveWithin {
		t.Errorf("cut after %v", took)
	}
}

// What a stranger costs while it is listened to: a bounded handshake, of which
// it may have said all but the last byte.
func TestStrangerCostsLittle(t *testing.T) {
	const count = strangers
	listeners, addresses := listenAll(t, 2, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	wait.Go(func() { _, _ = listeners[0].Connect(ctx, addresses) })
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC() // which frees unused stacks, too
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	for range 10 {
		before, goroutines := used(), runtime.NumGoroutine()
		var callers []net.Conn
		for range count {
			conn, err := net.Dial("tcp", addresses[0])
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = conn.Write(make([]byte, helloSize-1))
			callers = append(callers, conn)
		}
		for deadline := time.Now().Add(proveWithin); runtime.NumGoroutine() < goroutines+count && time.Now().Before(deadline); {
			runtime.Gosched()
		}
		after := used()
		// The figure counts if all of them were listened to meanwhile.
		_ = callers[0].SetReadDeadline(time.Now().Add(time.Millisecond))
		if _, err := callers[0].Read(make([]byte, 1)); !isTimeout(err) {
			continue
		}
		each := (int64(after) - int64(before)) / count
		t.Logf("%d bytes each, their own ends included", each)
		if each >= 64<<10 {
			t.Errorf("a stranger costs %d bytes", each)
		}
		return
	}
	t.Skip("the machine is too busy to hold so many at once")
}

// A flood of strangers, each of them replaced by the next, does not keep ranks
// from each other.
func TestFloodDoesNotKeepRanksApart(t *testing.T) {
	listeners, addresses := listenAll(t, 3, func(c *Config) { c.Patience = 30 * time.Second })
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	flooded := make(chan struct{}, 3)
	for i := range 3 {
		wait.Go(func() {
			var open []net.Conn
			defer func() {
				for _, conn := range open {
					conn.Close()
				}
			}()
			for n := 0; ctx.Err() == nil; n++ {
				conn, err := net.DialTimeout("tcp4", addresses[i], 100*time.Millisecond)
				if err == nil {
					open = append(open, conn)
				}
				if len(open) >= 2*strangers { // all that the listener bears, and as many again
					open[0].Close()
					open = open[1:]
				}
				if n == 2*strangers {
					flooded <- struct{}{}
				}
			}
		})
	}
	for range 3 {
		<-flooded
	}
	_, errs := connectAll(t, listeners, addresses)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// An acquaintance is not cut to make room for strangers.
func TestStrangersMakeRoomForEachOther(t *testing.T) {
	c := callers{limit: 2}
	ends := make([]net.Conn, 6)
	for i := range ends {
		near, far := net.Pipe()
		defer far.Close()
		ends[i] = near
	}
	c.add(ends[0])
	if !c.acquaint(ends[0]) {
		t.Fatal("unknown")
	}
	for _, stranger := range ends[1:5] {
		c.add(stranger)
	}
	for i, there := range []bool{true, false, false, true, true, false} {
		if got := c.remove(ends[i]); got != there {
			t.Errorf("caller %d: in the lists %v, want %v", i, got, there)
		}
	}
	if c.acquaint(ends[1]) {
		t.Error("one that has been cut is back")
	}
	c.add(ends[5])
	c.closeAll()
	if _, err := ends[5].Write([]byte{1}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("write: %v, want a closed connection", err)
	}
}
