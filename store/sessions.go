package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lockstep/web/account"
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

// FindCtx returns the content of an unexpired session, and notes roughly when
// it was used.
func (s *Sessions) FindCtx(ctx context.Context, token string) (content []byte, found bool, err error) {
	id, now := account.SessionIDOf(token), s.now()
	var seen sql.NullInt64
	err = s.store.read.QueryRowContext(ctx, `SELECT content, seen_ms FROM sessions WHERE digest = ? AND expires_ms > ?`,
		id[:], now.UnixMilli()).Scan(&content, &seen)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("find session: %w", err)
	}
	if seen.Valid && now.Sub(fromMillis(seen.Int64)) < useStep {
		return content, true, nil
	}
	if _, err := s.store.write.ExecContext(ctx, `UPDATE sessions SET seen_ms = ? WHERE digest = ?`, now.UnixMilli(), id[:]); err != nil {
		return nil, false, fmt.Errorf("note use of session %s: %w", id.Short(), err)
	}
	return content, true, nil
}

// Kept returns the sessions that have not expired, those used last first, at
// most limit of them.
func (s *Sessions) Kept(ctx context.Context, limit int) ([]account.KeptSession, error) {
	rows, err := s.store.read.QueryContext(ctx, `SELECT digest, content, seen_ms, expires_ms FROM sessions
		WHERE expires_ms > ? ORDER BY seen_ms DESC, expires_ms DESC, digest LIMIT ?`, s.now().UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer rows.Close()
	var kept []account.KeptSession
	for rows.Next() {
		var one account.KeptSession
		var digest []byte
		var seen sql.NullInt64
		var expires int64
		if err := rows.Scan(&digest, &one.Content, &seen, &expires); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		one.ID, one.Expires = account.SessionID(digest), fromMillis(expires)
		if seen.Valid {
			one.Seen = fromMillis(seen.Int64)
		}
		kept = append(kept, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return kept, nil
}

// End ends a session and returns what it was. The error is
// account.ErrNoSession where it is not open.
func (s *Sessions) End(ctx context.Context, id account.SessionID) (account.KeptSession, error) {
	ended := account.KeptSession{ID: id}
	var seen sql.NullInt64
	var expires int64
	err := s.store.write.QueryRowContext(ctx, `DELETE FROM sessions WHERE digest = ? AND expires_ms > ? RETURNING content, seen_ms, expires_ms`,
		id[:], s.now().UnixMilli()).Scan(&ended.Content, &seen, &expires)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ended, fmt.Errorf("end session %s: %w", id.Short(), account.ErrNoSession)
	case err != nil:
		return ended, fmt.Errorf("end session %s: %w", id.Short(), err)
	}
	ended.Expires = fromMillis(expires)
	if seen.Valid {
		ended.Seen = fromMillis(seen.Int64)
	}
	return ended, nil
}

// CommitCtx keeps the session until expiry, replacing what it held, and
// forgets sessions that have expired.
func (s *Sessions) CommitCtx(ctx context.Context, token string, content []byte, expiry time.Time) error {
	id, now := account.SessionIDOf(token), s.now().UnixMilli()
	tx, err := s.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("commit session: %w", err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE expires_ms <= ?`, now); err != nil {
		return fmt.Errorf("forget expired sessions: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO sessions (digest, content, expires_ms, seen_ms) VALUES (?, ?, ?, ?)
		ON CONFLICT (digest) DO UPDATE SET content = excluded.content, expires_ms = excluded.expires_ms, seen_ms = excluded.seen_ms`,
		id[:], content, expiry.UnixMilli(), now); err != nil {
		return fmt.Errorf("commit session: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit session: %w", err)
	}
	return nil
}

// DeleteCtx ends the session; ending one that does not exist is no error.
func (s *Sessions) DeleteCtx(ctx context.Context, token string) error {
	id := account.SessionIDOf(token)
	if _, err := s.store.write.ExecContext(ctx, `DELETE FROM sessions WHERE digest = ?`, id[:]); err != nil {
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
