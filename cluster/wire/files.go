package wire

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// PEM types.
const (
	pemCertificate = "CERTIFICATE"
	pemKey         = "PRIVATE KEY"
)

// maxPEM bounds what is read of a file that should hold one block.
const maxPEM = 64 << 10

// ReadCertificate reads the first certificate of a PEM file.
func ReadCertificate(path string) (*x509.Certificate, error) {
	der, err := readPEM(path, pemCertificate)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read certificate %s: %w", path, err)
	}
	return certificate, nil
}

// ReadKey reads an ECDSA key from a PEM file that only its owner can read.
func ReadKey(path string) (*ecdsa.PrivateKey, error) {
	der, err := readPEM(path, pemKey)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("read key %s: %w", path, err)
	}
	ours, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("read key %s: a key of another kind; accepted: ECDSA", path)
	}
	return ours, nil
}

// WriteCertificate puts a certificate (DER) into a PEM file, which holds either
// all of it or what it held before.
func WriteCertificate(path string, der []byte) error {
	return writePEM(path, pemCertificate, der)
}

// WriteKey does the same with a key.
func WriteKey(path string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("write key %s: %w", path, err)
	}
	return writePEM(path, pemKey, der)
}

func readPEM(path, kind string) ([]byte, error) {
	at, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if at.Size() > maxPEM {
		return nil, fmt.Errorf("read %s: %d bytes; accepted: a PEM file of at most %d", path, at.Size(), maxPEM)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != kind {
		return nil, fmt.Errorf("read %s: no PEM block %q in it", path, kind)
	}
	return block.Bytes, nil
}

// writePEM writes beside the file, for its owner alone, forces it to the disk and
// renames it.
func writePEM(path, kind string, der []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(f.Name()))
		}
	}()
	err = pem.Encode(f, &pem.Block{Type: kind, Bytes: der})
	if err == nil {
		err = f.Chmod(0o600)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
