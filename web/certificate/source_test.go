package certificate

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestSelfSignedIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	needed := []string{"console.example.com", "192.0.2.7"}
	first, err := SelfSigned(dir, needed, []string{"node-a", "::1", "node-a"}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	leaf := first.Leaf()
	for _, name := range append(needed, "node-a", "::1") {
		if err := leaf.VerifyHostname(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if leaf.IsCA || first.Trusted() {
		t.Errorf("authority %t, trusted %t; want neither", leaf.IsCA, first.Trusted())
	}
	if runtime.GOOS != "windows" {
		if at, err := os.Stat(filepath.Join(dir, SelfSignedKeyFile)); err != nil || at.Mode().Perm() != 0o600 {
			t.Errorf("the key is kept as %v, %v", at.Mode(), err)
		}
	}
	again, err := SelfSigned(dir, needed[:1], []string{"node-b"}, quiet())
	if err != nil || again.Fingerprint() != first.Fingerprint() {
		t.Errorf("the second start shows %s, %v; the first %s", again.Fingerprint(), err, first.Fingerprint())
	}
	other, err := SelfSigned(dir, []string{"elsewhere.example.com"}, nil, quiet())
	if err != nil || other.Fingerprint() == first.Fingerprint() || other.Leaf().VerifyHostname("elsewhere.example.com") != nil {
		t.Errorf("for a name that it does not hold: %v", err)
	}
}

func TestSelfSignedIsRenewedNearItsEnd(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(renewBefore - lifetime - time.Hour)
	if err := writePair(filepath.Join(dir, SelfSignedFile), filepath.Join(dir, SelfSignedKeyFile), []string{"a"}, old); err != nil {
		t.Fatal(err)
	}
	s, err := SelfSigned(dir, []string{"a"}, nil, quiet())
	if err != nil || s.Leaf().NotBefore.Before(time.Now().Add(-24*time.Hour)) {
		t.Errorf("begins %v, %v", s.Leaf().NotBefore, err)
	}
}

func TestSelfSignedOutlivesACutBetweenItsFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := SelfSigned(dir, []string{"a"}, nil, quiet()); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if _, err := SelfSigned(other, []string{"a"}, nil, quiet()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(other, SelfSignedKeyFile), filepath.Join(dir, SelfSignedKeyFile)); err != nil {
		t.Fatal(err)
	}
	if s, err := SelfSigned(dir, []string{"a"}, nil, quiet()); err != nil || s.Leaf() == nil {
		t.Errorf("a pair that does not fit: %v", err)
	}
}

func TestFingerprintIsThatOfTheCertificate(t *testing.T) {
	s, err := SelfSigned(t.TempDir(), []string{"a"}, nil, quiet())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Fingerprint(); len(got) != 95 || strings.Count(got, ":") != 31 || strings.ToUpper(got) != got {
		t.Errorf("fingerprint %q", got)
	}
}

// signed writes a certificate that another one vouches for.
func signed(t *testing.T, dir, name string, until time.Time) (certFile, keyFile string) {
	t.Helper()
	root, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "root"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, NotBefore: until.Add(-time.Hour), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, leaf, authority, &key.PublicKey, root)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(dir, "a.crt"), filepath.Join(dir, "a.key")
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certFile, keyFile
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := signed(t, dir, "a.example.com", time.Now().Add(time.Hour))
	s, err := Load(certFile, keyFile, quiet())
	if err != nil || !s.Trusted() {
		t.Fatalf("trusted %t, %v", err == nil && s.Trusted(), err)
	}
	if _, err := Load(filepath.Join(dir, "none.crt"), keyFile, quiet()); err == nil || !strings.Contains(err.Error(), "none.crt: no such file") {
		t.Errorf("no file: %v", err)
	}
	if _, err := Load(keyFile, certFile, quiet()); err == nil || !strings.Contains(err.Error(), "are no certificate with its key") {
		t.Errorf("the wrong way round: %v", err)
	}
	certFile, keyFile = signed(t, dir, "a.example.com", time.Now().Add(-time.Hour))
	if _, err := Load(certFile, keyFile, quiet()); err == nil || !strings.Contains(err.Error(), "has expired on") {
		t.Errorf("expired: %v", err)
	}
}

func TestARenewedCertificateIsShown(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := signed(t, dir, "old.example.com", time.Now().Add(time.Hour))
	var log bytes.Buffer
	s, err := Load(certFile, keyFile, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	clock := time.Now()
	s.now = func() time.Time { return clock }
	shown := func() string {
		clock = clock.Add(lookAgain)
		pair, err := s.Config().GetCertificate(&tls.ClientHelloInfo{})
		if err != nil {
			t.Fatal(err)
		}
		return pair.Leaf.Subject.CommonName
	}
	if got := shown(); got != "old.example.com" {
		t.Fatalf("shows %s", got)
	}
	// Half-way through a renewal the files do not belong together.
	if err := os.WriteFile(keyFile, []byte("half a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != "old.example.com" || !strings.Contains(log.String(), "the one before it goes on") {
		t.Errorf("shows %s with a broken key; log %q", got, &log)
	}
	signed(t, dir, "new.example.com", time.Now().Add(time.Hour))
	if got := shown(); got != "new.example.com" {
		t.Errorf("shows %s after the renewal", got)
	}
	if err := os.Remove(certFile); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != "new.example.com" {
		t.Errorf("shows %s without a file", got)
	}
}
