package wire

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Pin is the SHA-256 of the public key (SPKI) of a console's certificate
// authority. Whoever has it over a trusted path knows the console.
type Pin [sha256.Size]byte

// PinOf returns the pin of a certificate's key.
func PinOf(certificate *x509.Certificate) Pin {
	return sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
}

// String is the pin as it stands in tokens: base64url.
func (p Pin) String() string { return base64.RawURLEncoding.EncodeToString(p[:]) }

// ParsePin reads what String writes.
func ParsePin(text string) (Pin, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != sha256.Size {
		return Pin{}, fmt.Errorf("pin %q is not one; accepted: %d characters of base64url", text, base64.RawURLEncoding.EncodedLen(sha256.Size))
	}
	return Pin(raw), nil
}

// Token lets one node join: a secret that the console knows, and the pin by
// which the node knows the console.
type Token struct {
	Secret string
	Pin    Pin
}

// maxSecret bounds a secret; those of consoles are far shorter.
const maxSecret = 256

// String is the token as a person carries it: one word that no shell touches.
// It is a secret; do not log it.
func (t Token) String() string { return t.Secret + "." + t.Pin.String() }

// ParseToken reads a token, whatever blanks and line ends are round it. Its
// errors do not repeat it.
func ParseToken(text string) (Token, error) {
	const accepted = "accepted: the one word that console token create --kind join prints last"
	text = strings.TrimSpace(text)
	if text == "" {
		return Token{}, errors.New("join token is empty; " + accepted)
	}
	secret, pin, found := cutLast(text, '.')
	if !found {
		return Token{}, errors.New("join token has no console's pin in it (perhaps it is an API token, or cut short); " + accepted)
	}
	parsed, err := ParsePin(pin)
	if err != nil {
		return Token{}, errors.New("join token ends in no console's pin (perhaps it was cut short); " + accepted)
	}
	if !secretLike(secret) {
		return Token{}, errors.New("join token holds what no secret does; " + accepted)
	}
	return Token{secret, parsed}, nil
}

func cutLast(text string, at byte) (before, after string, found bool) {
	if i := strings.LastIndexByte(text, at); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return "", "", false
}

// secretLike reports whether text could be a secret: printable, one word.
func secretLike(text string) bool {
	if text == "" || len(text) > maxSecret {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}
