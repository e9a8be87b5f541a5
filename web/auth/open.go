package auth

import (
	"context"
	"errors"
	"fmt"

	"lockstep/web/account"
)

// Open uses the key up and gives the visitor a session, which may do
// everything. A key that opens nothing yields account.ErrKeyRefused, and so does
// any for a request with a token of its own. The request must have come through
// Sessions.
func (g *Gate) Open(ctx context.Context, key string) error {
	digest, err := account.ParseKey(key)
	if err != nil {
		return err
	}
	if ByBearer(ctx) { // who has no session to open; the key stays good
		return account.ErrKeyRefused
	}
	if err := g.keys.Consume(ctx, digest, g.now()); err != nil {
		return err
	}
	return g.begin(ctx, account.Actor{Role: account.Admin, Via: account.ByKey}, "")
}

// LogIn gives the visitor a session for a name and its password. Where they do
// not belong together it fails with account.ErrLoginRefused, and takes as long
// whether there is such an account or not. The request must have come through
// Sessions.
func (g *Gate) LogIn(ctx context.Context, name, password string) error {
	if ByBearer(ctx) {
		return account.ErrLoginRefused
	}
	user, err := g.verify(ctx, name, password)
	if err != nil {
		return err
	}
	return g.begin(ctx, actorOf(user), user.Epoch)
}

// Verify reports whether a person who is in knows the password of their
// account: nil, or as LogIn fails.
func (g *Gate) Verify(ctx context.Context, password string) error {
	actor, in := From(ctx)
	if !in || actor.Via != account.ByPassword {
		return account.ErrLoginRefused
	}
	_, err := g.verify(ctx, actor.Name, password)
	return err
}

func (g *Gate) verify(ctx context.Context, name, password string) (account.User, error) {
	if g.users == nil {
		return account.User{}, account.ErrLoginRefused
	}
	var user account.User
	name, err := account.ParseName(name)
	if err == nil {
		user, err = g.users.Find(ctx, name)
	}
	if err != nil && !errors.Is(err, account.ErrName) && !errors.Is(err, account.ErrNoUser) {
		return account.User{}, err
	}
	matches, err := g.passwords.Matches(ctx, user.Hash, password)
	switch {
	case err != nil:
		return account.User{}, fmt.Errorf("compare password: %w", err)
	case !matches:
		return account.User{}, account.ErrLoginRefused
	}
	return user, nil
}

// Adopt binds the visitor's session to a new epoch of their own account, so
// that it outlives a change which ends the others.
func (g *Gate) Adopt(ctx context.Context, epoch string) error {
	actor, in := From(ctx)
	if !in || actor.Via != account.ByPassword {
		return nil
	}
	return g.begin(ctx, actor, epoch)
}

// begin gives the visitor a session of the actor.
func (g *Gate) begin(ctx context.Context, actor account.Actor, epoch string) error {
	// A new token, so that one planted beforehand is worth nothing.
	if err := g.sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session token: %w", err)
	}
	g.sessions.Put(ctx, openedAt, g.now().Unix())
	g.sessions.Put(ctx, openedFrom, g.from(ctx))
	if actor.Name == "" {
		g.sessions.Remove(ctx, openedBy)
		g.sessions.Remove(ctx, openedFor)
	} else {
		g.sessions.Put(ctx, openedBy, actor.Name)
		g.sessions.Put(ctx, openedFor, epoch)
	}
	if v := visitOf(ctx); v != nil {
		v.actor, v.in, v.still = actor, true, nil
	}
	return nil
}

// Close ends the visitor's session. The request must have come through
// Sessions; one with a token of its own has none to end.
func (g *Gate) Close(ctx context.Context) error {
	v := visitOf(ctx)
	if v != nil && v.bearer {
		return nil
	}
	if err := g.sessions.Destroy(ctx); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	if v != nil {
		*v = visit{}
	}
	g.Recheck()
	return nil
}
