package certificate

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
)

// lookAgain is how often the files are looked at, at most: whoever renews a
// certificate does not wait for longer.
const lookAgain = 2 * time.Second

// Source holds a certificate and its key. It is safe for concurrent use.
type Source struct {
	certFile, keyFile string
	log               *slog.Logger
	now               func() time.Time

	mu      sync.Mutex
	current *tls.Certificate // Leaf is set
	stamps  [2]stamp         // of the files that current was read from
	looked  time.Time        // when the files were last looked at
}

// stamp tells the contents of a file apart without reading them.
type stamp struct {
	modified time.Time
	size     int64
}

// Load reads a certificate with its chain and its key, both PEM. From then on
// the files are read again when they have changed; a pair that cannot be used
// is reported to log, and the one before it goes on. The error names the file
// and what is the matter with it.
func Load(certFile, keyFile string, log *slog.Logger) (*Source, error) {
	s := &Source{certFile: certFile, keyFile: keyFile, log: log, now: time.Now}
	stamps, err := s.look()
	if err != nil {
		return nil, err
	}
	if s.current, err = s.read(); err != nil {
		return nil, err
	}
	s.stamps, s.looked = stamps, s.now()
	return s, nil
}

func (s *Source) look() (stamps [2]stamp, err error) {
	for i, file := range []string{s.certFile, s.keyFile} {
		at, err := os.Stat(file) // of what a link leads to: renewing may move the link
		if err != nil {
			return stamps, fmt.Errorf("read %s: %w", file, reason(err))
		}
		stamps[i] = stamp{at.ModTime(), at.Size()}
	}
	return stamps, nil
}

// reason leaves the name of the file out, which the message has already.
func reason(err error) error {
	if at := new(fs.PathError); errors.As(err, &at) {
		return at.Err
	}
	return err
}

func (s *Source) read() (*tls.Certificate, error) {
	certText, err := os.ReadFile(s.certFile)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.certFile, reason(err))
	}
	keyText, err := os.ReadFile(s.keyFile)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.keyFile, reason(err))
	}
	pair, err := tls.X509KeyPair(certText, keyText)
	if err != nil {
		return nil, fmt.Errorf("%s and %s are no certificate with its key: %s; accepted: PEM", s.certFile, s.keyFile, strings.TrimPrefix(err.Error(), "tls: "))
	}
	if pair.Leaf == nil {
		if pair.Leaf, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return nil, fmt.Errorf("read %s: %w", s.certFile, err)
		}
	}
	if now := s.now(); now.After(pair.Leaf.NotAfter) {
		return nil, fmt.Errorf("the certificate in %s has expired on %s", s.certFile, pair.Leaf.NotAfter.Format(time.DateOnly))
	}
	return &pair, nil
}

// certificate returns the one that counts now.
func (s *Source) certificate() *tls.Certificate {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if now.Sub(s.looked) < lookAgain {
		return s.current
	}
	s.looked = now
	stamps, err := s.look()
	if err == nil && stamps == s.stamps {
		return s.current
	}
	var fresh *tls.Certificate
	if err == nil {
		fresh, err = s.read()
	}
	if err != nil {
		// Renewing replaces one file after the other, so this may be over at the
		// next look; stamps stay as they were.
		s.log.Warn("read the renewed certificate; the one before it goes on", "error", err)
		return s.current
	}
	s.stamps = stamps
	if !bytes.Equal(fresh.Leaf.Raw, s.current.Leaf.Raw) {
		s.log.Info("certificate renewed", "expires", fresh.Leaf.NotAfter.Format(time.DateOnly))
	}
	s.current = fresh
	return s.current
}

// Config returns the settings of a listener that shows the certificate: TLS
// 1.2 at least, and otherwise what Go holds to be right.
func (s *Source) Config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.certificate(), nil },
	}
}

// Leaf returns the certificate itself.
func (s *Source) Leaf() *x509.Certificate { return s.certificate().Leaf }

// Trusted reports whether others vouch for the certificate: it has not signed
// itself.
func (s *Source) Trusted() bool {
	leaf := s.Leaf()
	return !bytes.Equal(leaf.RawIssuer, leaf.RawSubject) || leaf.CheckSignature(leaf.SignatureAlgorithm, leaf.RawTBSCertificate, leaf.Signature) != nil
}

// Fingerprint returns the SHA-256 of the certificate, as browsers and openssl
// print it: pairs of hexadecimal digits with colons between them.
func (s *Source) Fingerprint() string {
	digest := sha256.Sum256(s.Leaf().Raw)
	pairs := make([]string, len(digest))
	for i, b := range digest {
		pairs[i] = fmt.Sprintf("%02X", b)
	}
	return strings.Join(pairs, ":")
}
