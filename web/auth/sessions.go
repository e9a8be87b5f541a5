package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"lockstep/web/account"
)

// Sessions keeps open sessions. The error of End for one that is not open is
// account.ErrNoSession.
type Sessions interface {
	scs.CtxStore
	Kept(ctx context.Context, limit int) ([]account.KeptSession, error)
	End(ctx context.Context, id account.SessionID) (account.KeptSession, error)
}

// ErrOver says that whoever has asked is in no longer: their session has ended,
// or their token counts for nothing any more.
var ErrOver = errors.New("the session has ended")

// Opened returns the open sessions, those used last first: of the newest limit
// those whose account still has them.
func (g *Gate) Opened(ctx context.Context, limit int) ([]account.Session, error) {
	all, err := g.kept.Kept(ctx, limit)
	if err != nil {
		return nil, err
	}
	var opened []account.Session
	for _, k := range all {
		s, in, err := g.read(ctx, k)
		switch {
		case err != nil:
			return nil, err
		case in:
			opened = append(opened, s)
		}
	}
	return opened, nil
}

// End ends a session, whoever's it is, and returns what it was.
func (g *Gate) End(ctx context.Context, id account.SessionID) (account.Session, error) {
	k, err := g.kept.End(ctx, id)
	if err != nil {
		return account.Session{}, err
	}
	g.Recheck()
	s, _, err := g.read(ctx, k)
	return s, err
}

// Own returns the ID of the visitor's session, if they came with one.
func (g *Gate) Own(ctx context.Context) (id account.SessionID, has bool) {
	v := visitOf(ctx)
	if v == nil || !v.in || v.bearer {
		return id, false
	}
	return account.SessionIDOf(g.sessions.Token(ctx)), true
}

// read makes out what a session is, and whether it still counts.
func (g *Gate) read(ctx context.Context, k account.KeptSession) (s account.Session, in bool, err error) {
	_, values, err := g.sessions.Codec.Decode(k.Content)
	if err != nil {
		return s, false, fmt.Errorf("read session %s: %w", k.ID.Short(), err)
	}
	s = account.Session{ID: k.ID, Seen: k.Seen, Expires: k.Expires}
	opened, is := values[openedAt].(int64)
	if !is {
		return s, false, nil
	}
	s.Opened = time.Unix(opened, 0)
	s.From, _ = values[openedFrom].(string)
	name, _ := values[openedBy].(string)
	epoch, _ := values[openedFor].(string)
	s.Actor, in, err = g.holder(ctx, name, epoch)
	if !in { // it was somebody's
		s.Actor.Name = name
	}
	return s, in, err
}

// recheckEvery is how long what another process has ended goes on here.
const recheckEvery = 10 * time.Second

// Recheck has every While look again whether it still holds. Whoever changes an
// account, a token or a session in this process calls it.
func (g *Gate) Recheck() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.changed)
	g.changed = make(chan struct{})
}

// While returns a context that ends with ctx, and with the cause ErrOver when
// whoever asks is in no longer: at once if that is this process's doing. It is
// for what goes on after a request was let in. release frees it.
func (g *Gate) While(ctx context.Context) (_ context.Context, release func()) {
	v := visitOf(ctx)
	inner, cancel := context.WithCancelCause(ctx)
	if v == nil || v.still == nil {
		return inner, func() { cancel(nil) }
	}
	still := v.still
	var watching sync.WaitGroup
	watching.Go(func() {
		ticker := time.NewTicker(recheckEvery)
		defer ticker.Stop()
		for {
			g.mu.Lock()
			changed := g.changed // before looking, so that nothing falls in between
			g.mu.Unlock()
			// A store that cannot tell at the moment ends nobody.
			if in, err := still(inner); err == nil && !in {
				cancel(ErrOver)
			}
			select {
			case <-changed:
			case <-ticker.C:
			case <-inner.Done():
				return
			}
		}
	})
	return inner, func() {
		cancel(nil)
		watching.Wait()
	}
}

// stillOpen reports whether the session with the token of a cookie is open.
func (g *Gate) stillOpen(ctx context.Context, token string) (bool, error) {
	content, found, err := g.kept.FindCtx(ctx, token)
	if err != nil || !found {
		return false, err
	}
	_, in, err := g.read(ctx, account.KeptSession{ID: account.SessionIDOf(token), Content: content})
	return in, err
}
