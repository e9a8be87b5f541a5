package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lockstep/web/account"
)

// Users saves accounts.
type Users struct{ store *Store }

// Users returns the accounts of the store.
func (s *Store) Users() Users { return Users{s} }

const userColumns = `name, role, hash, epoch, created_ms, changed_ms`

// scanUser reads the userColumns of a row.
func scanUser(row interface{ Scan(...any) error }) (account.User, error) {
	var u account.User
	var created, changed int64
	err := row.Scan(&u.Name, &u.Role, &u.Hash, &u.Epoch, &created, &changed)
	u.Created, u.Changed = fromMillis(created), fromMillis(changed)
	return u, err
}

// Add keeps a new account. The error is account.ErrUserExists where the name
// is taken.
func (k Users) Add(ctx context.Context, u account.User) error {
	done, err := k.store.write.ExecContext(ctx, `INSERT INTO users (`+userColumns+`) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`,
		u.Name, u.Role, u.Hash, u.Epoch, u.Created.UnixMilli(), u.Changed.UnixMilli())
	if err != nil {
		return fmt.Errorf("add account %s: %w", u.Name, err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("add account %s: %w", u.Name, cmp.Or(err, account.ErrUserExists))
	}
	return nil
}

// Find returns the account of a name. The error is account.ErrNoUser where
// there is none.
func (k Users) Find(ctx context.Context, name string) (account.User, error) {
	return findUser(ctx, k.store.read, name)
}

func findUser(ctx context.Context, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, name string) (account.User, error) {
	u, err := scanUser(db.QueryRowContext(ctx, `SELECT `+userColumns+` FROM users WHERE name = ?`, name))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return u, fmt.Errorf("find account %s: %w", name, account.ErrNoUser)
	case err != nil:
		return u, fmt.Errorf("find account %s: %w", name, err)
	}
	return u, nil
}

// List returns all accounts by name.
func (k Users) List(ctx context.Context) ([]account.User, error) {
	rows, err := k.store.read.QueryContext(ctx, `SELECT `+userColumns+` FROM users ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	defer rows.Close()
	var users []account.User
	for rows.Next() {
		u, err := scanUser(rows)
		if err != nil {
			return nil, fmt.Errorf("list accounts: %w", err)
		}
		users = append(users, u)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	return users, nil
}

// Change replaces what is kept of an account, except its name and when it was
// made, by what change makes of it. Nothing is kept if change fails. With
// needAdmin, the last admin stays one: the error is account.ErrLastAdmin.
func (k Users) Change(ctx context.Context, name string, needAdmin bool, change func(*account.User) error) error {
	return k.alter(ctx, "change", name, needAdmin, func(tx *sql.Tx, u account.User) error {
		if err := change(&u); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE users SET role = ?, hash = ?, epoch = ?, changed_ms = ? WHERE name = ?`,
			u.Role, u.Hash, u.Epoch, u.Changed.UnixMilli(), name)
		return err
	})
}

// Remove forgets an account, and with it ends its sessions and what its tokens
// open. With needAdmin,
// the last admin stays: the error is account.ErrLastAdmin.
func (k Users) Remove(ctx context.Context, name string, needAdmin bool) error {
	return k.alter(ctx, "remove", name, needAdmin, func(tx *sql.Tx, _ account.User) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM users WHERE name = ?`, name); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE tokens SET revoked_ms = coalesce(revoked_ms, ?) WHERE created_by = ?`, time.Now().UnixMilli(), name)
		return err
	})
}

// alter calls what with an account that exists, in a transaction that leaves
// an admin behind if one is needed and there was one.
func (k Users) alter(ctx context.Context, verb, name string, needAdmin bool, what func(*sql.Tx, account.User) error) error {
	fail := func(err error) error { return fmt.Errorf("%s account %s: %w", verb, name, err) }
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fail(err)
	}
	defer tx.Rollback()
	u, err := findUser(ctx, tx, name)
	if err != nil {
		return err
	}
	if err := what(tx, u); err != nil {
		return fail(err)
	}
	if needAdmin && u.Role == account.Admin {
		var admins int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM users WHERE role = ?`, account.Admin).Scan(&admins); err != nil {
			return fail(err)
		}
		if admins == 0 {
			return fail(account.ErrLastAdmin)
		}
	}
	if err := tx.Commit(); err != nil {
		return fail(err)
	}
	return nil
}

// fromMillis is the moment of a column, zero for none.
func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
