package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lockstep/sizing/report"
)

const shareColumns = `id, digest, report, version, lang, created_by, created_ms, expires_ms, coalesce(revoked_ms, 0)`

// scanShare reads the shareColumns of a row.
func scanShare(row interface{ Scan(...any) error }) (report.Share, error) {
	var s report.Share
	var digest []byte
	var id, created, expires, revoked int64
	err := row.Scan(&s.ID, &digest, &id, &s.Version, &s.Lang, &s.By, &created, &expires, &revoked)
	copy(s.Digest[:], digest)
	s.Report, s.Created, s.Expires, s.Revoked = reportID(id), fromMillis(created), fromMillis(expires), fromMillis(revoked)
	return s, err
}

// Share keeps a link to a saved version, and forgets those that had long opened
// nothing when it was made. The error for a version that does not exist is
// report.ErrNone.
func (r Reports) Share(ctx context.Context, s report.Share) error {
	id, err := parseReportID(s.Report)
	if err != nil {
		return err
	}
	tx, err := r.store.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("share report: %w", err)
	}
	defer tx.Rollback()
	old := s.Created.Add(-deadTokens).UnixMilli()
	if _, err := tx.ExecContext(ctx, `DELETE FROM report_shares WHERE expires_ms <= ? OR revoked_ms <= ?`, old, old); err != nil {
		return fmt.Errorf("forget old links to reports: %w", err)
	}
	var there bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM report_versions WHERE report = ? AND version = ?)`, id, s.Version).Scan(&there); err != nil {
		return fmt.Errorf("share report %s: %w", reportID(id), err)
	}
	if !there {
		return fmt.Errorf("%w: %s, version %d", report.ErrNone, reportID(id), s.Version)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO report_shares (id, digest, report, version, lang, created_by, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		s.ID, s.Digest[:], id, s.Version, s.Lang, s.By, s.Created.UnixMilli(), s.Expires.UnixMilli()); err != nil {
		return fmt.Errorf("share report %s: %w", reportID(id), err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("share report %s: %w", reportID(id), err)
	}
	return nil
}

// Shares returns the links that open a version at the given moment, the one
// made last first.
func (r Reports) Shares(ctx context.Context, id string, version int, now time.Time) ([]report.Share, error) {
	n, err := parseReportID(id)
	if err != nil {
		return nil, err
	}
	rows, err := r.store.read.QueryContext(ctx, `SELECT `+shareColumns+` FROM report_shares
		WHERE report = ? AND version = ? AND expires_ms > ? AND revoked_ms IS NULL ORDER BY created_ms DESC, id`, n, version, now.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("list links to report %s: %w", reportID(n), err)
	}
	defer rows.Close()
	var all []report.Share
	for rows.Next() {
		s, err := scanShare(rows)
		if err != nil {
			return nil, fmt.Errorf("list links to report %s: %w", reportID(n), err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list links to report %s: %w", reportID(n), err)
	}
	return all, nil
}

// Opened returns the share of a secret. The error is report.ErrShareUnknown for
// what never was one, or was one long ago, and report.ErrShareGone for one that
// opens nothing any more.
func (r Reports) Opened(ctx context.Context, secret string, now time.Time) (report.Share, error) {
	digest, err := report.ParseShare(secret)
	if err != nil {
		return report.Share{}, err
	}
	s, err := scanShare(r.store.read.QueryRowContext(ctx, `SELECT `+shareColumns+` FROM report_shares WHERE digest = ?`, digest[:]))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return report.Share{}, report.ErrShareUnknown
	case err != nil:
		return report.Share{}, fmt.Errorf("find link to a report: %w", err)
	}
	return s, s.Opens(now)
}

// Unshare makes a link open nothing from now on; one that was revoked before
// stays so. The error is report.ErrShareUnknown where there is none.
func (r Reports) Unshare(ctx context.Context, id string, now time.Time) (report.Share, error) {
	s, err := scanShare(r.store.write.QueryRowContext(ctx,
		`UPDATE report_shares SET revoked_ms = coalesce(revoked_ms, ?) WHERE id = ? RETURNING `+shareColumns, now.UnixMilli(), id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return s, report.ErrShareUnknown
	case err != nil:
		return s, fmt.Errorf("revoke link %s to a report: %w", id, err)
	}
	return s, nil
}
