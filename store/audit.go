package store

import (
	"context"
	"fmt"
	"strings"

	"lockstep/web/account"
)

// keptAudit is how many entries of the audit log are kept.
const keptAudit = 50_000

// Audit saves what was done and by whom.
type Audit struct{ store *Store }

// Audit returns the audit log of the store.
func (s *Store) Audit() Audit { return Audit{s} }

// Append adds an entry and drops the oldest beyond those that are kept. Texts
// that are too long are cut.
func (k Audit) Append(ctx context.Context, e account.AuditEntry) error {
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	defer tx.Rollback()
	done, err := tx.ExecContext(ctx, `INSERT INTO audit (at_ms, who, via, from_addr, action, target, outcome, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		e.At.UnixMilli(), auditText(e.Who), e.Via, auditText(e.From), e.Action, auditText(e.Target), e.Outcome, auditText(e.Detail))
	if err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	id, err := done.LastInsertId()
	if err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM audit WHERE id <= ?`, id-keptAudit); err != nil {
		return fmt.Errorf("drop old entries of the audit log: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	return nil
}

// auditText is a text as it is kept: valid and not too long.
func auditText(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), account.MaxAuditText)], "")
}

// List returns at most limit entries that the filter lets through, newest
// first.
func (k Audit) List(ctx context.Context, f account.AuditFilter, limit int) ([]account.AuditEntry, error) {
	where, args := []string{"1"}, []any{}
	narrow := func(condition string, value any) {
		where, args = append(where, condition), append(args, value)
	}
	if f.Before > 0 {
		narrow("id < ?", f.Before)
	}
	if f.Action != "" {
		narrow("action = ?", f.Action)
	}
	if f.Outcome != "" {
		narrow("outcome = ?", f.Outcome)
	}
	if f.Who != "" {
		narrow("who = ?", f.Who)
	}
	rows, err := k.store.read.QueryContext(ctx, `SELECT id, at_ms, who, via, from_addr, action, target, outcome, detail FROM audit
		WHERE `+strings.Join(where, " AND ")+` ORDER BY id DESC LIMIT ?`, append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list the audit log: %w", err)
	}
	defer rows.Close()
	var entries []account.AuditEntry
	for rows.Next() {
		var e account.AuditEntry
		var at int64
		if err := rows.Scan(&e.ID, &at, &e.Who, &e.Via, &e.From, &e.Action, &e.Target, &e.Outcome, &e.Detail); err != nil {
			return nil, fmt.Errorf("list the audit log: %w", err)
		}
		e.At = fromMillis(at)
		entries = append(entries, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list the audit log: %w", err)
	}
	return entries, nil
}
