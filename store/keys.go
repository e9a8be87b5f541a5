package store

import (
	"context"
	"fmt"
	"time"

	"lockstep/web/account"
)

// Keys saves opening keys that nobody has used yet.
type Keys struct{ store *Store }

// Keys returns the opening keys of the store.
func (s *Store) Keys() Keys { return Keys{s} }

// Add keeps a key until it is used or expires, and forgets those that had
// expired when it was made.
func (k Keys) Add(ctx context.Context, key account.OpeningKey) error {
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("add opening key: %w", err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `DELETE FROM opening_keys WHERE expires_ms <= ?`, key.Created.UnixMilli()); err != nil {
		return fmt.Errorf("forget expired opening keys: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO opening_keys (digest, created_ms, expires_ms) VALUES (?, ?, ?)`,
		key.Digest[:], key.Created.UnixMilli(), key.Expires.UnixMilli()); err != nil {
		return fmt.Errorf("add opening key: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("add opening key: %w", err)
	}
	return nil
}

// Consume uses a key up. Of any number of callers with the same key, in any
// number of processes, exactly one gets nil; the others, and whoever brings a
// key that is unknown or expired at now, get account.ErrKeyRefused.
func (k Keys) Consume(ctx context.Context, digest account.KeyDigest, now time.Time) error {
	done, err := k.store.write.ExecContext(ctx, `DELETE FROM opening_keys WHERE digest = ? AND expires_ms > ?`,
		digest[:], now.UnixMilli())
	if err != nil {
		return fmt.Errorf("consume opening key: %w", err)
	}
	consumed, err := done.RowsAffected()
	if err != nil {
		return fmt.Errorf("consume opening key: %w", err)
	}
	if consumed == 0 {
		return account.ErrKeyRefused
	}
	return nil
}
