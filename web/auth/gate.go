package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"lockstep/web/account"
)

// Keys uses up opening keys. Consume returns account.ErrKeyRefused for a key
// that opens nothing, and nil to exactly one caller for one that does.
type Keys interface {
	Consume(ctx context.Context, digest account.KeyDigest, now time.Time) error
}

// Users finds accounts. The error for a name without one is
// account.ErrNoUser.
type Users interface {
	Find(ctx context.Context, name string) (account.User, error)
}

// Tokens finds the api token of a secret. The error for a secret that opens
// nothing is account.ErrTokenRefused.
type Tokens interface {
	Authenticate(ctx context.Context, secret string, now time.Time) (account.Token, error)
}

// Config is what a Gate rests on. Users, Passwords and Tokens may be nil where
// there are none; everything else is needed.
type Config struct {
	Keys      Keys
	Users     Users
	Passwords *account.Passwords // with Users
	Tokens    Tokens
	Sessions  Sessions
	From      func(context.Context) string // the network address that a request comes from; nil for not known
	Now       func() time.Time
	Port      int                                             // of the console; part of the cookie's name
	TLS       bool                                            // whether pages are served over TLS
	Fail      func(http.ResponseWriter, *http.Request, error) // answers when sessions cannot be read or saved
}

// Gate lets visitors in and keeps track of who is in. It is safe for
// concurrent use.
type Gate struct {
	keys      Keys
	users     Users
	passwords *account.Passwords
	tokens    Tokens
	kept      Sessions
	sessions  *scs.SessionManager
	from      func(context.Context) string
	now       func() time.Time
	fail      func(http.ResponseWriter, *http.Request, error)

	mu      sync.Mutex    // owns changed
	changed chan struct{} // closed when a session may have ended, and replaced
}

// What a session holds.
const (
	openedAt   = "opened" // when it was opened, in Unix seconds
	openedBy   = "user"   // name of the account; absent in a session that a key has opened
	openedFor  = "epoch"  // of the account when it was opened
	openedFrom = "from"   // the network address that it was opened from
)

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
	if c.From == nil {
		c.From = func(context.Context) string { return "" }
	}
	return &Gate{
		keys: c.Keys, users: c.Users, passwords: c.Passwords, tokens: c.Tokens, kept: c.Sessions, sessions: sessions, from: c.From, now: c.Now, fail: c.Fail,
		changed: make(chan struct{}),
	}
}

// visit is who asks, in the context of a request behind Sessions. It belongs
// to the goroutine of the request.
type visit struct {
	actor  account.Actor
	in     bool
	bearer bool // came with a token of its own, good or not; has no session
	// still reports whether whoever asks is still in; nil for somebody who came
	// in by this very request, or is not in.
	still func(context.Context) (bool, error)
}

type visitKey struct{}

func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// Sessions makes known to next who asks, and saves what next changes in their
// session. A request with a bearer token is that token's alone: cookies are
// neither read nor set.
func (g *Gate) Sessions(next http.Handler) http.Handler {
	serve := func(w http.ResponseWriter, r *http.Request, v *visit) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitKey{}, v)))
	}
	bySession := g.sessions.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		actor, in, err := g.inSession(r.Context())
		if err != nil {
			g.fail(w, r, err)
			return
		}
		v := &visit{actor: actor, in: in}
		if token := g.sessions.Token(r.Context()); in {
			v.still = func(ctx context.Context) (bool, error) { return g.stillOpen(ctx, token) }
		}
		serve(w, r, v)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Authorization")
		secret, brought := bearer(r)
		if !brought {
			bySession.ServeHTTP(w, r)
			return
		}
		actor, err := g.byToken(r.Context(), secret)
		if err != nil && !errors.Is(err, account.ErrTokenRefused) {
			g.fail(w, r, err)
			return
		}
		serve(w, r, &visit{actor: actor, in: err == nil, bearer: true, still: func(ctx context.Context) (bool, error) {
			_, err := g.byToken(ctx, secret)
			if errors.Is(err, account.ErrTokenRefused) {
				return false, nil
			}
			return true, err
		}})
	})
}

// From returns who asks. For a request that has not come through Sessions the
// answer is nobody.
func From(ctx context.Context) (account.Actor, bool) {
	if v := visitOf(ctx); v != nil && v.in {
		return v.actor, true
	}
	return account.Actor{}, false
}

// ByBearer reports whether the request came with a token of its own, good or
// not.
func ByBearer(ctx context.Context) bool {
	v := visitOf(ctx)
	return v != nil && v.bearer
}

// Has reports whether somebody is in. For a request that has not come through
// Sessions the answer is no.
func (g *Gate) Has(ctx context.Context) bool {
	_, in := From(ctx)
	return in
}

// inSession returns who the loaded session belongs to. One whose account is
// gone, or has got another epoch since, belongs to nobody.
func (g *Gate) inSession(ctx context.Context) (actor account.Actor, in bool, err error) {
	if !g.sessions.Exists(ctx, openedAt) {
		return actor, false, nil
	}
	return g.holder(ctx, g.sessions.GetString(ctx, openedBy), g.sessions.GetString(ctx, openedFor))
}

// holder returns who has a session of an account, opened in an epoch of it.
func (g *Gate) holder(ctx context.Context, name, epoch string) (actor account.Actor, in bool, err error) {
	if name == "" {
		return account.Actor{Role: account.Admin, Via: account.ByKey}, true, nil
	}
	if g.users == nil {
		return actor, false, nil
	}
	user, err := g.users.Find(ctx, name)
	if errors.Is(err, account.ErrNoUser) {
		return actor, false, nil
	}
	if err != nil {
		return actor, false, fmt.Errorf("look up who asks: %w", err)
	}
	if user.Epoch != epoch {
		return actor, false, nil
	}
	return actorOf(user), true, nil
}

func actorOf(u account.User) account.Actor {
	return account.Actor{Name: u.Name, Role: u.Role, Via: account.ByPassword}
}
