package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"time"
)

// ConsoleName is the name in the certificate of every console's agent
// listener. Addresses change, and the pin is what tells consoles apart.
const ConsoleName = "console.lockstep.internal"

// protocolName is the application protocol in the handshake (ALPN): a browser
// that ends up here is told so by TLS itself.
const protocolName = "lockstep-agent"

// ErrImpostor says that whoever answers is not the console with the pin.
var ErrImpostor = errors.New("whoever answers is not the console that the pin names")

// ServerTLS is the configuration of a console's agent listener. It asks for a
// client certificate and takes the handshake as proof that the other end holds
// its key; whether the certificate counts is for the caller to decide, since a
// handshake cannot say why it does not.
func ServerTLS(certificate func() (*tls.Certificate, error)) *tls.Config {
	return &tls.Config{
		MinVersion:             tls.VersionTLS13,
		NextProtos:             []string{protocolName},
		ClientAuth:             tls.RequestClientCert,
		SessionTicketsDisabled: true, // every connection shows its certificate
		GetCertificate:         func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return certificate() },
	}
}

// ClientTLS is the configuration of an agent that believes the console with
// that pin and no other. A nil certificate is for joining.
func ClientTLS(pin Pin, certificate *tls.Certificate, now func() time.Time) *tls.Config {
	config := &tls.Config{
		MinVersion: tls.VersionTLS13,
		NextProtos: []string{protocolName},
		ServerName: ConsoleName,
		Time:       now,
		// No public authority vouches for a console: the check is ours, below,
		// and just as strict.
		InsecureSkipVerify: true,
		VerifyConnection:   func(state tls.ConnectionState) error { return verifyConsole(state, pin, now()) },
	}
	if certificate != nil {
		config.Certificates = []tls.Certificate{*certificate}
	}
	return config
}

// verifyConsole checks that a chain leads from a server's certificate for
// ConsoleName to the authority with the pin.
func verifyConsole(state tls.ConnectionState, pin Pin, now time.Time) error {
	authority := AuthorityIn(state, pin)
	if authority == nil {
		shown := state.PeerCertificates[0] // a server that shows none fails the handshake
		return fmt.Errorf("%w (it shows a certificate of %.64q, by %.64q)", ErrImpostor, shown.Subject.CommonName, shown.Issuer.CommonName)
	}
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{
		Roots: roots, DNSName: ConsoleName, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	var invalid x509.CertificateInvalidError
	if errors.As(err, &invalid) && invalid.Reason == x509.Expired {
		return fmt.Errorf("the console's certificate does not count at this hour: %w; compare the clocks of both machines", err)
	}
	if err != nil {
		return fmt.Errorf("%w: %v", ErrImpostor, err)
	}
	return nil
}

// AuthorityIn finds the certificate with the pin in what the server sent; nil
// if it is not there.
func AuthorityIn(state tls.ConnectionState, pin Pin) *x509.Certificate {
	for _, c := range state.PeerCertificates {
		if c.IsCA && PinOf(c) == pin {
			return c
		}
	}
	return nil
}
