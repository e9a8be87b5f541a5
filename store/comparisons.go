package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// Comparisons saves comparisons of ways to carry a collective out. One that its
// process has left behind counts as stopped.
type Comparisons struct {
	store *Store
	owner string // of those that it begins; "" where it only reads
}

// Comparisons reads the comparisons of the store.
func (s *Store) Comparisons() Comparisons { return Comparisons{store: s} }

// Comparisons returns the comparisons of the store, and lets the process that
// holds the queue add to them.
func (q *RunQueue) Comparisons() Comparisons { return Comparisons{store: q.store, owner: q.owner} }

// keptRequest is what is kept of a comparison's request.
type keptRequest struct {
	Collective schedule.Collective `json:"collective"`
	Ranks      int                 `json:"ranks"`
	Root       int                 `json:"root,omitempty"`
	PerNode    int                 `json:"ranks_per_node,omitempty"`
	Chunks     int                 `json:"chunks,omitempty"`
	DType      schedule.DType      `json:"dtype"`
	Op         schedule.ReduceOp   `json:"op"`
	Link       trace.Link          `json:"link"`
	Iterations int                 `json:"iterations,omitempty"`
	Slices     int                 `json:"slices,omitempty"`
	First      unit.Bytes          `json:"first_bytes"`
	Last       unit.Bytes          `json:"last_bytes"`
	Factor     int                 `json:"factor"`
	Ways       []sweep.Way         `json:"ways"`
}

func requestOf(r sweep.Request) keptRequest {
	b := r.Base
	return keptRequest{
		b.Collective, b.Ranks, b.Root, b.PerNode, b.Chunks, b.DType, b.Op, b.Link, b.Iterations, b.Slices,
		r.Range.First, r.Range.Last, r.Range.Factor, r.Ways,
	}
}

func (a keptRequest) request() sweep.Request {
	return sweep.Request{
		Base: trace.Spec{
			Collective: a.Collective, Ranks: a.Ranks, Root: a.Root, PerNode: a.PerNode, Chunks: a.Chunks,
			DType: a.DType, Op: a.Op, Link: a.Link, Iterations: a.Iterations, Slices: a.Slices,
		},
		Range: sweep.Range{First: a.First, Last: a.Last, Factor: a.Factor},
		Ways:  a.Ways,
	}
}

// Begin keeps a comparison that has just been asked for, gives it the next ID
// and returns it.
func (c Comparisons) Begin(ctx context.Context, made sweep.Comparison) (sweep.Comparison, error) {
	document, err := json.Marshal(requestOf(made.Request))
	if err != nil {
		return made, fmt.Errorf("write comparison: %w", err)
	}
	done, err := c.store.write.ExecContext(ctx, `INSERT INTO comparisons (owner, created_ms, state, document) VALUES (?, ?, ?, ?)`,
		c.owner, made.Created.UnixMilli(), sweep.Running, string(document))
	if err != nil {
		return made, fmt.Errorf("begin comparison: %w", err)
	}
	n, err := done.LastInsertId()
	if err != nil {
		return made, fmt.Errorf("begin comparison: %w", err)
	}
	made.ID = runID(n)
	return made, nil
}

// Place keeps the point with an index.
func (c Comparisons) Place(ctx context.Context, id string, index int, p sweep.Point) error {
	n, err := parseComparisonID(id)
	if err != nil {
		return err
	}
	var run sql.NullInt64
	if p.Run.ID != "" {
		if run.Int64, err = parseRunID(p.Run.ID); err != nil {
			return err
		}
		run.Valid = true
	}
	if _, err := c.store.write.ExecContext(ctx, `INSERT INTO comparison_points (comparison, place, run, reason, says) VALUES (?, ?, ?, ?, ?)`,
		n, index, run, p.Left, p.Says); err != nil {
		return fmt.Errorf("keep point %d of comparison %s: %w", index, id, err)
	}
	return nil
}

// End keeps how a comparison ended.
func (c Comparisons) End(ctx context.Context, id string, state sweep.State) error {
	n, err := parseComparisonID(id)
	if err != nil {
		return err
	}
	if _, err := c.store.write.ExecContext(ctx, `UPDATE comparisons SET state = ?, ended_ms = ? WHERE id = ? AND ended_ms IS NULL`,
		state, time.Now().UnixMilli(), n); err != nil {
		return fmt.Errorf("end comparison %s: %w", id, err)
	}
	return nil
}

// Find returns a comparison with its points. The error of an ID that names none
// is sweep.ErrNone.
func (c Comparisons) Find(ctx context.Context, id string) (sweep.Comparison, error) {
	n, err := parseComparisonID(id)
	if err != nil {
		return sweep.Comparison{}, err
	}
	found, err := c.list(ctx, `SELECT id, owner, created_ms, ended_ms, state, document FROM comparisons WHERE id = ?`, n)
	if err != nil {
		return sweep.Comparison{}, err
	}
	if len(found) == 0 {
		return sweep.Comparison{}, fmt.Errorf("%w: %s", sweep.ErrNone, runID(n))
	}
	found[0].Points, err = c.points(ctx, n)
	return found[0], err
}

// Recent returns at most limit comparisons without their points, newest first.
func (c Comparisons) Recent(ctx context.Context, limit int) ([]sweep.Comparison, error) {
	return c.list(ctx, `SELECT id, owner, created_ms, ended_ms, state, document FROM comparisons ORDER BY id DESC LIMIT ?`, max(limit, 0))
}

func (c Comparisons) list(ctx context.Context, query string, args ...any) ([]sweep.Comparison, error) {
	rows, err := c.store.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read comparisons: %w", err)
	}
	defer rows.Close()
	var all []sweep.Comparison
	for rows.Next() {
		var n, created int64
		var ended sql.NullInt64
		var owner, document string
		var one sweep.Comparison
		if err := rows.Scan(&n, &owner, &created, &ended, &one.State, &document); err != nil {
			return nil, fmt.Errorf("read comparisons: %w", err)
		}
		var a keptRequest
		if err := json.Unmarshal([]byte(document), &a); err != nil {
			return nil, fmt.Errorf("read comparison %s: %w", runID(n), err)
		}
		one.ID, one.Created, one.Request = runID(n), time.UnixMilli(created).UTC(), a.request()
		if ended.Valid {
			one.Ended = time.UnixMilli(ended.Int64).UTC()
		}
		if one.State == sweep.Running && owner != c.owner {
			alive, err := c.store.lives(owner)
			if err != nil {
				return nil, err
			}
			if !alive {
				one.State = sweep.Stopped
			}
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read comparisons: %w", err)
	}
	return all, nil
}

// points reads the points of a comparison in their order.
func (c Comparisons) points(ctx context.Context, n int64) ([]sweep.Point, error) {
	if err := Runs(c).settle(ctx); err != nil {
		return nil, err
	}
	rows, err := c.store.read.QueryContext(ctx, `SELECT p.reason, p.says, r.id, r.outcome, r.document
		FROM comparison_points p LEFT JOIN runs r ON r.id = p.run WHERE p.comparison = ? ORDER BY p.place`, n)
	if err != nil {
		return nil, fmt.Errorf("read points of comparison %s: %w", runID(n), err)
	}
	defer rows.Close()
	var all []sweep.Point
	for rows.Next() {
		var p sweep.Point
		var run sql.NullInt64
		var outcome, document sql.NullString
		err := rows.Scan(&p.Left, &p.Says, &run, &outcome, &document)
		if err == nil && run.Valid {
			err = json.Unmarshal([]byte(document.String), &p.Run)
			p.Run.ID, p.Run.Outcome = runID(run.Int64), trace.Outcome(outcome.String)
		}
		if err != nil {
			return nil, fmt.Errorf("read points of comparison %s: %w", runID(n), err)
		}
		all = append(all, p)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read points of comparison %s: %w", runID(n), err)
	}
	return all, nil
}

// parseComparisonID reads an ID as parseRunID does.
func parseComparisonID(id string) (int64, error) {
	n, err := parseRunID(id)
	if errors.Is(err, trace.ErrNoRun) {
		return 0, fmt.Errorf("%w: %q; an ID is a number such as 0007", sweep.ErrNone, id)
	}
	return n, err
}
