package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"time"
)

// The files of a certificate that a console has made for itself, in its data
// folder.
const (
	SelfSignedFile    = "console.crt"
	SelfSignedKeyFile = "console.key" // 0600
)

const (
	// lifetime is as long as systems accept of a certificate that a person has
	// decided to trust.
	lifetime = 825 * 24 * time.Hour
	// renewBefore is how long before its end a certificate is made anew at a
	// start.
	renewBefore = 30 * 24 * time.Hour
	// clockSkew is how far a visitor's clock may be behind.
	clockSkew = time.Hour
)

// SelfSigned returns the certificate that the console has made for itself in
// the data folder. It is made where there is none, where its end is near, and
// where it does not hold one of the needed names; it then holds the others too.
// Names are host names and IP addresses. Nobody else may make one in the same
// folder at the same time.
func SelfSigned(dir string, needed, others []string, log *slog.Logger) (*Source, error) {
	certFile, keyFile := filepath.Join(dir, SelfSignedFile), filepath.Join(dir, SelfSignedKeyFile)
	s, err := Load(certFile, keyFile, log)
	if err == nil && covers(s.Leaf(), needed, s.now()) {
		return s, nil
	}
	if err := writePair(certFile, keyFile, append(needed[:len(needed):len(needed)], others...), time.Now()); err != nil {
		return nil, fmt.Errorf("make a certificate in %s: %w", dir, err)
	}
	return Load(certFile, keyFile, log)
}

// covers reports whether a certificate will do for a while longer.
func covers(leaf *x509.Certificate, needed []string, now time.Time) bool {
	for _, name := range needed {
		if leaf.VerifyHostname(name) != nil {
			return false
		}
	}
	return now.Before(leaf.NotAfter.Add(-renewBefore))
}

func writePair(certFile, keyFile string, names []string, now time.Time) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return err
	}
	template := x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "Lockstep console"},
		NotBefore:             now.Add(-clockSkew),
		NotAfter:              now.Add(lifetime),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		if ip, err := netip.ParseAddr(name); err == nil {
			template.IPAddresses = append(template.IPAddresses, ip.WithZone("").AsSlice())
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	// The key first: a cut in between leaves a pair that does not fit, which is
	// made anew at the next start.
	if err := replace(keyFile, "PRIVATE KEY", secret, 0o600); err != nil {
		return err
	}
	return replace(certFile, "CERTIFICATE", der, 0o600)
}

// replace writes a PEM file in one step.
func replace(path, kind string, content []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".certificate-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	err = errors.Join(pem.Encode(f, &pem.Block{Type: kind, Bytes: content}), f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
