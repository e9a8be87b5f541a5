package cluster_test

import (
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// heard is what an agent has logged.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
}

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(b)
}

func (h *heard) says(words string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Contains(h.text.String(), words)
}

// web listens where it is no console at all, but answers as a web server does.
func web(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var answering sync.WaitGroup
	answering.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadAtLeast(conn, make([]byte, 4096), 1)
			_, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
			_ = conn.Close()
		}
	})
	t.Cleanup(func() {
		listener.Close()
		answering.Wait()
	})
	return listener.Addr().String()
}

// A node that was let in outlasts whatever has its console's address for a
// while, and says what it sees there; so does its agent when it is started
// meanwhile.
func TestAdmittedNodeOutlastsWhoeverElseAnswers(t *testing.T) {
	s, other := newSite(t), newSite(t)
	c := s.serve(t)
	relay := relayTo(t, c.address)
	seen := map[string]string{web(t): `not in TLS (\"HTTP/\")`, other.serve(t).address: `certificate of \"` + wire.ConsoleName + `\"`}
	cfg := s.agentConfig(t, c, "gpu-a")
	cfg.Console, cfg.Token = relay.address, s.token("once")
	log := &heard{}
	cfg.Log = slog.New(slog.NewTextHandler(log, nil))
	n := start(t, cfg)
	n.waitAdmitted(t)
	c.stop()
	for address, words := range seen {
		relay.aim(address)
		eventually(t, "the agent to say "+words, func() (struct{}, bool) { return struct{}{}, log.says(words) })
	}
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	cfg.Token = wire.Token{}
	log = &heard{}
	cfg.Log = slog.New(slog.NewTextHandler(log, nil))
	start(t, cfg)
	for address, words := range seen {
		relay.aim(address)
		eventually(t, "the agent that was started anew to say "+words, func() (struct{}, bool) { return struct{}{}, log.says(words) })
	}
	again := s.serve(t)
	relay.aim(again.address)
	again.waitFor(t, "gpu-a", inventory.Ready)
}

// A node that has never been let in does not wait for a console that may not be
// there.
func TestFirstJoinEndsAtTheWrongAddress(t *testing.T) {
	s := newSite(t)
	cfg := s.agentConfig(t, &console{address: web(t)}, "gpu-a")
	cfg.Token = s.token("once")
	if err := start(t, cfg).waitEnd(t); err == nil || !strings.Contains(err.Error(), "not in TLS") {
		t.Errorf("an agent that joins a web server: %v", err)
	}
}
