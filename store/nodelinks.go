package store

import (
	"context"
	"encoding/json"
	"fmt"

	"lockstep/cluster/inventory"
)

// Links returns what was last found between nodes, by their names.
func (k Nodes) Links(ctx context.Context) ([]inventory.Link, error) {
	rows, err := k.store.read.QueryContext(ctx, `SELECT document FROM node_links ORDER BY from_node, to_node`)
	if err != nil {
		return nil, fmt.Errorf("list links between nodes: %w", err)
	}
	defer rows.Close()
	var all []inventory.Link
	for rows.Next() {
		var document string
		if err := rows.Scan(&document); err != nil {
			return nil, fmt.Errorf("list links between nodes: %w", err)
		}
		var l inventory.Link
		if err := json.Unmarshal([]byte(document), &l); err != nil {
			continue // of a later version: as if it had not been probed
		}
		all = append(all, l)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list links between nodes: %w", err)
	}
	return all, nil
}

// SaveLinks keeps what was found between nodes, each in the place of what was
// found on that way before. A link of a node that is no longer known is dropped.
func (k Nodes) SaveLinks(ctx context.Context, links []inventory.Link) error {
	tx, err := k.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("save links between nodes: %w", err)
	}
	defer tx.Rollback()
	for _, l := range links {
		document, err := json.Marshal(l)
		if err != nil {
			return fmt.Errorf("write link from %s to %s: %w", l.From, l.To, err)
		}
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO node_links (from_node, to_node, measured_ms, document)
			SELECT f.name, t.name, ?, ? FROM nodes f, nodes t WHERE f.name = ? AND t.name = ?`,
			l.Time.UnixMilli(), string(document), l.From, l.To); err != nil {
			return fmt.Errorf("save link from %s to %s: %w", l.From, l.To, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("save links between nodes: %w", err)
	}
	return nil
}
