package cluster_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lockstep/cluster/agent"
	"lockstep/cluster/wire"
)

func hexSerial(c *x509.Certificate) string { return hex.EncodeToString(c.SerialNumber.Bytes()) }

// dial makes a connection to a console by hand.
func dial(t *testing.T, s *site, c *console, certificate *tls.Certificate) *tls.Conn {
	t.Helper()
	conn, err := tls.Dial("tcp", c.address, wire.ClientTLS(s.authority.Pin(), certificate, s.clock.Now))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// ask sends a greeting and returns the answer.
func ask(t *testing.T, conn *tls.Conn, g wire.Greeting) (wire.Answer, error) {
	t.Helper()
	if err := wire.WriteGreeting(conn, g); err != nil {
		t.Fatal(err)
	}
	return wire.ReadAnswer(conn)
}

// request makes a certificate request for a key.
func request(t *testing.T, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// join carries an agent's joining out as far as the console's answer, and
// loses that: what is left is the key in the state folder.
func join(t *testing.T, s *site, c *console, cfg agent.Config) {
	t.Helper()
	key := newKey(t)
	if err := os.MkdirAll(cfg.State, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := wire.WriteKey(filepath.Join(cfg.State, "node.key"), key); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, dial(t, s, c, nil), wire.Greeting{Protocol: wire.Protocol,
		Join: &wire.Join{Secret: cfg.Token.Secret, Name: cfg.Name, Request: request(t, key)}}); err != nil {
		t.Fatal(err)
	}
}

// certificateIn reads what a node in a state folder shows.
func certificateIn(t *testing.T, state string) *tls.Certificate {
	t.Helper()
	key, err := wire.ReadKey(filepath.Join(state, "node.key"))
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := wire.ReadCertificate(filepath.Join(state, "node.crt"))
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{certificate.Raw}, PrivateKey: key}
}

// refused returns what a refusal is about, empty for no refusal.
func refused(err error) wire.Code {
	var refusal *wire.Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}

// withAuthority adds the authority to what a node shows, as a server would.
func withAuthority(t *testing.T, state string) *tls.Certificate {
	t.Helper()
	c := certificateIn(t, state)
	authority, err := wire.ReadCertificate(filepath.Join(state, "console-ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	c.Certificate = append(c.Certificate, authority.Raw)
	return c
}
