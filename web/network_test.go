package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/web/account"
	"lockstep/web/certificate"
)

// serving answers with h until the test ends, by TLS with secure.
func serving(t *testing.T, secure *tls.Config, h http.Handler) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, listener, secure, h, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

func TestServeSpeaksTLS(t *testing.T) {
	shown, err := certificate.SelfSigned(t.TempDir(), []string{"127.0.0.1"}, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	address := serving(t, shown.Config(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ", r.TLS != nil)
	}))
	roots := x509.NewCertPool()
	roots.AddCert(shown.Leaf())
	ask := func(scheme string, config *tls.Config, two bool) (string, error) {
		transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: two}
		defer transport.CloseIdleConnections()
		answer, err := (&http.Client{Transport: transport, Timeout: time.Minute}).Get(scheme + "://" + address + "/")
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return string(text), err
	}
	for _, c := range []struct {
		name   string
		scheme string
		config *tls.Config
		two    bool
		want   string // "" for a handshake that fails
	}{
		{"HTTP/2", "https", &tls.Config{RootCAs: roots}, true, "HTTP/2.0 true"},
		{"HTTP/1.1, which WebSockets take", "https", &tls.Config{RootCAs: roots}, false, "HTTP/1.1 true"},
		{"TLS 1.2", "https", &tls.Config{RootCAs: roots, MaxVersion: tls.VersionTLS12}, true, "HTTP/2.0 true"},
		{"TLS 1.1", "https", &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, true, ""},
		{"by nobody's word", "https", &tls.Config{}, true, ""},
		{"without TLS", "http", nil, false, "Client sent an HTTP request to an HTTPS server.\n"},
	} {
		got, err := ask(c.scheme, c.config, c.two)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestBrowsersStayWithTLSWhereOthersVouchForIt(t *testing.T) {
	for _, c := range []struct {
		tls, trusted bool
		port         int
		want         bool
	}{{true, true, 443, true}, {true, true, 8443, false}, {true, false, 443, false}, {false, false, 80, false}} {
		console := newConsole(t, func(config *Config) {
			config.Access.TLS, config.Access.Trusted, config.Port = c.tls, c.trusted, c.port
		})
		if got := console.get("/zh/").Header.Get("Strict-Transport-Security"); (got != "") != c.want {
			t.Errorf("TLS %t, trusted %t, port %d: %q", c.tls, c.trusted, c.port, got)
		}
		console.addUser(t, "ada", account.Viewer)
		answer := console.post("/en/login", map[string][]string{"name": {"ada"}, "password": {goodPassword}})
		if len(answer.Cookies()) != 2 {
			t.Errorf("TLS %t: cookies %v", c.tls, answer.Cookies())
		}
		for _, cookie := range answer.Cookies() {
			if cookie.Secure != c.tls || strings.HasPrefix(cookie.Name, "__Host-") != c.tls {
				t.Errorf("TLS %t: cookie %v", c.tls, cookie)
			}
		}
	}
}

func TestHosts(t *testing.T) {
	for _, c := range []struct {
		port   int
		secure bool
		want   string
	}{
		{8443, true, "[a:8443 [::1]:8443]"},
		{443, true, "[a:443 a [::1]:443 [::1]]"},
		{443, false, "[a:443 [::1]:443]"},
		{80, true, "[a:80 [::1]:80]"},
		{80, false, "[a:80 a [::1]:80 [::1]]"},
	} {
		if got := fmt.Sprint(Hosts([]string{"A", "::1"}, c.port, c.secure)); got != c.want {
			t.Errorf("port %d, secure %t: %s, want %s", c.port, c.secure, got, c.want)
		}
	}
}

// offered is a listener whose connections the test makes.
type offered struct {
	conns chan net.Conn
	net.Listener
}

func (o offered) Accept() (net.Conn, error) {
	conn, open := <-o.conns
	if !open {
		return nil, net.ErrClosed
	}
	return conn, nil
}

// comesFrom is one end of a connection, from an address.
type comesFrom struct {
	net.Conn
	address string
}

func (c comesFrom) RemoteAddr() net.Addr {
	at, _ := net.ResolveTCPAddr("tcp", c.address)
	return at
}

func TestConnectionsAreBounded(t *testing.T) {
	conns := make(chan net.Conn, 100)
	b := newBounded(offered{conns: conns}, 5, 2)
	offer := func(address string) (far net.Conn) {
		near, far := net.Pipe()
		conns <- comesFrom{near, address}
		return far
	}
	refused := func(far net.Conn) bool {
		_ = far.SetReadDeadline(time.Now().Add(10 * time.Second))
		_, err := far.Read(make([]byte, 1))
		return errors.Is(err, io.EOF)
	}
	accept := func() net.Conn {
		t.Helper()
		conn, err := b.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	offer("198.51.100.7:1")
	offer("198.51.100.7:2")
	first, second := accept(), accept()
	third := offer("198.51.100.7:3") // one too many of this address
	offer("203.0.113.4:1")           // which keeps nobody else out
	other := accept()
	if got := other.RemoteAddr().String(); got != "203.0.113.4:1" || !refused(third) {
		t.Errorf("accepted %s, and the one before it is not closed", got)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	_ = first.Close() // counts once
	offer("198.51.100.7:4")
	fourth := accept()
	fifth := offer("198.51.100.7:5")
	for i := range 2 { // the machine itself has no bound of its own
		offer(fmt.Sprintf("127.0.0.1:%d", i+1))
		defer accept().Close()
	}
	if !refused(fifth) {
		t.Error("an address has three at a time")
	}
	sixth := offer("203.0.113.5:1") // beyond all
	close(conns)
	if _, err := b.Accept(); !errors.Is(err, net.ErrClosed) || !refused(sixth) {
		t.Errorf("Accept = %v, and the one beyond all is not closed", err)
	}
	for _, conn := range []net.Conn{second, other, fourth} {
		_ = conn.Close()
	}
	if b.open != 2 || len(b.from) != 0 {
		t.Errorf("%d are held to be open, %v by address; want the two of the machine", b.open, b.from)
	}
}

func TestPace(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	p := newPace(func() time.Time { return now }, 3, 2)
	allowed := func(address string, n int) (count int) {
		for range n {
			if p.allow(address) {
				count++
			}
		}
		return count
	}
	if got := allowed("a", 5); got != 3 {
		t.Errorf("%d of 5 at once, want 3", got)
	}
	if got := allowed("b", 5); got != 3 {
		t.Errorf("%d of 5 for somebody else, want 3", got)
	}
	now = now.Add(time.Second)
	if got := allowed("a", 5); got != 2 {
		t.Errorf("%d of 5 after a second, want 2", got)
	}
	now = now.Add(time.Hour)
	if got := allowed("a", 5); got != 3 {
		t.Errorf("%d of 5 after an hour, want 3", got)
	}
	for i := range 3 * maxBuckets {
		p.allow(fmt.Sprint(i))
	}
	if len(p.buckets) > maxBuckets {
		t.Errorf("%d buckets", len(p.buckets))
	}
}

// Whoever hammers the open pages from one address is held up, and nobody else:
// not another address, not whoever is in, not the machine itself.
func TestOpenPagesAreRationed(t *testing.T) {
	now := time.Now()
	c := newConsole(t, func(config *Config) { config.Now = func() time.Time { return now } })
	session := c.enter(t)
	const page = "/zh/learn/all-reduce/ring/steps.json?n=2"
	var group sync.WaitGroup
	var mu sync.Mutex
	served, refused := 0, 0
	for range 4 {
		group.Go(func() {
			for range (openBurst + 100) / 4 {
				answer := c.get(page, from("198.51.100.7"))
				mu.Lock()
				switch answer.StatusCode {
				case http.StatusOK:
					served++
				case http.StatusTooManyRequests:
					refused++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if served != openBurst || refused != 100 {
		t.Errorf("%d served and %d refused, want %d and 100", served, refused, openBurst)
	}
	answer := c.get(page, from("198.51.100.7"))
	wantStatus(t, "hammering", answer, http.StatusTooManyRequests)
	if answer.Header.Get("Retry-After") == "" {
		t.Error("the answer does not say when to try again")
	}
	wantStatus(t, "hammering, in", c.get(page, from("198.51.100.7"), session), http.StatusOK)
	wantStatus(t, "other pages", c.get("/zh/", from("198.51.100.7")), http.StatusOK)
	wantStatus(t, "somebody else", c.get(page, from("198.51.100.8")), http.StatusOK)
	for range 3 {
		wantStatus(t, "the machine itself", c.get(page, from("127.0.0.1")), http.StatusOK)
	}
	now = now.Add(time.Second)
	wantStatus(t, "a second later", c.get(page, from("198.51.100.7")), http.StatusOK)
}
