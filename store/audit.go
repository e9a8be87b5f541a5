package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"lockstep/web/account"
)

// How many entries of the audit log are kept, of what members and nodes do and
// of what is refused to strangers: neither crowds the other out. Older ones are
// dropped now and then, so there may be up to dropEvery more of either.
const (
	keptOfMembers   = 50_000
	keptOfStrangers = 10_000
	dropEvery       = 64
)

// ofStrangers are entries of those who have not come in and got nothing. There
// is an index for these, and one for the others.
const ofStrangers = `via = '' AND outcome <> 'ok'`

// Audit saves what was done and by whom.
type Audit struct{ store *Store }

// Audit returns the audit log of the store.
func (s *Store) Audit() Audit { return Audit{s} }

// Append adds an entry, and now and then drops the oldest beyond those that are
// kept. Texts that are too long are cut.
func (k Audit) Append(ctx context.Context, e account.AuditEntry) error {
	said, err := auditSaid(e.Said)
	if err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	defer tx.Rollback()
	done, err := tx.ExecContext(ctx, `INSERT INTO audit (at_ms, who, via, from_addr, action, target, outcome, detail, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.At.UnixMilli(), auditText(e.Who), e.Via, auditText(e.From), e.Action, auditText(e.Target), e.Outcome, auditText(e.Detail), said)
	if err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	id, err := done.LastInsertId()
	if err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	if id%dropEvery == 0 {
		for of, kept := range map[string]int{ofStrangers: keptOfStrangers, `NOT (` + ofStrangers + `)`: keptOfMembers} {
			if _, err := tx.ExecContext(ctx, `DELETE FROM audit WHERE `+of+` AND id <= (SELECT id FROM audit WHERE `+of+` ORDER BY id DESC LIMIT 1 OFFSET ?)`, kept); err != nil {
				return fmt.Errorf("drop old entries of the audit log: %w", err)
			}
		}
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

// auditSaid is what a detail says, as it is kept.
func auditSaid(said map[string]string) (string, error) {
	if len(said) == 0 {
		return "", nil
	}
	short := make(map[string]string, len(said))
	for name, value := range said {
		short[auditText(name)] = auditText(value)
	}
	text, err := json.Marshal(short)
	return string(text), err
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
	rows, err := k.store.read.QueryContext(ctx, `SELECT id, at_ms, who, via, from_addr, action, target, outcome, detail, said FROM audit
		WHERE `+strings.Join(where, " AND ")+` ORDER BY id DESC LIMIT ?`, append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list the audit log: %w", err)
	}
	defer rows.Close()
	var entries []account.AuditEntry
	for rows.Next() {
		var e account.AuditEntry
		var at int64
		var said string
		if err := rows.Scan(&e.ID, &at, &e.Who, &e.Via, &e.From, &e.Action, &e.Target, &e.Outcome, &e.Detail, &said); err != nil {
			return nil, fmt.Errorf("list the audit log: %w", err)
		}
		e.At = fromMillis(at)
		if said != "" {
			if err := json.Unmarshal([]byte(said), &e.Said); err != nil {
				return nil, fmt.Errorf("list the audit log: entry %d: %w", e.ID, err)
			}
		}
		entries = append(entries, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list the audit log: %w", err)
	}
	return entries, nil
}
