package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// TokenKind is what a token is for.
type TokenKind string

// The kinds of tokens.
const (
	JoinToken TokenKind = "join" // lets one node join, once
	APIToken  TokenKind = "api"  // lets a program use the API until it expires
)

// TokenKinds lists them.
func TokenKinds() []TokenKind { return []TokenKind{JoinToken, APIToken} }

// MaxLabel is how long the label of a token may be, in characters.
const MaxLabel = 80

// Errors of tokens.
var (
	// ErrTokenRefused says that a token opens nothing: it was never issued, is
	// of another kind, has been used, has expired or was revoked. Which of them
	// is not told to whoever brings it.
	ErrTokenRefused  = errors.New("token is unknown, used, expired or revoked")
	ErrNoToken       = errors.New("no such token")
	ErrTokenKind     = errors.New("kind of token is unknown; accepted are join and api")
	ErrTokenRole     = errors.New("a join token has no role; accepted are roles of api tokens only")
	ErrTokenLifetime = errors.New("token cannot be valid for so long")
	ErrLabel         = fmt.Errorf("label cannot be used; accepted are up to %d characters on one line", MaxLabel)
)

// TokenDigest is what is kept of a token: its SHA-256, as of an opening key.
type TokenDigest [sha256.Size]byte

// Token is a permission for a program.
type Token struct {
	ID      string // names it in lists and commands; it is no secret
	Kind    TokenKind
	Role    Role   // of an api token; empty for join
	Label   string // what people call it, may be empty
	Digest  TokenDigest
	By      string // who made it, as Actor.String says
	Created time.Time
	Expires time.Time
	Used    time.Time // join: when it was used up; api: roughly the latest use; zero for never
	Revoked time.Time // zero for not
}

// JoinRetry is how long a join token that was used up still serves the node
// that used it, if that never got its certificate or was refused for something
// that a person can mend.
const JoinRetry = 10 * time.Minute

// Revocable reports whether revoking the token at the given moment can make a
// difference.
func (t Token) Revocable(now time.Time) bool {
	switch t.State(now) {
	case TokenLive:
		return true
	case TokenUsed:
		return now.Sub(t.Used) < JoinRetry
	}
	return false
}

// TokenState is what has become of a token.
type TokenState string

// The states of a token.
const (
	TokenLive    TokenState = "live"
	TokenUsed    TokenState = "used" // join only
	TokenExpired TokenState = "expired"
	TokenRevoked TokenState = "revoked"
)

// State returns what has become of the token at the given moment.
func (t Token) State(now time.Time) TokenState {
	switch {
	case !t.Revoked.IsZero():
		return TokenRevoked
	case t.Kind == JoinToken && !t.Used.IsZero():
		return TokenUsed
	case !now.Before(t.Expires):
		return TokenExpired
	}
	return TokenLive
}

// Name is what the token is called among people: its label, else its ID.
func (t Token) Name() string {
	if t.Label != "" {
		return t.Label
	}
	return t.ID
}

// TokenRequest is what a token is to be.
type TokenRequest struct {
	Kind     TokenKind
	Role     Role          // for api; empty is Viewer
	Label    string        // may be empty
	Lifetime time.Duration // 0 is the kind's own
	By       string
}

// Lifetime is how long a token of the kind is valid unless something else is
// asked for, and the longest that may be asked for.
func (k TokenKind) Lifetime() (usual, longest time.Duration) {
	const day = 24 * time.Hour
	if k == JoinToken {
		return time.Hour, 7 * day
	}
	return 90 * day, 366 * day
}

// shortestLifetime is how long a token is valid at least: one that expires
// before it can be pasted helps nobody.
const shortestLifetime = time.Minute

// NewToken makes a token at the given moment. The text is shown once and then
// forgotten; only the Token is kept. The error wraps ErrTokenKind, ErrTokenRole,
// ErrRole, ErrLabel or ErrTokenLifetime.
func NewToken(q TokenRequest, now time.Time) (text string, t Token, err error) {
	prefix, known := tokenPrefixes[q.Kind]
	if !known {
		return "", t, fmt.Errorf("%q: %w", clip(string(q.Kind)), ErrTokenKind)
	}
	role := q.Role
	switch {
	case q.Kind == JoinToken && role != "":
		return "", t, ErrTokenRole
	case q.Kind == JoinToken:
	case role == "":
		role = Viewer
	default:
		if role, err = ParseRole(string(role)); err != nil {
			return "", t, err
		}
	}
	label := strings.TrimSpace(q.Label)
	if utf8.RuneCountInString(label) > MaxLabel || !utf8.ValidString(label) || strings.ContainsFunc(label, unprintable) {
		return "", t, fmt.Errorf("%q: %w", clip(label), ErrLabel)
	}
	usual, longest := q.Kind.Lifetime()
	lifetime := q.Lifetime
	if lifetime == 0 {
		lifetime = usual
	}
	if lifetime < shortestLifetime || lifetime > longest {
		return "", t, fmt.Errorf("%v: %w; accepted for %s are %v to %v", lifetime, ErrTokenLifetime, q.Kind, shortestLifetime, longest)
	}
	var secret [keyBytes]byte
	_, _ = rand.Read(secret[:]) // documented never to fail: it ends the program instead
	return prefix + base64.RawURLEncoding.EncodeToString(secret[:]), Token{
		ID: strings.ToLower(rand.Text()[:8]), Kind: q.Kind, Role: role, Label: label,
		Digest: sha256.Sum256(secret[:]), By: q.By, Created: now, Expires: now.Add(lifetime),
	}, nil
}

// tokenPrefixes tell tokens from each other and from everything else, for
// people and for programs that look for secrets in public places.
var tokenPrefixes = map[TokenKind]string{JoinToken: "lockstep-join-", APIToken: "lockstep-api-"}

// ParseToken returns the digest of a token of the kind, as somebody hands it
// in. What cannot be one is refused with ErrTokenRefused, like one that opens
// nothing.
func ParseToken(kind TokenKind, text string) (TokenDigest, error) {
	prefix, known := tokenPrefixes[kind]
	encoded, found := strings.CutPrefix(text, prefix)
	if !known || !found {
		return TokenDigest{}, ErrTokenRefused
	}
	secret, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil || len(secret) != keyBytes {
		return TokenDigest{}, ErrTokenRefused
	}
	return sha256.Sum256(secret), nil
}

// unprintable reports whether a character is a control character, or turns the
// direction of writing: a label must look like what it is.
func unprintable(c rune) bool { return unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) }
