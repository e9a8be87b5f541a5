package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"
)

// KeyLifetime is how long an opening key may wait for its use.
const KeyLifetime = 24 * time.Hour

// keyBytes is the entropy of an opening key: 128 bits cannot be guessed at any
// rate that a console can answer.
const keyBytes = 16

// KeyCharacters is the length of a key as text.
const KeyCharacters = (8*keyBytes + 5) / 6

// ErrKeyRefused says that a key opens nothing: it was never issued, has been
// used, or has expired. Which of the three is not told, because the difference
// would only help someone who guesses.
var ErrKeyRefused = errors.New("opening key is unknown, used or expired")

// KeyDigest is what is kept of an opening key: its SHA-256. Whoever reads the
// store learns no key that opens anything. A plain hash is enough, since the
// keys are random: there is no dictionary to try.
type KeyDigest [sha256.Size]byte

// OpeningKey is a permission to open one session, once.
type OpeningKey struct {
	Digest  KeyDigest
	Created time.Time
	Expires time.Time
}

// NewOpeningKey makes a key at the given moment. The text is shown to the
// person once and then forgotten; only the OpeningKey is kept.
func NewOpeningKey(now time.Time) (text string, key OpeningKey) {
	var secret [keyBytes]byte
	_, _ = rand.Read(secret[:]) // documented never to fail: it ends the program instead
	text = base64.RawURLEncoding.EncodeToString(secret[:])
	return text, OpeningKey{
		Digest:  sha256.Sum256(secret[:]),
		Created: now,
		Expires: now.Add(KeyLifetime),
	}
}

// ParseKey returns the digest of a key as a person hands it in. A text that
// cannot be a key is refused with ErrKeyRefused, like a key that opens nothing.
func ParseKey(text string) (KeyDigest, error) {
	secret, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(secret) != keyBytes {
		return KeyDigest{}, ErrKeyRefused
	}
	return sha256.Sum256(secret), nil
}

// ValidAt reports whether the key may still be used.
func (k OpeningKey) ValidAt(now time.Time) bool { return now.Before(k.Expires) }
