package web

import (
	"context"
	"time"

	"lockstep/web/account"
	"lockstep/web/auth"
)

// Users keeps the accounts.
type Users interface {
	auth.Users
	// List returns them by name.
	List(ctx context.Context) ([]account.User, error)
	// Add fails with account.ErrUserExists where the name is taken.
	Add(ctx context.Context, u account.User) error
	// Change replaces what change alters. With needAdmin it fails with
	// account.ErrLastAdmin rather than leave none.
	Change(ctx context.Context, name string, needAdmin bool, change func(*account.User) error) error
	// Remove forgets one; needAdmin as for Change.
	Remove(ctx context.Context, name string, needAdmin bool) error
}

// Tokens keeps the tokens of programs and nodes.
type Tokens interface {
	auth.Tokens
	Add(ctx context.Context, t account.Token) error
	// List returns them, the one made last first.
	List(ctx context.Context) ([]account.Token, error)
	// Revoke fails with account.ErrNoToken where there is none.
	Revoke(ctx context.Context, id string, now time.Time) (account.Token, error)
}

// Audit keeps what was done.
type Audit interface {
	Append(ctx context.Context, e account.AuditEntry) error
	// List returns at most limit entries, newest first.
	List(ctx context.Context, f account.AuditFilter, limit int) ([]account.AuditEntry, error)
}

// Access is who comes in otherwise than by an opening key, and how the console
// is reached. The zero Access is a console on loopback that keys alone open.
type Access struct {
	Users     Users              // nil for no accounts
	Passwords *account.Passwords // with Users
	Tokens    Tokens             // nil for no tokens
	Audit     Audit              // nil for no audit log

	Network bool // other machines reach the console
	TLS     bool // pages are served over TLS
	Trusted bool // by a certificate that others vouch for
}
