package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"lockstep/sizing/measured"
)

// Machines saves systems of which somebody has kept logs.
type Machines struct{ store *Store }

// Machines returns the kept machines of the store.
func (s *Store) Machines() Machines { return Machines{s} }

// Save keeps a machine, in the place of one of the same name.
func (m Machines) Save(ctx context.Context, k measured.Kept) error {
	if err := measured.CheckMachineName(k.Name); err != nil {
		return err
	}
	document, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("write machine %s: %w", k.Name, err)
	}
	if _, err := m.store.write.ExecContext(ctx, `INSERT INTO machines (name, made_ms, document) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET made_ms = excluded.made_ms, document = excluded.document`, k.Name, k.Made.UnixMilli(), string(document)); err != nil {
		return fmt.Errorf("save machine %s: %w", k.Name, err)
	}
	return nil
}

// List returns all machines by name.
func (m Machines) List(ctx context.Context) ([]measured.Kept, error) {
	rows, err := m.store.read.QueryContext(ctx, `SELECT document FROM machines ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("list machines: %w", err)
	}
	defer rows.Close()
	var all []measured.Kept
	for rows.Next() {
		var document string
		if err := rows.Scan(&document); err != nil {
			return nil, fmt.Errorf("list machines: %w", err)
		}
		var k measured.Kept
		if err := json.Unmarshal([]byte(document), &k); err != nil {
			return nil, fmt.Errorf("read a machine: %w", err)
		}
		all = append(all, k)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list machines: %w", err)
	}
	return all, nil
}

// Find returns the machine of a name. The error is measured.ErrNoMachine where
// there is none.
func (m Machines) Find(ctx context.Context, name string) (measured.Kept, error) {
	var document string
	err := m.store.read.QueryRowContext(ctx, `SELECT document FROM machines WHERE name = ?`, name).Scan(&document)
	if errors.Is(err, sql.ErrNoRows) {
		err = measured.ErrNoMachine
	}
	var k measured.Kept
	if err == nil {
		err = json.Unmarshal([]byte(document), &k)
	}
	if err != nil {
		return measured.Kept{}, fmt.Errorf("find machine %q: %w", name, err)
	}
	return k, nil
}

// Remove forgets a machine. The error is measured.ErrNoMachine where there is
// none.
func (m Machines) Remove(ctx context.Context, name string) error {
	gone, err := m.store.write.ExecContext(ctx, `DELETE FROM machines WHERE name = ?`, name)
	if err != nil {
		return fmt.Errorf("remove machine %q: %w", name, err)
	}
	if n, err := gone.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("remove machine %q: %w", name, measured.ErrNoMachine)
	}
	return nil
}
