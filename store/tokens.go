package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lockstep/web/account"
)

// Tokens saves tokens of programs and nodes.
type Tokens struct{ store *Store }

// Tokens returns the tokens of the store.
func (s *Store) Tokens() Tokens { return Tokens{s} }

const (
	// deadTokens is how long a token that opens nothing any more is still
	// listed.
	deadTokens = 30 * 24 * time.Hour
	// useStep is how exactly it is known when an api token was last used: a
	// write for each request would be many.
	useStep = time.Minute
)

const tokenColumns = `id, kind, role, label, digest, created_by, created_ms, expires_ms, coalesce(used_ms, 0), coalesce(revoked_ms, 0)`

// scanToken reads the tokenColumns of a row.
func scanToken(row interface{ Scan(...any) error }) (account.Token, error) {
	var t account.Token
	var digest []byte
	var created, expires, used, revoked int64
	err := row.Scan(&t.ID, &t.Kind, &t.Role, &t.Label, &digest, &t.By, &created, &expires, &used, &revoked)
	copy(t.Digest[:], digest)
	t.Created, t.Expires, t.Used, t.Revoked = fromMillis(created), fromMillis(expires), fromMillis(used), fromMillis(revoked)
	return t, err
}

// Add keeps a token, and forgets those that had long opened nothing when it
// was made.
func (k Tokens) Add(ctx context.Context, t account.Token) error {
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("add token: %w", err)
	}
	defer tx.Rollback()
	old := t.Created.Add(-deadTokens).UnixMilli()
	if _, err := tx.ExecContext(ctx, `DELETE FROM tokens WHERE expires_ms <= ? OR revoked_ms <= ? OR (kind = 'join' AND used_ms <= ?)`, old, old, old); err != nil {
		return fmt.Errorf("forget old tokens: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO tokens (id, kind, role, label, digest, created_by, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		t.ID, t.Kind, t.Role, t.Label, t.Digest[:], t.By, t.Created.UnixMilli(), t.Expires.UnixMilli()); err != nil {
		return fmt.Errorf("add token: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("add token: %w", err)
	}
	return nil
}

// List returns all tokens, the one made last first.
func (k Tokens) List(ctx context.Context) ([]account.Token, error) {
	rows, err := k.store.read.QueryContext(ctx, `SELECT `+tokenColumns+` FROM tokens ORDER BY created_ms DESC, id`)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	defer rows.Close()
	var tokens []account.Token
	for rows.Next() {
		t, err := scanToken(rows)
		if err != nil {
			return nil, fmt.Errorf("list tokens: %w", err)
		}
		tokens = append(tokens, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	return tokens, nil
}

// Revoke makes a token open nothing from now on; one that was revoked before
// stays so. The error is account.ErrNoToken where there is none.
func (k Tokens) Revoke(ctx context.Context, id string, now time.Time) (account.Token, error) {
	t, err := scanToken(k.store.write.QueryRowContext(ctx,
		`UPDATE tokens SET revoked_ms = coalesce(revoked_ms, ?) WHERE id = ? RETURNING `+tokenColumns, now.UnixMilli(), id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return t, fmt.Errorf("revoke token %q: %w", id, account.ErrNoToken)
	case err != nil:
		return t, fmt.Errorf("revoke token %s: %w", id, err)
	}
	return t, nil
}

// Redeem uses a join token up, or checks an api token, and returns what the
// token is called. Of any number of callers with the same join token, in any
// number of processes, exactly one gets nil; the others, and whoever brings a
// secret that opens nothing, get account.ErrTokenRefused.
func (k Tokens) Redeem(ctx context.Context, kind, secret string, now time.Time) (name string, err error) {
	if account.TokenKind(kind) == account.APIToken {
		t, err := k.Authenticate(ctx, secret, now)
		return t.Name(), err
	}
	digest, err := account.ParseToken(account.TokenKind(kind), secret)
	if err != nil {
		return "", err
	}
	t, err := scanToken(k.store.write.QueryRowContext(ctx, `UPDATE tokens SET used_ms = ?
		WHERE digest = ? AND kind = ? AND expires_ms > ? AND used_ms IS NULL AND revoked_ms IS NULL RETURNING `+tokenColumns,
		now.UnixMilli(), digest[:], kind, now.UnixMilli()))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", account.ErrTokenRefused
	case err != nil:
		return "", fmt.Errorf("redeem %s token: %w", kind, err)
	}
	return t.Name(), nil
}

// Redeemed returns what the join token of a secret that was used up is called,
// unless it has been revoked since: then, as for any other secret, the error is
// account.ErrTokenRefused.
func (k Tokens) Redeemed(ctx context.Context, secret string) (name string, err error) {
	digest, err := account.ParseToken(account.JoinToken, secret)
	if err != nil {
		return "", err
	}
	t, err := scanToken(k.store.read.QueryRowContext(ctx, `SELECT `+tokenColumns+` FROM tokens
		WHERE digest = ? AND kind = 'join' AND used_ms IS NOT NULL AND revoked_ms IS NULL`, digest[:]))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", account.ErrTokenRefused
	case err != nil:
		return "", fmt.Errorf("find used join token: %w", err)
	}
	return t.Name(), nil
}

// Authenticate returns the api token of a secret, and notes roughly when it
// was used. A secret that opens nothing gets account.ErrTokenRefused.
func (k Tokens) Authenticate(ctx context.Context, secret string, now time.Time) (account.Token, error) {
	digest, err := account.ParseToken(account.APIToken, secret)
	if err != nil {
		return account.Token{}, err
	}
	t, err := scanToken(k.store.read.QueryRowContext(ctx, `SELECT `+tokenColumns+` FROM tokens
		WHERE digest = ? AND kind = 'api' AND expires_ms > ? AND revoked_ms IS NULL`, digest[:], now.UnixMilli()))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return account.Token{}, account.ErrTokenRefused
	case err != nil:
		return account.Token{}, fmt.Errorf("find api token: %w", err)
	}
	if now.Sub(t.Used) < useStep {
		return t, nil
	}
	if _, err := k.store.write.ExecContext(ctx, `UPDATE tokens SET used_ms = ? WHERE id = ?`, now.UnixMilli(), t.ID); err != nil {
		return account.Token{}, fmt.Errorf("note use of token %s: %w", t.ID, err)
	}
	return t, nil
}
