package account

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/secure/precis"
)

// Limits of a password, in characters. There are no rules about kinds of
// characters: length is what counts (NIST SP 800-63B).
const (
	MinPassword = 12
	MaxPassword = 256
	// minDifferent keeps out a key that somebody leans on.
	minDifferent = 5
)

// What is wrong with a password.
var (
	ErrPasswordShort  = fmt.Errorf("password is too short; accepted are %d to %d characters", MinPassword, MaxPassword)
	ErrPasswordLong   = fmt.Errorf("password is too long; accepted are %d to %d characters", MinPassword, MaxPassword)
	ErrPasswordSimple = fmt.Errorf("password is too simple: it is made of fewer than %d different characters", minDifferent)
	ErrPasswordIsName = errors.New("password is the name of the account; choose another")
	ErrPasswordText   = errors.New("password holds characters that cannot be typed everywhere, such as control characters")
	// ErrBusy says that more passwords wait to be compared than are worth
	// waiting for.
	ErrBusy = errors.New("too many passwords are being compared at once; try again in a few seconds")
)

// normalPassword is the password as it is compared: two keyboards may compose
// the same character differently (OpaqueString of RFC 8265).
func normalPassword(password string) (string, error) {
	if len(password) > utf8.UTFMax*MaxPassword {
		return "", ErrPasswordLong
	}
	normal, err := precis.OpaqueString.String(password)
	if err != nil || !utf8.ValidString(password) {
		return "", ErrPasswordText
	}
	return normal, nil
}

// CheckPassword says what is wrong with a password that somebody chooses for
// an account, as one of the ErrPassword errors, or nil.
func CheckPassword(name, password string) error {
	if utf8.RuneCountInString(password) < MinPassword {
		return ErrPasswordShort
	}
	normal, err := normalPassword(password)
	if err != nil {
		return err
	}
	different := map[rune]bool{}
	for _, r := range normal {
		different[r] = true
	}
	switch folded, err := ParseName(normal); {
	case utf8.RuneCountInString(normal) > MaxPassword:
		return ErrPasswordLong
	case len(different) < minDifferent:
		return ErrPasswordSimple
	case err == nil && folded == name:
		return ErrPasswordIsName
	}
	return nil
}

// hashing is what OWASP asks of argon2id: 19 MiB, two passes, one lane.
var hashing = argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const (
	// hashesAtOnce bounds the memory of hashing: 19 MiB each.
	hashesAtOnce = 4
	// hashesWaiting is how many more may wait for their turn. At some 30 ms
	// each the last one waits for a second or two.
	hashesWaiting = 200
)

// Passwords hashes and compares passwords with argon2id, a few at once. It is
// safe for concurrent use.
type Passwords struct {
	waiting chan struct{} // one entry for each caller inside
	working chan struct{} // one entry for each hash in the making
	decoy   string        // the hash that the password of nobody is compared with
}

// NewPasswords makes one. A process needs one only: each brings its own bound
// on memory.
func NewPasswords() (*Passwords, error) {
	decoy, err := argon2id.CreateHash(NewEpoch(), &hashing)
	if err != nil {
		return nil, fmt.Errorf("hash decoy: %w", err)
	}
	return &Passwords{
		waiting: make(chan struct{}, hashesAtOnce+hashesWaiting),
		working: make(chan struct{}, hashesAtOnce),
		decoy:   decoy,
	}, nil
}

// Hash returns the hash to keep of a password, in the format of the reference
// implementation. It fails with ErrBusy, or when ctx ends before its turn.
func (p *Passwords) Hash(ctx context.Context, password string) (hash string, err error) {
	normal, err := normalPassword(password)
	if err != nil {
		return "", err
	}
	err = p.inTurn(ctx, func() error {
		hash, err = argon2id.CreateHash(normal, &hashing)
		return err
	})
	return hash, err
}

// Matches reports whether the password belongs to the hash. An empty hash,
// which is that of nobody, matches nothing and takes as long as any other, so
// that time does not tell which accounts exist. It fails as Hash does.
func (p *Passwords) Matches(ctx context.Context, hash, password string) (matches bool, err error) {
	normal, wrong := normalPassword(password)
	nobody := hash == "" || wrong != nil
	if nobody {
		hash, normal = p.decoy, ""
	}
	err = p.inTurn(ctx, func() error {
		matches, err = argon2id.ComparePasswordAndHash(normal, hash)
		return err
	})
	return matches && !nobody && err == nil, err
}

// inTurn calls work when it is its turn.
func (p *Passwords) inTurn(ctx context.Context, work func() error) error {
	select {
	case p.waiting <- struct{}{}:
		defer func() { <-p.waiting }()
	default:
		return ErrBusy
	}
	select {
	case p.working <- struct{}{}:
		defer func() { <-p.working }()
	case <-ctx.Done():
		return fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
	return work()
}
