package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lockstep/cluster/inventory"
)

// Nodes saves which nodes a console has admitted, by which certificates, and
// what was found between them. The console that serves is the only one to admit;
// any process may Amend.
type Nodes struct{ store *Store }

// Nodes returns the nodes of the store.
func (s *Store) Nodes() Nodes { return Nodes{s} }

// nodeReport is what a node says of itself.
type nodeReport struct {
	Build  string           `json:"build,omitempty"`
	Limits inventory.Limits `json:"limits"`
	Node   inventory.Node   `json:"node"`
}

// newestCertificate joins a node n to the certificate c that it got last.
const newestCertificate = `LEFT JOIN node_certificates c ON c.serial =
	(SELECT serial FROM node_certificates WHERE node = n.name ORDER BY issued_ms DESC, serial LIMIT 1)`

// Enrolments returns all nodes by name, each with its newest certificate.
func (k Nodes) Enrolments(ctx context.Context) ([]inventory.Enrolment, error) {
	rows, err := k.store.read.QueryContext(ctx, `SELECT n.name, n.key, n.token, n.joined_ms, coalesce(n.seen_ms, 0), n.draining, n.revoked, coalesce(n.report, '{}'),
		coalesce(c.serial, ''), coalesce(c.expires_ms, 0), coalesce(c.revoked, 0) FROM nodes n `+newestCertificate+` ORDER BY n.name`)
	if err != nil {
		return nil, fmt.Errorf("list nodes: %w", err)
	}
	defer rows.Close()
	var all []inventory.Enrolment
	for rows.Next() {
		var e inventory.Enrolment
		var key, token []byte
		var joined, seen, expires int64
		var said string
		if err := rows.Scan(&e.Name, &key, &token, &joined, &seen, &e.Draining, &e.Revoked, &said,
			&e.Admission.Serial, &expires, &e.Admission.Revoked); err != nil {
			return nil, fmt.Errorf("list nodes: %w", err)
		}
		copy(e.Key[:], key)
		copy(e.Token[:], token)
		e.Joined, e.Seen, e.Admission.Expires = fromMillis(joined), fromMillis(seen), fromMillis(expires)
		var r nodeReport
		// What a later version wrote and this one cannot read is as if the node
		// had not said it; it says it again when it connects.
		if json.Unmarshal([]byte(said), &r) == nil {
			e.Build, e.Limits, e.Node = r.Build, r.Limits, r.Node
		}
		all = append(all, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list nodes: %w", err)
	}
	return all, nil
}

// Decisions returns what stands about all nodes, by name. It is asked every
// second, hence leaves out what is long.
func (k Nodes) Decisions(ctx context.Context) ([]inventory.Decision, error) {
	rows, err := k.store.read.QueryContext(ctx, `SELECT n.name, n.draining, n.revoked, coalesce(c.serial, ''), coalesce(c.expires_ms, 0), coalesce(c.revoked, 0)
		FROM nodes n `+newestCertificate+` ORDER BY n.name`)
	if err != nil {
		return nil, fmt.Errorf("list what stands about nodes: %w", err)
	}
	defer rows.Close()
	var all []inventory.Decision
	for rows.Next() {
		var d inventory.Decision
		var expires int64
		if err := rows.Scan(&d.Name, &d.Draining, &d.Revoked, &d.Admission.Serial, &expires, &d.Admission.Revoked); err != nil {
			return nil, fmt.Errorf("list what stands about nodes: %w", err)
		}
		d.Admission.Expires = fromMillis(expires)
		all = append(all, d)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list what stands about nodes: %w", err)
	}
	return all, nil
}

// Admit keeps a node that has joined, in the place of any of its name, with its
// certificate. Earlier certificates of the name let nobody in any more.
func (k Nodes) Admit(ctx context.Context, e inventory.Enrolment) error {
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("admit node %s: %w", e.Name, err)
	}
	defer tx.Rollback()
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`UPDATE node_certificates SET revoked = 1 WHERE node = ?`, []any{e.Name}},
		{`INSERT INTO nodes (name, key, token, joined_ms) VALUES (?, ?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET key = excluded.key, token = excluded.token, joined_ms = excluded.joined_ms,
			seen_ms = NULL, draining = 0, revoked = 0, report = NULL`, []any{e.Name, e.Key[:], e.Token[:], e.Joined.UnixMilli()}},
	} {
		if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
			return fmt.Errorf("admit node %s: %w", e.Name, err)
		}
	}
	if err := certify(ctx, tx, e.Name, e.Admission, e.Joined); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("admit node %s: %w", e.Name, err)
	}
	return nil
}

// Certify keeps another certificate of a node that is not revoked. The error is
// inventory.ErrNoNode where there is no such node.
func (k Nodes) Certify(ctx context.Context, name string, a inventory.Admission, now time.Time) error {
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("certify node %s: %w", name, err)
	}
	defer tx.Rollback()
	var revoked bool
	err = tx.QueryRowContext(ctx, `SELECT revoked FROM nodes WHERE name = ?`, name).Scan(&revoked)
	if errors.Is(err, sql.ErrNoRows) || err == nil && revoked {
		return fmt.Errorf("certify node %s: %w", name, inventory.ErrNoNode)
	}
	if err != nil {
		return fmt.Errorf("certify node %s: %w", name, err)
	}
	if err := certify(ctx, tx, name, a, now); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("certify node %s: %w", name, err)
	}
	return nil
}

// certify adds a certificate and forgets the node's that had expired by then;
// those let nobody in anyway.
func certify(ctx context.Context, tx *sql.Tx, name string, a inventory.Admission, now time.Time) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM node_certificates WHERE node = ? AND expires_ms <= ?`, name, now.UnixMilli()); err != nil {
		return fmt.Errorf("forget expired certificates of node %s: %w", name, err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO node_certificates (serial, node, issued_ms, expires_ms) VALUES (?, ?, ?, ?)`,
		a.Serial, name, now.UnixMilli(), a.Expires.UnixMilli()); err != nil {
		return fmt.Errorf("keep certificate %s of node %s: %w", a.Serial, name, err)
	}
	return nil
}

// Certificate returns the node that a certificate was issued to. The error is
// inventory.ErrNoNode where there is no such certificate, or no such node any
// more.
func (k Nodes) Certificate(ctx context.Context, serial string) (name string, a inventory.Admission, err error) {
	var expires int64
	err = k.store.read.QueryRowContext(ctx, `SELECT node, serial, expires_ms, revoked FROM node_certificates WHERE serial = ?`, serial).
		Scan(&name, &a.Serial, &expires, &a.Revoked)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", a, fmt.Errorf("find certificate %s: %w", serial, inventory.ErrNoNode)
	case err != nil:
		return "", a, fmt.Errorf("find certificate %s: %w", serial, err)
	}
	a.Expires = fromMillis(expires)
	return name, a, nil
}

// Note keeps what a node says of itself and when it was heard last.
func (k Nodes) Note(ctx context.Context, e inventory.Enrolment) error {
	said, err := json.Marshal(nodeReport{e.Build, e.Limits, e.Node})
	if err != nil {
		return fmt.Errorf("note node %s: %w", e.Name, err)
	}
	if _, err := k.store.write.ExecContext(ctx, `UPDATE nodes SET seen_ms = ?, report = ? WHERE name = ?`,
		e.Seen.UnixMilli(), string(said), e.Name); err != nil {
		return fmt.Errorf("note node %s: %w", e.Name, err)
	}
	return nil
}

// Amend carries out what a person asks of a node. Doing it twice does it once.
// The error is inventory.ErrNoNode where there is no such node.
func (k Nodes) Amend(ctx context.Context, name string, change inventory.Change) error {
	var query string
	switch change {
	case inventory.Drain:
		query = `UPDATE nodes SET draining = 1 WHERE name = ?`
	case inventory.Resume:
		query = `UPDATE nodes SET draining = 0 WHERE name = ?`
	case inventory.Revoke:
		query = `UPDATE nodes SET revoked = 1 WHERE name = ?`
	case inventory.Forget:
		query = `DELETE FROM nodes WHERE name = ?`
	default:
		return fmt.Errorf("change node %s: %q is no change; accepted: %v", name, change, inventory.Changes())
	}
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s node %s: %w", change, name, err)
	}
	defer tx.Rollback()
	if change == inventory.Revoke {
		if _, err := tx.ExecContext(ctx, `UPDATE node_certificates SET revoked = 1 WHERE node = ?`, name); err != nil {
			return fmt.Errorf("revoke certificates of node %s: %w", name, err)
		}
	}
	done, err := tx.ExecContext(ctx, query, name)
	if err != nil {
		return fmt.Errorf("%s node %s: %w", change, name, err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return fmt.Errorf("%s node %q: %w", change, name, inventory.ErrNoNode)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%s node %s: %w", change, name, err)
	}
	return nil
}
