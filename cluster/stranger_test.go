package cluster_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"lockstep/cluster"
	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// greeting is a well-formed one to join with.
func greeting(t *testing.T, secret, name string) wire.Greeting {
	t.Helper()
	return wire.Greeting{Protocol: wire.Protocol, Build: "test", Join: &wire.Join{Secret: secret, Name: name, Request: request(t, newKey(t))}}
}

func TestStrangersLearnNothing(t *testing.T) {
	s, other := newSite(t), newSite(t)
	c := s.serve(t)
	s.join(t, c, "gpu-a")
	foreign := other.serve(t)
	alien := other.join(t, foreign, "gpu-a") // a node of the same name, elsewhere
	for name, test := range map[string]struct {
		certificate *tls.Certificate
		greeting    wire.Greeting
		want        wire.Code
		says        string
	}{
		"no certificate":         {nil, wire.Greeting{Protocol: wire.Protocol}, wire.NoAdmission, "--token-file"},
		"another console's":      {certificateIn(t, alien.config.State), wire.Greeting{Protocol: wire.Protocol}, wire.NoAdmission, "another console"},
		"another version":        {nil, wire.Greeting{Protocol: wire.Protocol + 1}, wire.BadProtocol, "install the same version on both"},
		"a guessed secret":       {nil, greeting(t, "guess", "gpu-b"), wire.BadToken, "unknown, used, expired or revoked"},
		"a guess at a name":      {nil, greeting(t, "guess", "gpu-a"), wire.BadToken, "unknown, used, expired or revoked"},
		"a name that is none":    {nil, greeting(t, "guess", "../a"), wire.BadName, `"../a" is no name`},
		"a request that is none": {nil, wire.Greeting{Protocol: wire.Protocol, Join: &wire.Join{Secret: "x", Name: "b", Request: []byte("junk")}}, wire.BadRequest, "certificate request"},
	} {
		_, err := ask(t, dial(t, s, c, test.certificate), test.greeting)
		if refused(err) != test.want || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v; want a refusal about %s that says %q", name, err, test.want, test.says)
		}
	}
	cases := map[string]bool{}
	for _, e := range s.events.list()[1:] {
		if e.Refused == "" || e.Why == "" {
			t.Errorf("event of a stranger: %+v", e)
		}
		cases[e.Why] = true
	}
	for _, why := range []string{wire.CaseNone, wire.CaseForeign, string(wire.BadToken), string(wire.BadName)} {
		if !cases[why] {
			t.Errorf("nobody was refused for %q: %v", why, cases)
		}
	}
}

func TestRequestProvesItsKey(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	g := greeting(t, s.tokens.add("once"), "gpu-a")
	g.Join.Request[len(g.Join.Request)-1] ^= 1 // in the signature
	if _, err := ask(t, dial(t, s, c, nil), g); refused(err) != wire.BadRequest {
		t.Errorf("request with a signature that is wrong: %v", err)
	}
	if len(c.List()) != 0 {
		t.Errorf("nodes: %+v", c.List())
	}
}

func TestServerCertificateIsNoNodes(t *testing.T) {
	// A node must not be able to play the console for another one.
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{*withAuthority(t, n.config.State)}})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.Copy(io.Discard, conn) // shakes hands first
	}()
	_, err = tls.Dial("tcp", listener.Addr().String(), wire.ClientTLS(s.authority.Pin(), nil, s.clock.Now))
	if !errors.Is(err, wire.ErrImpostor) {
		t.Errorf("an agent speaks with a node as if it were the console: %v", err)
	}
	listener.Close()
	<-accepted
}

func TestGuessingIsSlowedDown(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	var last wire.Code
	for range 11 {
		_, err := ask(t, dial(t, s, c, nil), greeting(t, "guess", "gpu-a"))
		last = refused(err)
	}
	if last != wire.TooMany {
		t.Errorf("the eleventh guess is refused for %q", last)
	}
	if events := s.events.list(); len(events) != 10 {
		t.Errorf("%d guesses were recorded, want 10", len(events))
	}
	// The good one waits too, and is not used up by that.
	secret := s.tokens.add("good")
	if _, err := ask(t, dial(t, s, c, nil), greeting(t, secret, "gpu-a")); refused(err) != wire.TooMany {
		t.Errorf("good token among guesses: %v", err)
	}
	s.clock.pass(time.Minute)
	if _, err := ask(t, dial(t, s, c, nil), greeting(t, secret, "gpu-a")); err != nil {
		t.Errorf("good token, a minute later: %v", err)
	}
}

func TestSilentStrangersKeepNobodyOut(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	idle := make([]net.Conn, 200)
	for i := range idle {
		conn, err := net.Dial("tcp", c.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		idle[i] = conn
	}
	s.join(t, c, "gpu-a")
	c.waitFor(t, "gpu-a", inventory.Ready)
	for i, conn := range idle {
		if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, errTimeout(err)) {
			t.Fatalf("stranger %d was not sent away: %v", i, err)
		}
	}
}

// errTimeout returns err if it is one of waiting for too long.
func errTimeout(err error) error {
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return err
	}
	return fmt.Errorf("not late")
}

func TestStrangerTalksNoLongerThanAllowed(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	for name, words := range map[string]string{
		"HTTP":            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
		"noise":           strings.Repeat("\xff", 4096),
		"half a greeting": "\x16\x03\x01",
	} {
		conn, err := net.Dial("tcp", c.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, words)
		answer, _ := io.ReadAll(conn) // until it is cut
		if strings.Contains(strings.ToLower(string(answer)), "lockstep") {
			t.Errorf("%s: the answer is %q", name, answer)
		}
	}
	// A frame that would be larger than any greeting.
	conn := dial(t, s, c, nil)
	if _, err := conn.Write([]byte{0x7f, 0xff, 0xff, 0xff}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(conn); errors.Is(err, errTimeout(err)) {
		t.Error("a stranger with an endless frame is listened to")
	}
}

func TestNodeOfAnotherNameIsRefused(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	conn := dial(t, s, c, certificateIn(t, n.config.State))
	if err := wire.WriteGreeting(conn, wire.Greeting{Protocol: wire.Protocol}); err != nil {
		t.Fatal(err)
	}
	if err := wire.WriteHello(conn, wire.Hello{Name: "gpu-b"}); err != nil {
		t.Fatal(err)
	}
	if _, err := wire.ReadAnswer(conn); refused(err) != wire.BadName {
		t.Errorf("a node under another name: %v", err)
	}
	if _, err := c.Dial(t.Context(), "gpu-a", "run"); !offline(err) {
		t.Errorf("stream to it: %v", err)
	}
}

func offline(err error) bool {
	var node *cluster.NodeError
	return errors.As(err, &node) && node.Standing == inventory.Offline
}

func TestNodeConnectsOnce(t *testing.T) {
	s := newSite(t)
	c := s.serve(t)
	n := s.join(t, c, "gpu-a")
	conn := dial(t, s, c, certificateIn(t, n.config.State)) // a copy of its state folder elsewhere
	if err := wire.WriteGreeting(conn, wire.Greeting{Protocol: wire.Protocol}); err != nil {
		t.Fatal(err)
	}
	if err := wire.WriteHello(conn, wire.Hello{Name: "gpu-a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := wire.ReadAnswer(conn); refused(err) != wire.Connected {
		t.Errorf("the same node a second time: %v", err)
	}
	c.waitFor(t, "gpu-a", inventory.Ready)
}
