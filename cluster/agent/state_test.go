package agent

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/wire"
)

// authority makes one, and a certificate by it for a node's key.
func authority(t *testing.T, name string, key *ecdsa.PrivateKey, expires time.Time) (ca *x509.Certificate, certificate []byte) {
	t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotAfter: expires}
	der, err := x509.CreateCertificate(rand.Reader, template, template, own.Public(), own)
	if err != nil {
		t.Fatal(err)
	}
	if ca, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	certificate, err = x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotBefore: expires.Add(-25 * time.Hour), NotAfter: expires,
	}, ca, key.Public(), own)
	if err != nil {
		t.Fatal(err)
	}
	return ca, certificate
}

func open(t *testing.T, dir string) *state {
	t.Helper()
	s, err := openState(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close() })
	return s
}

func TestStateIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	now := time.Now()
	s := open(t, dir)
	if s.admitted("gpu-a", now) {
		t.Error("an empty folder lets the node in")
	}
	ca, der := authority(t, "gpu-a", s.key, now.Add(time.Hour))
	if err := s.keep(der, ca); err != nil {
		t.Fatal(err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	if !again.admitted("gpu-a", now) || again.pin() != wire.PinOf(ca) || !again.key.Equal(s.key) {
		t.Error("the certificate, its authority or the key was lost")
	}
	if again.admitted("gpu-b", now) || again.admitted("gpu-a", now.Add(time.Hour)) {
		t.Error("the certificate counts for another name or after its end")
	}
	for file, want := range map[string]os.FileMode{keyFile: 0o600, ".": os.ModeDir | 0o700} {
		if at, err := os.Stat(filepath.Join(dir, file)); err != nil || at.Mode() != want {
			t.Errorf("%s: mode %v, %v; want %v", file, at.Mode(), err, want)
		}
	}
}

func TestCertificateThatFitsNothingDoesNotCount(t *testing.T) {
	now := time.Now()
	for name, spoil := range map[string]func(t *testing.T, s *state) error{
		"no authority": func(_ *testing.T, s *state) error { return os.Remove(s.path(authorityFile)) },
		"another authority": func(t *testing.T, s *state) error {
			other, _ := authority(t, "gpu-a", s.key, now.Add(time.Hour))
			return wire.WriteCertificate(s.path(authorityFile), other.Raw)
		},
		"another key": func(_ *testing.T, s *state) error { return os.Remove(s.path(keyFile)) },
	} {
		dir := t.TempDir()
		s := open(t, dir)
		ca, der := authority(t, "gpu-a", s.key, now.Add(time.Hour))
		if err := s.keep(der, ca); err != nil {
			t.Fatal(err)
		}
		if err := spoil(t, s); err != nil {
			t.Fatal(err)
		}
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		if open(t, dir).admitted("gpu-a", now) {
			t.Errorf("%s: the certificate counts", name)
		}
	}
}

func TestKeepTakesOnlyItsOwn(t *testing.T) {
	s := open(t, t.TempDir())
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ca, foreign := authority(t, "gpu-a", other, time.Now().Add(time.Hour))
	stranger, _ := authority(t, "gpu-a", s.key, time.Now().Add(time.Hour))
	_, own := authority(t, "gpu-a", s.key, time.Now().Add(time.Hour))
	for name, test := range map[string]struct {
		der []byte
		ca  *x509.Certificate
	}{"another key": {foreign, ca}, "another authority": {own, stranger}, "nonsense": {[]byte("x"), ca}} {
		if err := s.keep(test.der, test.ca); err == nil {
			t.Errorf("%s: kept", name)
		}
	}
	if s.certificate != nil {
		t.Error("a certificate that was refused counts")
	}
}

func TestFolderOfOthersIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	s, err := openState(dir)
	if err == nil {
		s.close()
	}
	if err == nil || !strings.Contains(err.Error(), "chmod go-w") {
		t.Errorf("a folder that others can write to: %v", err)
	}
}
