package auth

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/alexedwards/scs/v2"

	"lockstep/web/account"
)

// Keys uses up opening keys. Consume returns account.ErrKeyRefused for a key
// that opens nothing, and nil to exactly one caller for one that does.
type Keys interface {
	Consume(ctx context.Context, digest account.KeyDigest, now time.Time) error
}

// Config is what a Gate rests on.
type Config struct {
	Keys     Keys
	Sessions scs.CtxStore
	Now      func() time.Time
	Port     int                                             // of the console; part of the cookie's name
	TLS      bool                                            // whether pages are served over TLS
	Fail     func(http.ResponseWriter, *http.Request, error) // answers when sessions cannot be read or saved
}

// Gate lets visitors in and keeps track of who is in. It is safe for
// concurrent use.
type Gate struct {
	keys     Keys
	sessions *scs.SessionManager
	now      func() time.Time
}

// openedAt is what a session holds: when it was opened, in Unix seconds.
const openedAt = "opened"

// cookieName is the name of the session cookie. Cookies know no ports, so the
// name does: two consoles on one machine must not log each other out. Under
// TLS it has the prefix that makes browsers insist on Secure, Path=/ and no
// Domain.
func cookieName(port int, tls bool) string {
	name := "lockstep_session_" + strconv.Itoa(port)
	if tls {
		return "__Host-" + name
	}
	return name
}

// New makes a gate.
func New(c Config) *Gate {
	// Not scs.New: it starts a goroutine for a store of its own and offers no
	// way to end it.
	sessions := &scs.SessionManager{
		Store:     c.Sessions,
		Codec:     scs.GobCodec{},
		Lifetime:  account.SessionLifetime,
		ErrorFunc: c.Fail,
		Cookie: scs.SessionCookie{
			Name:     cookieName(c.Port, c.TLS),
			Path:     "/",
			HttpOnly: true,
			Persist:  true,
			// Lax, not Strict: a link from a chat must find its reader logged in.
			SameSite: http.SameSiteLaxMode,
			Secure:   c.TLS,
		},
	}
	return &Gate{c.Keys, sessions, c.Now}
}

// loaded marks the context of a request behind Sessions.
type loaded struct{}

// Sessions makes the visitor's session known to next, and saves what next
// changes.
func (g *Gate) Sessions(next http.Handler) http.Handler {
	return g.sessions.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), loaded{}, true)))
	}))
}

// Has reports whether the visitor has a session. For a request that has not
// come through Sessions the answer is no.
func (g *Gate) Has(ctx context.Context) bool {
	return ctx.Value(loaded{}) != nil && g.sessions.Exists(ctx, openedAt)
}

// Open uses the key up and gives the visitor a session. A key that opens
// nothing yields account.ErrKeyRefused.
func (g *Gate) Open(ctx context.Context, key string) error {
	digest, err := account.ParseKey(key)
	if err != nil {
		return err
	}
	now := g.now()
	if err := g.keys.Consume(ctx, digest, now); err != nil {
		return err
	}
	// A new token, so that one planted beforehand is worth nothing.
	if err := g.sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session token: %w", err)
	}
	g.sessions.Put(ctx, openedAt, now.Unix())
	return nil
}

// Close ends the visitor's session. The request must have come through
// Sessions.
func (g *Gate) Close(ctx context.Context) error {
	if err := g.sessions.Destroy(ctx); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}
