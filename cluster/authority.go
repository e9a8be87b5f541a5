package cluster

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// The files of an Authority in the data folder.
const (
	AuthorityCertificate = "ca.crt"
	AuthorityKey         = "ca.key"
)

const (
	// nodeLifetime is how long a node's certificate counts: a stolen one is of
	// use for a day, and an agent that renews at half of it may be cut off for
	// half a day.
	nodeLifetime = 24 * time.Hour
	// serverLifetime is that of the listener's own certificate, which is made
	// anew in memory.
	serverLifetime = 24 * time.Hour
	// authorityLifetime is long, for agents know a console by this key: a new
	// one means that every node joins anew.
	authorityLifetime = 20 * 365 * 24 * time.Hour
	// clockSkew is how far a node's clock may be behind the console's.
	clockSkew = time.Hour
)

// Authority is a console's own certificate authority: the only one that its
// agent listener and its nodes believe. It is safe for concurrent use.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// OpenAuthority reads the authority in the data folder dir, making it where
// there is none. Any number of processes may do so at the same time and get the
// same one. The folder must exist.
func OpenAuthority(dir string) (_ *Authority, err error) {
	lock := flock.New(filepath.Join(dir, "ca.lock"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, errors.Join(fmt.Errorf("wait for another process to make the certificate authority: %w", err), lock.Close())
	}
	defer func() { err = errors.Join(err, lock.Close()) }()

	key, err := openKey(filepath.Join(dir, AuthorityKey), filepath.Join(dir, AuthorityCertificate))
	if err != nil {
		return nil, err
	}
	certificate, err := wire.ReadCertificate(filepath.Join(dir, AuthorityCertificate))
	if errors.Is(err, fs.ErrNotExist) {
		// Perhaps a power cut came between key and certificate. A certificate
		// made later for the same key is the same authority: the pin is the key's.
		certificate, err = makeAuthority(key, filepath.Join(dir, AuthorityCertificate), time.Now())
	}
	if err != nil {
		return nil, fmt.Errorf("open certificate authority: %w", err)
	}
	if !key.PublicKey.Equal(certificate.PublicKey) {
		return nil, fmt.Errorf("open certificate authority: %s and %s in %s do not belong together; restore both from the same backup, "+
			"or remove both and let every node join anew", AuthorityKey, AuthorityCertificate, dir)
	}
	return &Authority{certificate, key}, nil
}

// openKey reads the authority's key, making it where there is neither key nor
// certificate.
func openKey(path, certificate string) (*ecdsa.PrivateKey, error) {
	key, err := wire.ReadKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			err = fmt.Errorf("open certificate authority: %w", err)
		}
		return key, err
	}
	if _, err := wire.ReadCertificate(certificate); err == nil {
		return nil, fmt.Errorf("open certificate authority: %s is there without its key %s; restore the key from a backup, "+
			"or remove the certificate and let every node join anew", certificate, path)
	}
	if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, fmt.Errorf("make certificate authority: %w", err)
	}
	if err := wire.WriteKey(path, key); err != nil {
		return nil, fmt.Errorf("make certificate authority: %w", err)
	}
	return key, nil
}

func makeAuthority(key *ecdsa.PrivateKey, path string, now time.Time) (*x509.Certificate, error) {
	der, err := sign(&x509.Certificate{
		Subject:               pkix.Name{CommonName: "Lockstep console"},
		NotBefore:             now.Add(-clockSkew),
		NotAfter:              now.Add(authorityLifetime),
		KeyUsage:              x509.KeyUsageCertSign,
		BasicConstraintsValid: true, IsCA: true, MaxPathLenZero: true,
	}, nil, key.Public(), key)
	if err != nil {
		return nil, err
	}
	if err := wire.WriteCertificate(path, der); err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// sign fills in a random serial number and signs; without a parent the
// certificate is its own.
func sign(template, parent *x509.Certificate, public crypto.PublicKey, key *ecdsa.PrivateKey) ([]byte, error) {
	serial := make([]byte, 16)
	rand.Read(serial)                 // never fails
	serial[0] = serial[0]&0x3f | 0x40 // positive, and always as many digits
	template.SerialNumber = new(big.Int).SetBytes(serial)
	if parent == nil {
		parent = template
	}
	return x509.CreateCertificate(rand.Reader, template, parent, public, key)
}

// Pin is what agents know the console by: the authority's public key, hashed.
func (a *Authority) Pin() wire.Pin { return wire.PinOf(a.certificate) }

// serverCertificate makes a certificate for the agent listener, for a key of
// its own.
func (a *Authority) serverCertificate(now time.Time) (chain [][]byte, key *ecdsa.PrivateKey, err error) {
	if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, nil, err
	}
	der, err := sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: wire.ConsoleName},
		DNSNames:    []string{wire.ConsoleName},
		NotBefore:   now.Add(-clockSkew),
		NotAfter:    now.Add(serverLifetime),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.certificate, key.Public(), a.key)
	if err != nil {
		return nil, nil, err
	}
	return [][]byte{der, a.certificate.Raw}, key, nil
}

// certified is a certificate that was issued to a node.
type certified struct {
	inventory.Admission
	der []byte
}

// issue certifies the key of a request as that of the node with that name.
// Nothing else of the request counts.
func (a *Authority) issue(request *x509.CertificateRequest, name string, now time.Time) (certified, error) {
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		NotBefore:   now.Add(-clockSkew).UTC().Truncate(time.Second),
		NotAfter:    now.Add(nodeLifetime).UTC().Truncate(time.Second),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := sign(template, a.certificate, request.PublicKey, a.key)
	if err != nil {
		return certified{}, fmt.Errorf("certify node %s: %w", name, err)
	}
	return certified{inventory.Admission{Serial: serialOf(template), Expires: template.NotAfter}, der}, nil
}

// parseRequest reads a certificate request whose sender holds its key.
func parseRequest(der []byte) (*x509.CertificateRequest, error) {
	request, err := x509.ParseCertificateRequest(der)
	if err != nil {
		return nil, fmt.Errorf("read certificate request: %w", err)
	}
	key, ok := request.PublicKey.(*ecdsa.PublicKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, errors.New("read certificate request: its key is of another kind; accepted: ECDSA on P-256")
	}
	if err := request.CheckSignature(); err != nil {
		return nil, fmt.Errorf("read certificate request: %w", err)
	}
	return request, nil
}

// errStranger says that a certificate is not of this authority.
var errStranger = errors.New("certificate is not of this console")

// check verifies that a node's certificate was issued here; an expired one
// yields an x509.CertificateInvalidError. Whether it was revoked is not seen
// from it.
func (a *Authority) check(certificate *x509.Certificate, now time.Time) error {
	roots := x509.NewCertPool()
	roots.AddCert(a.certificate)
	_, err := certificate.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	var invalid x509.CertificateInvalidError
	if errors.As(err, &invalid) && invalid.Reason == x509.Expired {
		// Verify looks at the dates first: only one that we signed may learn
		// that it has expired.
		if certificate.CheckSignatureFrom(a.certificate) == nil {
			return invalid
		}
	}
	if err != nil {
		return errStranger
	}
	return nil
}

func serialOf(certificate *x509.Certificate) string {
	return hex.EncodeToString(certificate.SerialNumber.Bytes())
}
