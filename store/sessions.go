package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Sessions saves open sessions for the session manager of the web console
// (scs.Store and scs.CtxStore). Tokens are kept as SHA-256 only.
type Sessions struct {
	store *Store
	now   func() time.Time
}

// Sessions returns the sessions of the store; now is the clock that expiry is
// measured by.
func (s *Store) Sessions(now func() time.Time) *Sessions { return &Sessions{s, now} }

// FindCtx returns the content of an unexpired session.
func (s *Sessions) FindCtx(ctx context.Context, token string) (content []byte, found bool, err error) {
	digest := sha256.Sum256([]byte(token))
	err = s.store.read.QueryRowContext(ctx, `SELECT content FROM sessions WHERE digest = ? AND expires_ms > ?`,
		digest[:], s.now().UnixMilli()).Scan(&content)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("find session: %w", err)
	}
	return content, true, nil
}

// CommitCtx keeps the session until expiry, replacing what it held, and
// forgets sessions that have expired.
func (s *Sessions) CommitCtx(ctx context.Context, token string, content []byte, expiry time.Time) error {
	digest := sha256.Sum256([]byte(token))
	tx, err := s.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("commit session: %w", err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE expires_ms <= ?`, s.now().UnixMilli()); err != nil {
		return fmt.Errorf("forget expired sessions: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO sessions (digest, content, expires_ms) VALUES (?, ?, ?)
		ON CONFLICT (digest) DO UPDATE SET content = excluded.content, expires_ms = excluded.expires_ms`,
		digest[:], content, expiry.UnixMilli()); err != nil {
		return fmt.Errorf("commit session: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit session: %w", err)
	}
	return nil
}

// DeleteCtx ends the session; ending one that does not exist is no error.
func (s *Sessions) DeleteCtx(ctx context.Context, token string) error {
	digest := sha256.Sum256([]byte(token))
	if _, err := s.store.write.ExecContext(ctx, `DELETE FROM sessions WHERE digest = ?`, digest[:]); err != nil {
		return fmt.Errorf("delete session: %w", err)
	}
	return nil
}

// Find is FindCtx without a deadline.
func (s *Sessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a deadline.
func (s *Sessions) Commit(token string, content []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, content, expiry)
}

// Delete is DeleteCtx without a deadline.
func (s *Sessions) Delete(token string) error {
	return s.DeleteCtx(context.Background(), token)
}
