package report

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"
)

// Share lets whoever has its secret read one version of a report, and nothing
// else. The secret itself is kept nowhere.
type Share struct {
	ID      string // names it in lists; it is no secret
	Digest  ShareDigest
	Report  string
	Version int
	Lang    string // that it opens in
	By      string // who made it
	Created time.Time
	Expires time.Time
	Revoked time.Time // zero for not
}

// ShareDigest is what is kept of a secret: its SHA-256.
type ShareDigest [sha256.Size]byte

// How long a share opens its report, unless something else is asked for, and
// the longest that may be asked for.
const (
	UsualShare   = 30 * 24 * time.Hour
	LongestShare = 365 * 24 * time.Hour
)

// Errors of shares.
var (
	ErrShareUnknown = errors.New("no such link to a report")
	ErrShareGone    = errors.New("the link to a report has expired or was revoked")
)

// secretBytes make a secret of 128 bits.
const secretBytes = 16

// NewShare makes a share of a saved report and the secret that opens it.
func NewShare(r Report, lang, by string, now time.Time, lifetime time.Duration) (s Share, secret string) {
	var bits [secretBytes]byte
	_, _ = rand.Read(bits[:]) // never fails
	secret = base64.RawURLEncoding.EncodeToString(bits[:])
	digest := sha256.Sum256([]byte(secret))
	return Share{
		ID: hex.EncodeToString(digest[:4]), Digest: digest, Report: r.ID, Version: r.Version, Lang: lang, By: by,
		Created: now, Expires: now.Add(min(max(lifetime, 0), LongestShare)),
	}, secret
}

// ParseShare returns the digest of what may be a secret. The error for what
// cannot be one is ErrShareUnknown.
func ParseShare(secret string) (ShareDigest, error) {
	bits, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	if err != nil || len(bits) != secretBytes {
		return ShareDigest{}, ErrShareUnknown
	}
	return sha256.Sum256([]byte(secret)), nil
}

// Opens returns nil if the share opens its report at the given moment, else
// ErrShareGone.
func (s Share) Opens(now time.Time) error {
	if !s.Revoked.IsZero() || !now.Before(s.Expires) {
		return ErrShareGone
	}
	return nil
}
