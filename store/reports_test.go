package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/sizing"
	"lockstep/sizing/report"
)

// draft is a report of the article's case, not yet saved.
func draft(t *testing.T, title string) report.Report {
	t.Helper()
	fabric, _ := sizing.FindFabric("article")
	e, err := sizing.Step{Parameters: 300_000_000, Width: 4, Nodes: 10, PerNode: 1, Fabric: fabric, Compute: 10}.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	return report.Report{
		Cover:   report.Cover{Title: title, Customer: "某公司", Author: "a", Notes: "one\ntwo", Seller: "卖方", Contact: "sales@example.com", Valid: "2027-03-01", Logo: []byte("\x89PNG")},
		Content: report.NewDocument("test", e, map[string]report.Words{"zh": {Headline: "结论"}, "en": {Headline: "conclusion"}}),
	}
}

// documentOf reads what is kept, byte for byte.
func documentOf(t *testing.T, s *Store, id, version int) string {
	t.Helper()
	var content string
	if err := s.read.QueryRowContext(t.Context(), `SELECT document FROM report_versions WHERE report = ? AND version = ?`, id, version).Scan(&content); err != nil {
		t.Fatal(err)
	}
	return content
}

func TestReportIsTheSameAfterARestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := s.Reports().Save(t.Context(), draft(t, "first"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	before := documentOf(t, s, 1, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openIn(t, dir)
	if after := documentOf(t, s, 1, 1); after != before {
		t.Errorf("the document was\n%s\nand is\n%s", before, after)
	}
	found, err := s.Reports().Find(t.Context(), "1", 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(saved, found); diff != "" {
		t.Errorf("report (-saved +found):\n%s", diff)
	}
	again, err := found.Content.Encode()
	if err != nil || string(again) != before {
		t.Errorf("encoded again, %v, it reads\n%s\nand was kept as\n%s", err, again, before)
	}
}

func TestSavingAgainMakesTheNextVersion(t *testing.T) {
	s := open(t)
	now := time.UnixMilli(1_796_083_200_000)
	first, err := s.Reports().Save(t.Context(), draft(t, "first"), now)
	if err != nil {
		t.Fatal(err)
	}
	before := documentOf(t, s, 1, 1)
	next := draft(t, "second")
	next.ID = first.ID
	second, err := s.Reports().Save(t.Context(), next, now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Reports().Save(t.Context(), draft(t, "other"), now.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []struct {
		report      report.Report
		id          string
		version     int
		description string
	}{{first, "0001", 1, "first"}, {second, "0001", 2, "next version"}, {other, "0002", 1, "other"}} {
		if got.report.ID != got.id || got.report.Version != got.version {
			t.Errorf("%s is %s, version %d; want %s, version %d", got.description, got.report.ID, got.report.Version, got.id, got.version)
		}
	}
	found, err := s.Reports().Find(t.Context(), "0001", 1)
	if err != nil {
		t.Fatal(err)
	}
	if found.Cover.Title != "first" || found.Latest != 2 || documentOf(t, s, 1, 1) != before {
		t.Errorf("the first version has become %q, the latest of %d", found.Cover.Title, found.Latest)
	}
	list, err := s.Reports().Latest(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, r := range list {
		titles = append(titles, r.Cover.Title)
	}
	if diff := cmp.Diff([]string{"second", "other"}, titles); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	if list, err := s.Reports().Latest(t.Context(), 1); err != nil || len(list) != 1 {
		t.Errorf("a list of one has %d, %v", len(list), err)
	}
}

func TestSavedVersionCannotBeChanged(t *testing.T) {
	s := open(t)
	if _, err := s.Reports().Save(t.Context(), draft(t, "first"), time.Now()); err != nil {
		t.Fatal(err)
	}
	_, err := s.write.ExecContext(t.Context(), `UPDATE report_versions SET title = 'changed'`)
	if err == nil || !strings.Contains(err.Error(), "never changes") {
		t.Errorf("changing a saved version: %v", err)
	}
}

func TestReportsThatAreNotThere(t *testing.T) {
	s := open(t)
	for _, id := range []string{"1", "0", "-1", "+1", "x", "", "99999999999999999999"} {
		if _, err := s.Reports().Find(t.Context(), id, 1); !errors.Is(err, report.ErrNone) {
			t.Errorf("finding %q: %v", id, err)
		}
	}
	next := draft(t, "next")
	next.ID = "0007"
	if _, err := s.Reports().Save(t.Context(), next, time.Now()); !errors.Is(err, report.ErrNone) {
		t.Errorf("a next version of nothing: %v", err)
	}
	if list, err := s.Reports().Latest(t.Context(), 10); err != nil || len(list) != 0 {
		t.Errorf("list of an empty store: %v, %v", list, err)
	}
}
