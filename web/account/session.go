package account

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
)

// SessionLifetime is how long a session lasts, counted from its opening; using
// it does not prolong it. A week covers a course; a fresh key is one command
// away.
const SessionLifetime = 7 * 24 * time.Hour

// ErrNoSession says that there is no open session of that ID.
var ErrNoSession = errors.New("no such session")

// SessionID names an open session in lists: the SHA-256 of what its cookie
// holds, which it does not tell.
type SessionID [sha256.Size]byte

// SessionIDOf returns the ID of the session that a cookie's token opens.
func SessionIDOf(token string) SessionID { return sha256.Sum256([]byte(token)) }

// ParseSessionID reads what String writes. The error of anything else is
// ErrNoSession.
func ParseSessionID(text string) (SessionID, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != sha256.Size {
		return SessionID{}, ErrNoSession
	}
	return SessionID(raw), nil
}

// String is the ID in hexadecimal digits.
func (id SessionID) String() string { return hex.EncodeToString(id[:]) }

// Short is as much of it as tells the sessions of one console apart for people.
func (id SessionID) Short() string { return id.String()[:8] }

// KeptSession is an open session as it is kept.
type KeptSession struct {
	ID      SessionID
	Content []byte    // what the session manager makes of it
	Seen    time.Time // roughly when it was last used; zero for not known
	Expires time.Time
}

// Session is an open session.
type Session struct {
	ID      SessionID
	Actor   Actor     // who has it: a person with an account, or whoever brought a key
	From    string    // network address that it was opened from, without port; empty for not known
	Opened  time.Time // when
	Seen    time.Time // roughly when it was last used; zero for not known
	Expires time.Time
}
