package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"lockstep/sizing/catalog"
)

// Entries saves users' own entries of the catalogue.
type Entries struct{ store *Store }

// Entries returns the own entries of the store.
func (s *Store) Entries() Entries { return Entries{s} }

// List returns all own entries, by kind and ID.
func (e Entries) List(ctx context.Context) ([]catalog.Entry, error) {
	return listEntries(ctx, e.store.read)
}

func listEntries(ctx context.Context, from interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}) ([]catalog.Entry, error) {
	rows, err := from.QueryContext(ctx, `SELECT kind, id, document, changed_by, changed_ms FROM entries ORDER BY kind, id`)
	if err != nil {
		return nil, fmt.Errorf("list own entries of the catalogue: %w", err)
	}
	defer rows.Close()
	var all []catalog.Entry
	for rows.Next() {
		var one catalog.Entry
		var document string
		var changed int64
		if err := rows.Scan(&one.Kind, &one.ID, &document, &one.By, &changed); err != nil {
			return nil, fmt.Errorf("list own entries of the catalogue: %w", err)
		}
		one.Document, one.Changed = []byte(document), time.UnixMilli(changed)
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list own entries of the catalogue: %w", err)
	}
	return all, nil
}

// Save keeps an entry that catalog.Read has made, in the place of the one of its
// ID where replace allows that. What it is made of is checked against what is
// kept at that very moment; the errors are those of catalog.Add.
func (e Entries) Save(ctx context.Context, one catalog.Entry, replace bool) error {
	return e.change(ctx, func(tx *sql.Tx, own []catalog.Entry) error {
		if err := catalog.Add(own, one, replace); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO entries (kind, id, document, changed_by, changed_ms) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (kind, id) DO UPDATE SET document = excluded.document, changed_by = excluded.changed_by, changed_ms = excluded.changed_ms`,
			one.Kind, one.ID, string(one.Document), one.By, one.Changed.UnixMilli())
		return err
	})
}

// Remove forgets an entry. The errors are those of catalog.Remove.
func (e Entries) Remove(ctx context.Context, kind catalog.Kind, id string) error {
	return e.change(ctx, func(tx *sql.Tx, own []catalog.Entry) error {
		if err := catalog.Remove(own, kind, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM entries WHERE kind = ? AND id = ?`, kind, id)
		return err
	})
}

// change does something in a transaction that no other writer comes between.
func (e Entries) change(ctx context.Context, do func(*sql.Tx, []catalog.Entry) error) error {
	tx, err := e.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("change own entries of the catalogue: %w", err)
	}
	defer tx.Rollback()
	own, err := listEntries(ctx, tx)
	if err != nil {
		return err
	}
	if err := do(tx, own); err != nil {
		return fmt.Errorf("change own entries of the catalogue: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("change own entries of the catalogue: %w", err)
	}
	return nil
}
