package agent

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"

	"lockstep/cluster/wire"
)

// The files of a state folder.
const (
	CertificateFile = "node.crt" // there once a console has let the node in
	keyFile         = "node.key"
	authorityFile   = "console-ca.crt"
	lockFile        = "agent.lock"
)

// state is an open state folder. One goroutine at a time uses it.
type state struct {
	dir  string
	lock *flock.Flock
	key  *ecdsa.PrivateKey

	certificate *x509.Certificate // nil for none that belongs to the key and the authority
	authority   *x509.Certificate
}

// openState opens the folder, making it (0700) and the key where there are
// none.
func openState(dir string) (_ *state, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make state folder: %w", err)
	}
	at, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("open state folder: %w", err)
	}
	if runtime.GOOS != "windows" && at.Mode().Perm()&0o022 != 0 {
		return nil, fmt.Errorf("open state folder %s: other users can write to it (mode %#o); run: chmod go-w %s", dir, at.Mode().Perm(), dir)
	}
	s := &state{dir: dir, lock: flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o600))}
	locked, err := s.lock.TryLock()
	if err == nil && !locked {
		err = errors.New("another agent uses it; a second agent on this machine needs a --name and a --state of its own")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open state folder %s: %w", dir, err), s.lock.Close())
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("open state folder %s: %w", dir, err), s.lock.Close())
	}
	return s, nil
}

func (s *state) load() (err error) {
	s.key, err = wire.ReadKey(s.path(keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		if s.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err == nil {
			err = wire.WriteKey(s.path(keyFile), s.key)
		}
	}
	if err != nil {
		return err
	}
	if s.authority, err = absent(wire.ReadCertificate(s.path(authorityFile))); err != nil {
		return err
	}
	if s.certificate, err = absent(wire.ReadCertificate(s.path(CertificateFile))); err != nil {
		return err
	}
	// A power cut between the files leaves a certificate that fits neither.
	if s.certificate != nil && (s.authority == nil || s.certificate.CheckSignatureFrom(s.authority) != nil || !s.key.PublicKey.Equal(s.certificate.PublicKey)) {
		s.certificate = nil
	}
	return nil
}

// absent makes nothing of a file that is not there.
func absent(c *x509.Certificate, err error) (*x509.Certificate, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return c, err
}

func (s *state) path(name string) string { return filepath.Join(s.dir, name) }

func (s *state) close() error { return s.lock.Close() }

// pin returns that of the console that the node belongs to.
func (s *state) pin() wire.Pin { return wire.PinOf(s.authority) }

// knows reports whether the console with that pin has let this node in before,
// however long ago.
func (s *state) knows(pin wire.Pin) bool { return s.authority != nil && s.pin() == pin }

// admitted reports whether there is a certificate for that name that counts.
func (s *state) admitted(name string, now time.Time) bool {
	return s.certificate != nil && s.certificate.Subject.CommonName == name && now.Before(s.certificate.NotAfter)
}

// keep saves a certificate for the node's key that an authority has signed.
func (s *state) keep(der []byte, authority *x509.Certificate) error {
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return fmt.Errorf("read certificate from the console: %w", err)
	}
	if !s.key.PublicKey.Equal(certificate.PublicKey) {
		return errors.New("read certificate from the console: it is for another key")
	}
	if err := certificate.CheckSignatureFrom(authority); err != nil {
		return fmt.Errorf("read certificate from the console: %w", err)
	}
	if err := wire.WriteCertificate(s.path(authorityFile), authority.Raw); err != nil {
		return err
	}
	if err := wire.WriteCertificate(s.path(CertificateFile), der); err != nil {
		return err
	}
	s.certificate, s.authority = certificate, authority
	return nil
}

// tls returns the certificate for handshakes.
func (s *state) tls() *tls.Certificate {
	return &tls.Certificate{Certificate: [][]byte{s.certificate.Raw}, PrivateKey: s.key, Leaf: s.certificate}
}

// request asks for a certificate for the key (PKCS #10, DER).
func (s *state) request(name string) ([]byte, error) {
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: name}}, s.key)
	if err != nil {
		return nil, fmt.Errorf("make certificate request: %w", err)
	}
	return der, nil
}

// halfLife is when the certificate should be renewed.
func (s *state) halfLife() time.Time {
	life := s.certificate.NotAfter.Sub(s.certificate.NotBefore)
	return s.certificate.NotBefore.Add(life / 2)
}
