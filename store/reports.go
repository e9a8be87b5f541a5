package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lockstep/sizing/report"
)

// Reports saves reports in versions that never change.
type Reports struct{ store *Store }

// Reports returns the reports of the store.
func (s *Store) Reports() Reports { return Reports{s} }

// reportID is how people see the number of a report.
func reportID(n int64) string { return fmt.Sprintf("%04d", n) }

// parseReportID reads a report's ID, with or without its leading zeros.
func parseReportID(id string) (int64, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 1 || strings.ContainsAny(id, "+-") {
		return 0, fmt.Errorf("%w: %q; an ID is a number such as 0007", report.ErrNone, id)
	}
	return n, nil
}

// Save keeps r as the first version of a new report or, when r.ID names one,
// as its next version. It returns r with ID, Version, Latest and Saved as they
// are kept. What has been returned survives the loss of power.
func (r Reports) Save(ctx context.Context, draft report.Report, now time.Time) (report.Report, error) {
	content, err := draft.Content.Encode()
	if err != nil {
		return report.Report{}, err
	}
	draft.Frozen = content
	tx, err := r.store.write.BeginTx(ctx, nil)
	if err != nil {
		return report.Report{}, fmt.Errorf("save report: %w", err)
	}
	defer tx.Rollback()
	id, err := r.identify(ctx, tx, draft.ID, now)
	if err != nil {
		return report.Report{}, err
	}
	var version int
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) + 1 FROM report_versions WHERE report = ?`, id).Scan(&version); err != nil {
		return report.Report{}, fmt.Errorf("save report %s: %w", reportID(id), err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO report_versions (report, version, created_ms, title, customer, author, notes, seller, contact, valid_until, logo, document)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, id, version, now.UnixMilli(),
		draft.Cover.Title, draft.Cover.Customer, draft.Cover.Author, draft.Cover.Notes, draft.Cover.Seller, draft.Cover.Contact, draft.Cover.Valid, draft.Cover.Logo,
		string(content)); err != nil {
		return report.Report{}, fmt.Errorf("save report %s: %w", reportID(id), err)
	}
	if err := tx.Commit(); err != nil {
		return report.Report{}, fmt.Errorf("save report %s: %w", reportID(id), err)
	}
	draft.ID, draft.Version, draft.Latest, draft.Saved = reportID(id), version, version, time.UnixMilli(now.UnixMilli())
	return draft, nil
}

// identify returns the number of the report that asked names, or of a new one.
func (r Reports) identify(ctx context.Context, tx *sql.Tx, asked string, now time.Time) (int64, error) {
	if asked == "" {
		added, err := tx.ExecContext(ctx, `INSERT INTO reports (created_ms) VALUES (?)`, now.UnixMilli())
		if err != nil {
			return 0, fmt.Errorf("save report: %w", err)
		}
		return added.LastInsertId()
	}
	id, err := parseReportID(asked)
	if err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `SELECT id FROM reports WHERE id = ?`, id).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("%w: %s", report.ErrNone, reportID(id))
	}
	return id, err
}

// selectReports begins to read what scanReport scans; what follows is the logo,
// the document and the rest of the statement.
const selectReports = `SELECT v.report, v.version, (SELECT max(version) FROM report_versions WHERE report = v.report),
	v.created_ms, v.title, v.customer, v.author, v.notes, v.seller, v.contact, v.valid_until, `

// Find returns one version of a report. The ID may lack its leading zeros. The
// error for one that does not exist is report.ErrNone.
func (r Reports) Find(ctx context.Context, id string, version int) (report.Report, error) {
	n, err := parseReportID(id)
	if err != nil {
		return report.Report{}, err
	}
	found, err := scanReport(r.store.read.QueryRowContext(ctx, selectReports+`v.logo, v.document FROM report_versions v WHERE v.report = ? AND v.version = ?`, n, version))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return report.Report{}, fmt.Errorf("%w: %s, version %d", report.ErrNone, reportID(n), version)
	case err != nil:
		return report.Report{}, fmt.Errorf("find report %s: %w", reportID(n), err)
	}
	return found, nil
}

// Latest returns the newest version of at most limit reports, the one saved
// last first: their covers without logos, and of what is frozen the sentences.
func (r Reports) Latest(ctx context.Context, limit int) ([]report.Report, error) {
	rows, err := r.store.read.QueryContext(ctx, selectReports+
		`NULL, json_object('version', v.document ->> '$.version', 'engine', v.document ->> '$.engine', 'data', v.document ->> '$.data', 'words', v.document -> '$.words')
		FROM report_versions v WHERE v.version = (SELECT max(version) FROM report_versions WHERE report = v.report)
		ORDER BY v.created_ms DESC, v.report DESC LIMIT ?`, max(limit, 0))
	if err != nil {
		return nil, fmt.Errorf("list reports: %w", err)
	}
	defer rows.Close()
	var reports []report.Report
	for rows.Next() {
		found, err := scanReport(rows)
		if err != nil {
			return nil, fmt.Errorf("list reports: %w", err)
		}
		found.Frozen = nil // it is a part
		reports = append(reports, found)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list reports: %w", err)
	}
	return reports, nil
}

func scanReport(row interface{ Scan(...any) error }) (report.Report, error) {
	var r report.Report
	var id, created int64
	var content string
	if err := row.Scan(&id, &r.Version, &r.Latest, &created, &r.Cover.Title, &r.Cover.Customer, &r.Cover.Author, &r.Cover.Notes,
		&r.Cover.Seller, &r.Cover.Contact, &r.Cover.Valid, &r.Cover.Logo, &content); err != nil {
		return report.Report{}, err
	}
	var err error
	if r.Content, err = report.Decode([]byte(content)); err != nil {
		return report.Report{}, fmt.Errorf("report %s, version %d: %w", reportID(id), r.Version, err)
	}
	r.Frozen = []byte(content)
	r.ID, r.Saved = reportID(id), time.UnixMilli(created)
	return r, nil
}
